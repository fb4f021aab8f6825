package weighted

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pagoda/puzzle/peg/board"
	"pagoda/statespace/boardtext"
)

// formatJump writes a jump as the contest does: from-row from-column to-row to-column, from 1.
func formatJump(from, to board.Cell) string {
	return fmt.Sprintf("%d %d %d %d", from.Row+1, from.Col+1, to.Row+1, to.Col+1)
}

// FormatJumps writes a game, a jump on each line, as ParseJumps reads it. The jumps must be
// jumps of the board.
func FormatJumps(shape *board.Shape, jumps []board.Jump) string {
	var text strings.Builder
	for _, row := range Rows(shape, jumps) {
		fmt.Fprintln(&text, row[0], row[1], row[2], row[3])
	}
	return text.String()
}

// Rows returns a game as the rows of its matrix: from-row, from-column, to-row, to-column, all
// counted from 1. It is the JSON form of a game that ParseJumps reads, too.
func Rows(shape *board.Shape, jumps []board.Jump) [][4]int {
	rows := make([][4]int, len(jumps))
	for i, j := range jumps {
		from, to := shape.Cells()[j.From], shape.Cells()[j.To]
		rows[i] = [4]int{from.Row + 1, from.Col + 1, to.Row + 1, to.Col + 1}
	}
	return rows
}

// aboutRow is what a jump in the text of a game must be.
const aboutRow = "from-row from-column to-row to-column, counted from 1"

// ParseJumps reads a game. Each jump is four numbers, from-row from-column to-row to-column,
// counted from 1; it ends at the end of a line or at a semicolon. Commas between the numbers and
// square brackets around the jumps are allowed, and comments from % or # to the end of the line.
//
// A text that begins with { is JSON; its field "jumps" is a list of such fours, and other
// fields do not matter.
//
// What cannot be read is a *cells.SyntaxError. A jump that is not one of the board is a
// *JumpError. Whether a peg can make the jump is not known before Play.
func ParseJumps(shape *board.Shape, text string) ([]board.Jump, error) {
	text = strings.TrimPrefix(text, "\ufeff") // a byte order mark
	var rows [][4]int
	var err error
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		rows, err = readJSONRows(text)
	} else {
		rows, err = readRows(text)
	}
	if err != nil {
		return nil, err
	}
	jumps := make([]board.Jump, len(rows))
	for i, r := range rows {
		if jumps[i], err = jumpOf(shape, r); err != nil {
			return nil, &JumpError{i + 1, fmt.Sprintf("%d %d %d %d", r[0], r[1], r[2], r[3]), err.Error()}
		}
	}
	return jumps, nil
}

// jumpOf returns the jump of a row.
func jumpOf(shape *board.Shape, row [4]int) (j board.Jump, err error) {
	from, to := board.Cell{Row: row[0] - 1, Col: row[1] - 1}, board.Cell{Row: row[2] - 1, Col: row[3] - 1}
	middle, inLine := shape.Lattice().Middle(from, to)
	for _, p := range []struct {
		cell   board.Cell
		number *int
	}{{from, &j.From}, {to, &j.To}, {middle, &j.Over}} {
		if p.number == &j.Over && !inLine {
			return j, fmt.Errorf("%s", notInLine(shape.Lattice()))
		}
		n, ok := shape.Number(p.cell)
		if !ok {
			return j, fmt.Errorf("the board has no cell in %s", place(p.cell))
		}
		*p.number = n
	}
	return j, nil
}

// readRows reads the text form of a game.
func readRows(text string) (rows [][4]int, err error) {
	for _, line := range boardtext.Lines(text) {
		line.Text, _, _ = strings.Cut(line.Text, "%")
		line.Text, _, _ = strings.Cut(line.Text, "#")
		for _, part := range line.Cut(";") {
			jump := fields(part, " \t\r,[]")
			if len(jump) == 0 {
				continue
			}
			if len(jump) != 4 {
				return nil, jump[0].Errorf(0, "expected 4 numbers for a jump, %s, found %d", aboutRow, len(jump))
			}
			var row [4]int
			for k, f := range jump {
				n, err := strconv.ParseInt(f.Text, 10, 32)
				if err != nil {
					return nil, f.Errorf(0, "expected a number, found %.40q", f.Text)
				}
				row[k] = int(n)
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// fields returns what stands between some characters in a part of a line.
func fields(s boardtext.Span, between string) []boardtext.Span {
	return slices.DeleteFunc(s.Cut(between), func(part boardtext.Span) bool { return part.Text == "" })
}

// readJSONRows reads the JSON form of a game.
func readJSONRows(text string) ([][4]int, error) {
	var object struct {
		Jumps *[][]int `json:"jumps"`
	}
	fault := func(offset int64, reason string) error {
		before := boardtext.Lines(text[:min(max(0, int(offset)-1), len(text))])
		last := before[len(before)-1]
		return last.Errorf(len(last.Text), "%s", reason)
	}
	err := json.Unmarshal([]byte(text), &object)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return nil, fault(syntax.Offset, "JSON: "+syntax.Error())
	case errors.As(err, &kind):
		return nil, fault(kind.Offset, fmt.Sprintf("JSON: expected lists of 4 whole numbers in the field jumps, found %s", kind.Value))
	case err != nil:
		return nil, fault(1, err.Error())
	case object.Jumps == nil:
		return nil, fault(1, `JSON: expected a field "jumps", a list of jumps such as [2,4,4,4]`)
	}
	rows := make([][4]int, len(*object.Jumps))
	for i, r := range *object.Jumps {
		if len(r) != 4 {
			return nil, fault(1, fmt.Sprintf("JSON: jump %d: expected 4 numbers, %s, found %d", i+1, aboutRow, len(r)))
		}
		rows[i] = [4]int(r)
	}
	return rows, nil
}
