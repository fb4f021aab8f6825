package contest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pagoda/internal/amount"
	"pagoda/internal/boardtext"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
)

// A reader reads a text line by line.
type reader struct {
	lines []boardtext.Span
	next  boardtext.Span // where the next line begins
}

// newReader returns a reader of some lines, without the blank ones at the end.
func newReader(lines []boardtext.Span, first int) *reader {
	for len(lines) > 0 && lines[len(lines)-1].Trim().Text == "" {
		lines = lines[:len(lines)-1]
	}
	return &reader{lines: lines, next: boardtext.Span{Line: first, Col: 1}}
}

// line returns the words of the next line, and where the line ends. Expected says what should be
// there.
func (r *reader) line(expected string) (words []boardtext.Span, end boardtext.Span, err error) {
	if len(r.lines) == 0 {
		return nil, end, r.next.Errorf(0, "the text ends: expected %s", expected)
	}
	line := r.lines[0]
	r.lines = r.lines[1:]
	r.next.Line++
	return line.Words(), line.From(len(strings.TrimRightFunc(line.Text, unicode.IsSpace))), nil
}

// exactly returns the words of the next line, which must be n.
func (r *reader) exactly(n int, expected string) ([]boardtext.Span, error) {
	words, end, err := r.line(expected)
	switch {
	case err != nil:
		return nil, err
	case len(words) > n:
		return nil, words[n].Errorf(0, "unexpected %.40q: expected %s, found %s", words[n].Text, expected, amount.Of(len(words), "word"))
	case len(words) < n && len(words) > 0 && words[0].Text == "-":
		return nil, words[0].Errorf(0, "unexpected %q: expected %s", "-", expected)
	case len(words) < n:
		return nil, end.Errorf(0, "the line ends: expected %s, found %s", expected, amount.Of(len(words), "word"))
	}
	return words, nil
}

// number reads a whole number up to a bound.
func number(w boardtext.Span, least, most int, expected string) (int, error) {
	n, err := strconv.ParseUint(w.Text, 10, 31)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, w.Errorf(0, "unexpected %.40q: expected %s", w.Text, expected)
	}
	if err != nil || int(n) < least || int(n) > most {
		return 0, w.Errorf(0, "unexpected %.40q: expected %s; numbers here are from %d to %d", w.Text, expected, least, most)
	}
	return int(n), nil
}

// numbers reads a line of n whole numbers up to a bound.
func (r *reader) numbers(n, least, most int, expected string) ([]int, error) {
	words, err := r.exactly(n, expected)
	if err != nil {
		return nil, err
	}
	var all []int
	for _, w := range words {
		i, err := number(w, least, most, expected)
		if err != nil {
			return nil, err
		}
		all = append(all, i)
	}
	return all, nil
}

// separator reads a line with a single -.
func (r *reader) separator(behind, before string) error {
	expected := fmt.Sprintf("a line with a single - between %s and %s", behind, before)
	words, end, err := r.line(expected)
	if err != nil {
		return err
	}
	if len(words) != 1 || words[0].Text != "-" {
		first := append(words, end)[0]
		return first.Errorf(0, "unexpected %.40q: expected %s", first.Text, expected)
	}
	return nil
}

// end checks that there are no more lines.
func (r *reader) end(behind string) error {
	if len(r.lines) == 0 {
		return nil
	}
	words, end, err := r.line("nothing")
	if err != nil {
		return err
	}
	first := append(words, end)[0]
	return first.Errorf(0, "unexpected %.40q: expected the end of the text behind %s", first.Text, behind)
}

// grid reads a width, a height and rows of 0 and 1. It reports where 1 is.
func (r *reader) grid(what string) ([][]bool, error) {
	size, err := r.numbers(2, 1, MaxSide, "width and height of "+what)
	if err != nil {
		return nil, err
	}
	rows := make([][]bool, size[1])
	for i := range rows {
		expected := fmt.Sprintf("row %d of %d of %s: %s, 0 or 1", i+1, size[1], what, amount.Of(size[0], "number"))
		row, err := r.numbers(size[0], 0, 1, expected)
		if err != nil {
			return nil, err
		}
		for _, n := range row {
			rows[i] = append(rows[i], n == 1)
		}
	}
	return rows, nil
}

// shape reads a shape.
func (r *reader) shape(what string) (Shape, error) {
	first := r.next
	rows, err := r.grid(what)
	if err != nil {
		return nil, err
	}
	var cells []tray.Cell
	for row := range rows {
		for col, is := range rows[row] {
			if is {
				cells = append(cells, tray.Cell{Row: row, Col: col})
			}
		}
	}
	if len(cells) == 0 {
		return nil, first.Errorf(0, "%s is empty: expected a 1 for each of its cells", what)
	}
	return NewShape(cells), nil
}

