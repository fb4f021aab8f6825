package contest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pagoda/internal/amount"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/boardtext"
)

// A reader reads a text line by line. After an error there are no more lines, and the error stays.
type reader struct {
	lines []boardtext.Span
	next  boardtext.Span // where the next line begins
	err   error
}

// newReader returns a reader of some lines, without the blank ones at the end.
func newReader(lines []boardtext.Span, first int) *reader {
	for len(lines) > 0 && lines[len(lines)-1].Trim().Text == "" {
		lines = lines[:len(lines)-1]
	}
	return &reader{lines: lines, next: boardtext.Span{Line: first, Col: 1}}
}

// wrong sets the error, at a part of the text.
func (r *reader) wrong(at boardtext.Span, format string, args ...any) {
	if r.err == nil {
		r.err, r.lines = at.Errorf(0, format, args...), nil
	}
}

// line returns the words of the next line, and where the line ends. Expected says what should be
// there.
func (r *reader) line(expected string) (words []boardtext.Span, end boardtext.Span) {
	if len(r.lines) == 0 {
		r.wrong(r.next, "the text ends: expected %s", expected)
		return nil, r.next
	}
	line := r.lines[0]
	r.lines = r.lines[1:]
	r.next.Line++
	return line.Words(), line.From(len(strings.TrimRightFunc(line.Text, unicode.IsSpace)))
}

// number reads a whole number up to a bound.
func (r *reader) number(w boardtext.Span, least, most int, expected string) int {
	n, err := strconv.ParseUint(w.Text, 10, 31)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		r.wrong(w, "unexpected %.40q: expected %s", w.Text, expected)
	} else if err != nil || int(n) < least || int(n) > most {
		r.wrong(w, "unexpected %.40q: expected %s; numbers here are from %d to %d", w.Text, expected, least, most)
	}
	return int(n)
}

// numbers reads a line of n whole numbers up to a bound. After an error they are 0.
func (r *reader) numbers(n, least, most int, expected string) []int {
	words, end := r.line(expected)
	switch {
	case len(words) > n:
		r.wrong(words[n], "unexpected %.40q: expected %s, found %s", words[n].Text, expected, amount.Of(len(words), "word"))
	case len(words) < n && len(words) > 0 && words[0].Text == "-":
		r.wrong(words[0], "unexpected %q: expected %s", "-", expected)
	case len(words) < n:
		r.wrong(end, "the line ends: expected %s, found %s", expected, amount.Of(len(words), "word"))
	}
	all := make([]int, n)
	for i := 0; i < n && r.err == nil; i++ {
		all[i] = r.number(words[i], least, most, expected)
	}
	return all
}

// separator reads a line with a single -.
func (r *reader) separator(behind, before string) {
	expected := fmt.Sprintf("a line with a single - between %s and %s", behind, before)
	if words, end := r.line(expected); len(words) != 1 || words[0].Text != "-" {
		first := append(words, end)[0]
		r.wrong(first, "unexpected %.40q: expected %s", first.Text, expected)
	}
}

// grid reads a width, a height and rows of 0 and 1. It reports where 1 is.
func (r *reader) grid(what string) [][]bool {
	size := r.numbers(2, 1, MaxSide, "width and height of "+what)
	var rows [][]bool
	for i := 0; i < size[1] && r.err == nil; i++ {
		row := make([]bool, size[0])
		expected := fmt.Sprintf("row %d of %d of %s: %s, 0 or 1", i+1, size[1], what, amount.Of(size[0], "number"))
		for col, n := range r.numbers(size[0], 0, 1, expected) {
			row[col] = n == 1
		}
		rows = append(rows, row)
	}
	return rows
}

// shape reads a shape.
func (r *reader) shape(what string) Shape {
	first := r.next
	var cells []tray.Cell
	for row, places := range r.grid(what) {
		for col, is := range places {
			if is {
				cells = append(cells, tray.Cell{Row: row, Col: col})
			}
		}
	}
	if len(cells) == 0 {
		r.wrong(first, "%s is empty: expected a 1 for each of its cells", what)
		return nil
	}
	return NewShape(cells)
}

// ParseProblem reads the input of a designer. The error is a *cells.SyntaxError.
func ParseProblem(text string) (*Problem, error) {
	if len(text) > MaxText {
		return nil, boardtext.Span{Line: 1, Col: 1}.Errorf(0, "an input has at most %d bytes", MaxText)
	}
	r := newReader(boardtext.Lines(text), 1)
	p := &Problem{Box: r.grid("the box")}
	for _, row := range p.Box { // read with 1 as true, and that is a wall
		for c := range row {
			row[c] = !row[c]
		}
	}
	r.separator("the box", "the free pieces")
	n := r.numbers(1, 0, maxFree, "the number of free pieces")[0]
	for i := 0; i < n && r.err == nil; i++ {
		p.Free = append(p.Free, r.shape(fmt.Sprintf("free piece %d of %d", i+1, n)))
	}
	r.separator("the free pieces", "the goal piece")
	first := r.next
	p.Goal = r.shape("the goal piece")
	if i := slices.IndexFunc(p.Free, func(f Shape) bool { return slices.Equal(f, p.Goal) }); i >= 0 {
		r.wrong(first, "the goal piece has the shape of free piece %d (counted from 0): expected another shape", i)
	}
	r.separator("the goal piece", "the goal position")
	at := r.numbers(2, 0, maxPosition, "the goal position: x and y")
	p.X, p.Y = at[0], at[1]
	if len(r.lines) > 0 {
		words, end := r.line("nothing")
		more := append(words, end)[0]
		r.wrong(more, "unexpected %.40q: expected the end of the text behind %s", more.Text, "the goal position")
	}
	if r.err != nil {
		return nil, r.err
	}
	return p, nil
}

