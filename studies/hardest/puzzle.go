package hardest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pagoda/puzzle/slide/tray"
)

// Names are the names of the pieces of puzzles, in the order of Start.Pieces: the goal piece is A.
const Names = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// ErrNames says that a puzzle has more pieces than there are names.
var ErrNames = fmt.Errorf("the text of a puzzle has names for %d pieces", len(Names))

// errStart says that a start is none of the problem.
var errStart = errors.New("the start is not of this problem")

// Puzzle returns the puzzle of a start, and a text that tray.Parse reads as it: a line if the board
// has one floor, several rows and no thin walls.
func (p *Problem) Puzzle(st Start) (*tray.Puzzle, string, error) {
	if len(st.Pieces) > len(Names) {
		return nil, "", fmt.Errorf("%w, and this has %d", ErrNames, len(st.Pieces))
	}
	g, err := newGrid(p.Board)
	if err != nil {
		return nil, "", err
	}
	if st.Goal < 0 || st.Goal >= len(p.Goals) || len(st.Pieces) == 0 {
		return nil, "", errStart
	}
	names := make(map[tray.Cell]byte)
	for i, piece := range st.Pieces {
		if _, ok := g.set(piece.Cells); !ok || piece.Axis >= tray.Axes {
			return nil, "", errStart
		}
		for _, c := range piece.Cells {
			if names[c] != 0 {
				return nil, "", errStart
			}
			names[c] = Names[i]
		}
	}
	goals := p.ends(g, &st)
	lines := st.lines(g)
	text := p.Board.FormatWith(names) + lines
	for _, end := range goals {
		text += p.Board.FormatGoal(end)
	}
	if g.Floors == 1 && g.Rows > 1 && len(g.Walls) == 0 && lines == "" {
		text = p.Board.Draw(names)
		for _, end := range goals {
			text += " " + p.Board.Draw(end)
		}
	}
	z, err := tray.Parse(text)
	return z, text, err
}

// ends returns the cells of the goal piece at its ends, without those of other rows if it moves along its row.
func (p *Problem) ends(g *grid, st *Start) (all []map[tray.Cell]byte) {
	goal, piece := &p.Goals[st.Goal], &st.Pieces[0]
	mask, _ := g.set(goal.Cells)
	for _, end := range g.translations(mask) {
		if end == 0 || !g.fits(end) || !slices.Contains(goal.Ends, g.lowest(end)) {
			continue
		}
		if piece.Axis == tray.Horizontal && g.lowest(end).Row != piece.Cells[0].Row {
			continue
		}
		cells := make(map[tray.Cell]byte)
		for _, c := range g.cellsOf(end) {
			cells[c] = Names[0]
		}
		all = append(all, cells)
	}
	return all
}

// lines returns the lines that say which pieces move along one axis, and which are in several parts.
func (st *Start) lines(g *grid) string {
	var byAxis [tray.Axes][]string
	var parts []string
	for i, piece := range st.Pieces {
		byAxis[piece.Axis] = append(byAxis[piece.Axis], Names[i:i+1])
		if mask, _ := g.set(piece.Cells); !g.inOnePart(mask) {
			parts = append(parts, Names[i:i+1])
		}
	}
	text := ""
	for axis := tray.Free + 1; axis < tray.Axes; axis++ {
		if len(byAxis[axis]) > 0 {
			text += fmt.Sprintf("%v: %s\n", axis, strings.Join(byAxis[axis], " "))
		}
	}
	if parts != nil {
		text += fmt.Sprintf("parts: %s\n", strings.Join(parts, " "))
	}
	return text
}
