package formats

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pagoda/internal/lazy"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/boardtext"
)

// A jsonLevel is a level of Su's program klotski. All pairs are a row and a column.
type jsonLevel struct {
	Name        string      `json:"name"`
	Blocks      []jsonBlock `json:"blocks"`
	BoardSize   []int       `json:"boardSize"`
	EscapePoint []int       `json:"escapePoint"`
}

type jsonBlock struct {
	Shape      []int `json:"shape"`
	Position   []int `json:"position"`
	Directions []int `json:"directions"`
}

// jsonShape matches what stands once in each block.
var jsonShape = lazy.Regexp(`"shape"`)

// jsonAxes are the headings of blocks that move in two directions only: 0 is down, 1 right, 2 up, and 3 left.
var jsonAxes = map[string]string{"[0 2]": "vertical", "[1 3]": "horizontal", "[0 1 2 3]": "", "[]": ""}

func isJSON(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && strings.ContainsRune("[{", rune(text[0])) && strings.Contains(text, `"blocks"`)
}

// ParseJSON reads a level of J. Su's program klotski (github.com/jeantimex/klotski) in JSON: an object with blocks,
// boardSize and escapePoint, or a list with one such object. By default the board has 5 rows of 4 cells, and the
// escape point is (3,1). The first block must come there. The error is a *cells.SyntaxError.
func ParseJSON(text string) (*tray.Puzzle, error) {
	level := jsonLevel{BoardSize: []int{5, 4}, EscapePoint: []int{3, 1}}
	var all []json.RawMessage
	err := json.Unmarshal([]byte(text), &all)
	if err == nil && len(all) == 1 {
		err = json.Unmarshal(all[0], &level)
	} else if strings.TrimSpace(text)[0] == '{' {
		err = json.Unmarshal([]byte(text), &level)
	}
	switch {
	case err != nil:
		return nil, first.Errorf(0, "no level in JSON: %v", err)
	case len(all) > 1:
		return nil, first.Errorf(0, "found %d levels: expected one, an object with blocks, boardSize and escapePoint", len(all))
	case len(level.Blocks) == 0:
		return nil, first.Errorf(0, "the level has no blocks: expected some, such as {\"shape\": [2, 2], \"position\": [0, 1]}")
	case len(level.Blocks) > len(tray.PieceNames):
		return nil, first.Errorf(0, "the level has %d blocks, expected at most %d", len(level.Blocks), len(tray.PieceNames))
	}
	return level.puzzle(func(block int) boardtext.Span { return blockAt(text, block) })
}

// puzzle returns the puzzle of a level. At says where a block is in its text.
func (level *jsonLevel) puzzle(at func(block int) boardtext.Span) (*tray.Puzzle, error) {
	rows, cols, ok := pair(level.BoardSize)
	if !ok || rows < 1 || cols < 1 || rows*cols > tray.MaxCells {
		return nil, first.Errorf(0, "boardSize is %v: expected the number of rows and that of columns, with at most %d cells", level.BoardSize, tray.MaxCells)
	}
	start, goal := newGrid(rows, cols), newGrid(rows, cols)
	var lines strings.Builder
	for i, b := range level.Blocks {
		name := tray.PieceNames[i]
		axis, known := jsonAxes[fmt.Sprint(slices.Sorted(slices.Values(b.Directions)))]
		err := b.put(start, b.Position, name)
		if err == nil && !known {
			err = fmt.Errorf("its directions are %v: expected [0, 2] (down and up) or [1, 3] (right and left)", b.Directions)
		}
		if err != nil {
			return nil, at(i).Errorf(0, "blocks[%d]: %v", i, err)
		}
		if axis != "" {
			fmt.Fprintf(&lines, "%s: %c\n", axis, name)
		}
	}
	if err := level.Blocks[0].put(goal, level.EscapePoint, tray.PieceNames[0]); err != nil {
		return nil, first.Errorf(0, "escapePoint: blocks[0] does not fit there: %v", err)
	}
	title := ""
	if level.Name != "" {
		title = "title: " + strings.Join(strings.Fields(level.Name), " ") + "\n"
	}
	return tray.Parse(title + "tray:\n" + start.String() + lines.String() + "goal:\n" + goal.String())
}

// pair returns a row and a column.
func pair(n []int) (row, col int, ok bool) {
	if len(n) != 2 || min(n[0], n[1]) < 0 || max(n[0], n[1]) > tray.MaxSide {
		return 0, 0, false
	}
	return n[0], n[1], true
}

// put draws a block at a place.
func (b *jsonBlock) put(g grid, at []int, name byte) error {
	rows, cols, ok := pair(b.Shape)
	top, left, placed := pair(at)
	if !ok || !placed || rows == 0 || cols == 0 {
		return errors.New("expected a shape of rows and columns, and the row and the column of its place, such as {\"shape\": [2, 1], \"position\": [0, 3]}")
	}
	to, ok := g.put(rectangle(tray.Cell{Row: top, Col: left}, rows, cols), name)
	switch {
	case ok:
		return nil
	case to.Row >= len(g) || to.Col >= len(g[0]):
		return fmt.Errorf("it needs row %d, column %d (counted from 0), and boardSize is [%d, %d]: rows, then columns", to.Row, to.Col, len(g), len(g[0]))
	}
	return fmt.Errorf("another block is in row %d, column %d (counted from 0)", to.Row, to.Col)
}

// blockAt returns where a block is in a text, or where the text begins if it is not found.
func blockAt(text string, block int) boardtext.Span {
	for _, l := range boardtext.Lines(text) {
		for _, at := range jsonShape().FindAllStringIndex(l.Text, -1) {
			if block--; block < 0 {
				return l.From(at[0])
			}
		}
	}
	return first
}