// maxPosition bounds positions. Larger ones are outside of every box.
const maxPosition = 1 << 20

// ErrNoSolution is the error of an output without a puzzle.
var ErrNoSolution = errors.New("the output has no solution: expected a line " + beginSolution + ", and after it a line " + endSolution)

// ParseOutput reads the output of a designer: the last puzzle that stands between a line BEGIN
// SOLUTION and a line END SOLUTION. If there is none, the error is ErrNoSolution. Other errors are a
// *cells.SyntaxError, with the line of the whole text, or those of the reader. ParseOutput does not
// compare the puzzle with a problem. A puzzle has at most MaxText bytes, and the output any number.
func ParseOutput(from io.Reader) (*Puzzle, error) {
	var last, next []byte  // the last puzzle, and one that has no end yet, both cut after MaxText bytes and a line
	var lastAt, nextAt int // the line BEGIN SOLUTION of each, or 0
	for line, err := range boardtext.EachLine(bufio.NewReaderSize(from, MaxText)) {
		switch text := line.Trim().Text; {
		case err != nil && err != bufio.ErrBufferFull:
			return nil, err
		case text == beginSolution:
			next, nextAt = next[:0], line.Line
		case text == endSolution && nextAt > 0:
			last, next, lastAt, nextAt = next, last, nextAt, 0
		case nextAt > 0 && len(next) <= MaxText:
			next = append(append(next, line.Text...), '\n')
		}
	}
	if lastAt == 0 {
		return nil, ErrNoSolution
	}
	if len(last) > MaxText {
		return nil, boardtext.Span{Line: lastAt, Col: 1}.Errorf(0, "a solution has at most %d bytes", MaxText)
	}
	lines := boardtext.Lines(string(last))
	for i := range lines {
		lines[i].Line += lastAt
	}
	r := newReader(lines, lastAt+1)
	if z := r.puzzle(); r.err == nil {
		return z, nil
	}
	return nil, r.err
}

// Drawn returns the part of an output before its last puzzle and after the one before that, with the same line numbers.
// There reach design draws the puzzle as a text that tray.Parse reads. Drawn reports false if there is no puzzle.
func Drawn(output string) (drawn string, found bool) {
	lines := boardtext.Lines(output)
	begin, ended := -1, 0
	for i, line := range lines {
		switch text := line.Trim().Text; {
		case text == beginSolution:
			begin = i
		case text == endSolution && begin >= 0:
			var all strings.Builder
			all.WriteString(strings.Repeat("\n", ended))
			for _, line := range lines[ended:begin] {
				all.WriteString(line.Text + "\n")
			}
			drawn, found, begin, ended = all.String(), true, -1, i+1
		}
	}
	return drawn, found
}

// puzzle reads a puzzle and its solution.
func (r *reader) puzzle() *Puzzle {
	z := new(Puzzle)
	const expected = "a piece: its shape, x and y"
	for r.err == nil && (len(r.lines) == 0 || r.lines[0].Trim().Text != "-") {
		line := r.next.Line
		n := r.numbers(3, 0, maxPosition, expected)
		z.Pieces = append(z.Pieces, Piece{n[0], n[1], n[2], line})
	}
	r.separator("the pieces", "the length")
	z.lengthLine = r.next.Line
	z.Length = r.numbers(1, 0, maxLength, "the number of moves")[0]
	r.separator("the length", "the moves")
	for len(r.lines) > 0 {
		z.Moves = append(z.Moves, r.move())
	}
	return z
}

// maxLength is the greatest length that can be claimed.
const maxLength = 1<<31 - 1

// move reads a move.
func (r *reader) move() Move {
	const expected = "a move: a piece and a path of up, left, right and down"
	words, end := r.line(expected)
	if len(words) < 2 {
		r.wrong(end, "the line ends: expected %s", expected)
		return Move{}
	}
	m := Move{line: end.Line, Piece: r.number(words[0], 0, maxPosition, expected)}
	for _, w := range words[1:] {
		d := slices.Index(directionWords[:], w.Text)
		if d < 0 {
			r.wrong(w, "unexpected %.40q: expected up, left, right or down", w.Text)
		}
		m.Path = append(m.Path, tray.Direction(d))
	}
	return m
}
