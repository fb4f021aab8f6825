package weighted

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pagoda/internal/amount"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace/boardtext"
	"pagoda/statespace/cells"
)

// A matrix is a text in rows of fields.
type matrix []matrixRow

type matrixRow struct {
	fields []boardtext.Span
	end    boardtext.Span // of the line
}

// readMatrix reads rows of fields. A row is a line; between two fields is a comma, a semicolon, a
// tab, or spaces. With nothing between two commas the field is empty. In a text with square
// brackets a semicolon ends a row, as in MATLAB. A % begins a comment, and empty lines do not
// count.
func readMatrix(text string) (m matrix) {
	matlab := strings.Contains(text, "[")
	for _, line := range boardtext.Lines(text) {
		line.Text, _, _ = strings.Cut(strings.TrimRight(line.Text, "\r"), "%")
		end := line.From(len(line.Text))
		if matlab {
			for _, part := range line.Cut(";") {
				if row := fields(part, " \t,[]"); len(row) > 0 {
					m = append(m, matrixRow{row, end})
				}
			}
			continue
		}
		if strings.TrimSpace(line.Text) == "" {
			continue
		}
		row := matrixRow{end: end}
		for _, part := range line.Cut(",;\t") {
			words := fields(part, " ")
			if len(words) == 0 {
				words = []boardtext.Span{part.From(len(part.Text))}
			}
			row.fields = append(row.fields, words...)
		}
		m = append(m, row)
	}
	return m
}

// check returns an error unless the matrix has the rows and columns of a board. A row may end after its last cell. The
// text that it is read from has a number of lines.
func (m matrix) check(shape *board.Shape, lines int) error {
	rows, cols := shape.Rows(), shape.Cols()
	at := boardtext.Span{Line: lines, Col: 1} // where rows are too many or missing
	switch {
	case len(m) > rows:
		at = m[rows].at(0)
	case len(m) > 0:
		at = m[len(m)-1].end
	}
	if len(m) != rows {
		return at.Errorf(0, "expected %s of weights, one for each row of the board, found %d", amount.Of(rows, "row"), len(m))
	}
	for r, row := range m {
		_, missing := shape.Number(board.Cell{Row: r, Col: len(row.fields)})
		for c := len(row.fields) + 1; c < cols && !missing; c++ {
			_, missing = shape.Number(board.Cell{Row: r, Col: c})
		}
		if missing || len(row.fields) > cols {
			return row.at(cols).Errorf(0, "expected %s, found %d", amount.Of(cols, "column"), len(row.fields))
		}
	}
	return nil
}

// at returns where a column of a row is, or its end if the row is too short.
func (r matrixRow) at(col int) boardtext.Span {
	if col < len(r.fields) {
		return r.fields[col]
	}
	return r.end
}

// weight reads a weight.
func weight(f boardtext.Span) (int64, error) {
	w, err := strconv.ParseInt(f.Text, 10, 64)
	if isRange(err) || w < -MaxWeight || w > MaxWeight {
		return 0, f.Errorf(0, "%v", errWeight(fmt.Sprintf("%.40s", f.Text)))
	}
	if err != nil {
		return 0, f.Errorf(0, "expected a whole number, found %s", found(f.Text))
	}
	return w, nil
}

// found quotes a field.
func found(text string) string {
	if text == "" {
		return "nothing"
	}
	return fmt.Sprintf("%.40q", text)
}

// ParseWeights reads the weights of a board's cells: a matrix with as many rows and columns as
// the board; a row may end after its last cell. Between two columns is a comma, a semicolon, a tab, or
// spaces; a matrix in square brackets is read as MATLAB does. A place off the board has any number,
// nothing between commas, or #. Errors are *cells.SyntaxError.
func ParseWeights(shape *board.Shape, text string) ([]int64, error) {
	m := readMatrix(text)
	if err := m.check(shape, strings.Count(text, "\n")+1); err != nil {
		return nil, err
	}
	weights := make([]int64, len(shape.Cells()))
	for r, row := range m {
		for c, f := range row.fields {
			cell, ok := shape.Number(board.Cell{Row: r, Col: c})
			if !ok {
				if _, err := strconv.ParseFloat(f.Text, 64); err != nil && !isRange(err) && f.Text != "" && f.Text != "#" {
					return nil, f.Errorf(0, "expected a number or # for a place off the board, found %s", found(f.Text))
				}
				continue
			}
			var err error
			if weights[cell], err = weight(f); err != nil {
				return nil, err
			}
		}
	}
	return weights, nil
}

// isRange reports whether a number is a number, and too large.
func isRange(err error) bool { return errors.Is(err, strconv.ErrRange) }

