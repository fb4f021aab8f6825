// Package boardtext reads texts that draw boards: rows of characters, one for each place of a board. It knows
// where each part of a text stands, so that an error says it. What the characters mean is left to the puzzles.
package boardtext

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"pagoda/statespace/cells"
)

// A Span is a part of a line of text.
type Span struct {
	Line, Col int // where it begins, from 1
	Text      string
}

// Lines returns the lines of a text without their ends, and without a byte order mark.
func Lines(text string) (lines []Span) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	lines = make([]Span, 0, strings.Count(text, "\n")+1)
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, Span{len(lines) + 1, 1, line})
	}
	return lines
}

// EachLine yields each line of what it reads, as Lines returns them. Of a line that is longer than the buffer it yields
// the beginning, with bufio.ErrBufferFull. Any other error is the last that it yields.
func EachLine(r *bufio.Reader) iter.Seq2[Span, error] {
	return func(yield func(Span, error) bool) {
		for line, end := 1, error(nil); end == nil; line++ {
			text, err := r.ReadSlice('\n')
			own := strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
			if line == 1 {
				own = strings.TrimPrefix(own, "\ufeff")
			}
			for end = err; end == bufio.ErrBufferFull; {
				_, end = r.ReadSlice('\n')
			}
			if end != nil && end != io.EOF {
				yield(Span{}, end)
				return
			}
			if err == io.EOF {
				err = nil
			}
			if !yield(Span{line, 1, own}, err) {
				return
			}
		}
	}
}

// Errorf returns a *cells.SyntaxError at a byte of the span.
func (s Span) Errorf(offset int, format string, args ...any) error {
	at := s.From(offset)
	return &cells.SyntaxError{Line: at.Line, Col: at.Col, Reason: fmt.Sprintf(format, args...)}
}

// From returns the span from a byte on.
func (s Span) From(offset int) Span {
	return Span{s.Line, s.Col + utf8.RuneCountInString(s.Text[:offset]), s.Text[offset:]}
}

// Trim returns the span without the white space around it.
func (s Span) Trim() Span {
	s = s.From(len(s.Text) - len(strings.TrimLeftFunc(s.Text, unicode.IsSpace)))
	s.Text = strings.TrimRightFunc(s.Text, unicode.IsSpace)
	return s
}

// Words returns what stands between white space.
func (s Span) Words() (words []Span) {
	for s = s.Trim(); s.Text != ""; {
		end := strings.IndexFunc(s.Text, unicode.IsSpace)
		if end < 0 {
			end = len(s.Text)
		}
		words = append(words, Span{s.Line, s.Col, s.Text[:end]})
		s = s.From(end).Trim()
	}
	return words
}

// Rows returns the rows of a drawing between slashes, at least one.
func (s Span) Rows() []Span { return s.Cut("/") }

// Cut cuts the span at each of some ASCII characters. There is at least one part, and parts may be empty.
func (s Span) Cut(at string) (parts []Span) {
	for {
		end := strings.IndexAny(s.Text, at)
		if end < 0 {
			return append(parts, s)
		}
		parts = append(parts, Span{s.Line, s.Col, s.Text[:end]})
		s = s.From(end + 1)
	}
}

// Spaced reports whether spaces stand between all cells of the rows, at least three times: no two cells of a row touch.
// Such a text may mean a board without the spaces. It returns the first cell behind a space. A # is neither a cell nor
// a space.
func Spaced(rows []Span) (first Place, spaced bool) {
	before, times := Place{Char: '#'}, 0
	for at := range Places(rows) {
		if at.Char == ' ' || at.Char == '\r' {
			continue
		}
		if at.Row == before.Row && at.Char != '#' && before.Char != '#' {
			if at.Col == before.Col+1 {
				return Place{}, false
			}
			if times++; times == 1 {
				first = at
			}
		}
		before = at
	}
	return first, times >= 3
}

// A Place is a place of a drawing: its row and column in it, from 0, and the character there.
type Place struct {
	cells.Cell
	Char rune
	span Span // from the character on
}

// Line returns the line of the place, from 1.
func (p Place) Line() int { return p.span.Line }

// Errorf returns a *cells.SyntaxError at the place.
func (p Place) Errorf(format string, args ...any) error { return p.span.Errorf(0, format, args...) }

// Places yields the places of a drawing, row by row.
func Places(rows []Span) iter.Seq[Place] {
	return func(yield func(Place) bool) {
		for r, row := range rows {
			col := 0
			for offset, ch := range row.Text {
				if !yield(Place{cells.Cell{Row: r, Col: col}, ch, Span{row.Line, row.Col + col, row.Text[offset:]}}) {
					return
				}
				col++
			}
		}
	}
}