// ParseProblem reads the input of a designer. The error is a *statespace.SyntaxError.
func ParseProblem(text string) (*Problem, error) {
	if len(text) > MaxText {
		return nil, boardtext.Span{Line: 1, Col: 1}.Errorf(0, "an input has at most %d bytes", MaxText)
	}
	r := newReader(boardtext.Lines(text), 1)
	p := new(Problem)
	var err error
	if p.Box, err = r.grid("the box"); err != nil {
		return nil, err
	}
	for _, row := range p.Box { // read with 1 as true, and that is a wall
		for c := range row {
			row[c] = !row[c]
		}
	}
	if err := r.separator("the box", "the free pieces"); err != nil {
		return nil, err
	}
	if err := r.free(p); err != nil {
		return nil, err
	}
	if err := r.separator("the free pieces", "the goal piece"); err != nil {
		return nil, err
	}
	first := r.next
	if p.Goal, err = r.shape("the goal piece"); err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(p.Free, func(f Shape) bool { return slices.Equal(f, p.Goal) }); i >= 0 {
		return nil, first.Errorf(0, "the goal piece has the shape of free piece %d (counted from 0): expected another shape", i)
	}
	if err := r.separator("the goal piece", "the goal position"); err != nil {
		return nil, err
	}
	at, err := r.numbers(2, 0, maxPosition, "the goal position: x and y")
	if err != nil {
		return nil, err
	}
	p.X, p.Y = at[0], at[1]
	return p, r.end("the goal position")
}

// maxPosition bounds positions. Larger ones are outside of every box.
const maxPosition = 1 << 20

// free reads the free shapes.
func (r *reader) free(p *Problem) error {
	n, err := r.numbers(1, 0, maxFree, "the number of free pieces")
	if err != nil {
		return err
	}
	for i := range n[0] {
		s, err := r.shape(fmt.Sprintf("free piece %d of %d", i+1, n[0]))
		if err != nil {
			return err
		}
		p.Free = append(p.Free, s)
	}
	return nil
}

// ErrNoSolution is the error of an output without a puzzle.
var ErrNoSolution = errors.New("the output has no solution: expected a line " + beginSolution + ", and after it a line " + endSolution)

// ParseOutput reads the output of a designer: the last puzzle that stands between a line BEGIN
// SOLUTION and a line END SOLUTION. If there is none, the error is ErrNoSolution. Other errors are a
// *statespace.SyntaxError, with the line of the whole text. ParseOutput reads what is written, and
// does not compare it with a problem.
func ParseOutput(text string) (*Puzzle, error) {
	lines := boardtext.Lines(text)
	begin, from, to := -1, -1, -1
	for i, line := range lines {
		switch line.Trim().Text {
		case beginSolution:
			begin = i
		case endSolution:
			if begin >= 0 {
				from, to, begin = begin+1, i, -1
			}
		}
	}
	if from < 0 {
		return nil, ErrNoSolution
	}
	return newReader(lines[from:to], from+1).puzzle()
}

// puzzle reads a puzzle and its solution.
func (r *reader) puzzle() (*Puzzle, error) {
	z := new(Puzzle)
	const expected = "a piece: its shape, x and y"
	for len(r.lines) == 0 || r.lines[0].Trim().Text != "-" {
		line := r.next.Line
		n, err := r.numbers(3, 0, maxPosition, expected)
		if err != nil {
			return nil, err
		}
		z.Pieces = append(z.Pieces, Piece{n[0], n[1], n[2], line})
	}
	if err := r.separator("the pieces", "the length"); err != nil {
		return nil, err
	}
	z.lengthLine = r.next.Line
	length, err := r.numbers(1, 0, maxLength, "the number of moves")
	if err != nil {
		return nil, err
	}
	z.Length = length[0]
	if err := r.separator("the length", "the moves"); err != nil {
		return nil, err
	}
	for len(r.lines) > 0 {
		m, err := r.move()
		if err != nil {
			return nil, err
		}
		z.Moves = append(z.Moves, m)
	}
	return z, nil
}

// maxLength is the greatest length that can be claimed.
const maxLength = 1<<31 - 1

// move reads a move.
func (r *reader) move() (Move, error) {
	const expected = "a move: a piece and a path of up, left, right and down"
	words, end, err := r.line(expected)
	if err != nil {
		return Move{}, err
	}
	if len(words) < 2 {
		return Move{}, end.Errorf(0, "the line ends: expected %s", expected)
	}
	m := Move{line: end.Line}
	if m.Piece, err = number(words[0], 0, maxPosition, expected); err != nil {
		return Move{}, err
	}
	for _, w := range words[1:] {
		d := slices.Index(directionWords[:], w.Text)
		if d < 0 {
			return Move{}, w.Errorf(0, "unexpected %.40q: expected up, left, right or down", w.Text)
		}
		m.Path = append(m.Path, tray.Direction(d))
	}
	return m, nil
}