// ParseContest reads a game in the form of the contest: a matrix, in the forms that ParseWeights
// reads, with -1 for a place off the board, 0 for a hole, and the weight of a peg. Any negative
// number is read as -1. Errors are *cells.SyntaxError.
func ParseContest(text string) (*Game, error) {
	m := readMatrix(text)
	if len(m) > board.MaxSide {
		return nil, m[board.MaxSide].at(0).Errorf(0, aboutSide, board.MaxSide)
	}
	g := &Game{}
	var all []board.Cell
	for r, row := range m {
		if len(row.fields) > board.MaxSide {
			return nil, row.at(board.MaxSide).Errorf(0, aboutSide, board.MaxSide)
		}
		if n := len(m[0].fields); len(row.fields) != n {
			return nil, row.at(n).Errorf(0, "expected %s, as in the first row, found %d", amount.Of(n, "column"), len(row.fields))
		}
		for c, f := range row.fields {
			w, err := weight(f)
			if err != nil {
				return nil, err
			}
			if w >= 0 {
				all = append(all, board.Cell{Row: r, Col: c})
				g.Pegs, g.Weights = append(g.Pegs, w > 0), append(g.Weights, w)
			}
		}
	}
	if len(all) == 0 {
		return nil, &cells.SyntaxError{Line: 1, Col: 1, Reason: "no cells: expected a matrix with 0 for a hole and the weights of pegs"}
	}
	var err error
	g.Shape, err = board.NewShape(board.Square, all)
	return g, err
}

const aboutSide = "a board has at most %d rows and columns"

// WeightsLine begins the line between the drawing of a board and its weights.
const WeightsLine = "weights:"

// MagicName is the name of the weights that MagicWeights returns.
const MagicName = "magic"

// ParseGame reads a game in one of two forms:
//
//   - the drawing of a board, as board.ParseShape reads it, then the line "weights:" and a
//     matrix, as ParseWeights reads it, or the line "weights: magic" and no matrix;
//   - the matrix of the contest, as ParseContest reads it.
//
// A drawing alone is a game without weights: Weights is nil. Errors are *cells.SyntaxError.
func ParseGame(text string) (*Game, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	if isMatrix(text) {
		return ParseContest(text)
	}
	lines := strings.SplitAfter(text, "\n")
	at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, WeightsLine) })
	if at < 0 {
		at = len(lines)
	}
	g := &Game{}
	var err error
	if g.Shape, g.Pegs, err = board.ParseShape(strings.Join(lines[:at], "")); err != nil || at == len(lines) {
		return g, err
	}
	rest := strings.Repeat("\n", at+1) + strings.Join(lines[at+1:], "") // errors count the lines of the text
	switch name := strings.TrimSpace(lines[at][len(WeightsLine):]); name {
	case "":
		g.Weights, err = ParseWeights(g.Shape, rest)
	case MagicName:
		if m := readMatrix(rest); len(m) > 0 {
			return nil, m[0].at(0).Errorf(0, "expected the end after %q, found %s", WeightsLine+" "+MagicName, found(m[0].at(0).Text))
		}
		g.Weights = MagicWeights(g.Shape)
	default:
		err = &cells.SyntaxError{Line: at + 1, Col: len(WeightsLine) + 1,
			Reason: fmt.Sprintf("unknown weights %s: expected magic, or a matrix in the lines below", found(name))}
	}
	if err != nil {
		return nil, err
	}
	return g, nil
}

// isMatrix reports whether a text begins with a number, perhaps in a bracket.
func isMatrix(text string) bool {
	m := readMatrix(text)
	if len(m) == 0 {
		return false
	}
	first := m[0].at(0).Text
	return first != "" && strings.Contains("+-0123456789", first[:1])
}

// Format writes a game as ParseGame reads it. Rows and columns without cells around the board
// are left out.
func (g *Game) Format() string {
	shape := withoutMargins(g.Shape)
	rows := Fields(shape, func(cell int) string {
		if g.Pegs[cell] {
			return strconv.FormatInt(g.Weights[cell], 10)
		}
		return "0"
	})
	return shape.Drawing(g.Pegs) + WeightsLine + "\n" + strings.Join(rows, "\n") + "\n"
}

// Fields writes the cells of a board in rows, with spaces between them, and # for a place off the board.
func Fields(shape *board.Shape, write func(cell int) string) []string {
	rows := make([]string, shape.Rows())
	for r := range rows {
		fields := make([]string, shape.Cols())
		for c := range fields {
			fields[c] = "#"
			if cell, ok := shape.Number(board.Cell{Row: r, Col: c}); ok {
				fields[c] = write(cell)
			}
		}
		rows[r] = strings.Join(fields, " ")
	}
	return rows
}

// Summary says in words what the game is: "a board of pegs of 7 rows and 7 columns, 33 cells, 32 pegs, with weights".
func (g *Game) Summary() string {
	pegs := 0
	for _, peg := range g.Pegs {
		if peg {
			pegs++
		}
	}
	s := g.Shape.Summary(pegs)
	if g.Weights != nil {
		s += ", with weights"
	}
	return s
}

// withoutMargins moves a board to row 0 and column 0. The numbers of the cells stay.
func withoutMargins(shape *board.Shape) *board.Shape {
	corner := cells.Corner(shape.Cells())
	moved, err := board.NewShape(shape.Lattice(), cells.Shift(shape.Cells(), board.Cell{Row: -corner.Row, Col: -corner.Col}))
	if err != nil {
		panic(err) // the cells are those of a shape
	}
	return moved
}
