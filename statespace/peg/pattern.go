package peg

import (
	"fmt"
	"strings"
)

// A SyntaxError tells where a text stops making sense.
type SyntaxError struct {
	Line, Col int // from 1; Line is 0 when the text has one line only
	Reason    string
}

func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("column %d: %s", e.Col, e.Reason)
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Col, e.Reason)
}

// state tells what a character of a pattern stands for.
func state(ch rune) (pegged, ok bool) {
	switch ch {
	case 'o', '1', '*':
		return true, true
	case '.', '0', '-':
		return false, true
	}
	return false, false
}

const alphabet = "pegs are o, 1 or *, holes ., 0 or -"

// ParsePosition reads a position of the board. A peg is o, 1 or *, a hole is ., 0
// or -. The cells come in row-major order: in rows that are separated by / or by
// line ends, or all in one piece. Spaces do not count. In a row, # may stand for
// a place off the board; then each place of the row takes one character, and
// those behind the last cell may be left out.
func (b *Board) ParsePosition(text string) (Position, error) {
	text = strings.Trim(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, ch := range []rune(text) {
		if _, ok := state(ch); !ok && !strings.ContainsRune(" #/\n", ch) {
			return 0, &SyntaxError{Col: i + 1, Reason: fmt.Sprintf("unexpected %q: %s", ch, alphabet)}
		}
	}
	rows := strings.Split(strings.ReplaceAll(text, "\n", "/"), "/")
	if len(rows) == 1 && b.rows > 1 {
		if i := strings.IndexByte(text, '#'); i >= 0 {
			return 0, &SyntaxError{Col: i + 1, Reason: "unexpected '#': it belongs into rows separated by /"}
		}
		pegs, n := readCells(text)
		if n != len(b.cells) {
			return 0, fmt.Errorf("the board has %d cells, the pattern has %d", len(b.cells), n)
		}
		return pegs, nil
	}
	if len(rows) != b.rows {
		return 0, fmt.Errorf("the board has %d rows, the pattern has %d", b.rows, len(rows))
	}
	var p Position
	first := 0 // cell of the row
	for r, row := range rows {
		inRow := 0
		for first+inRow < len(b.cells) && b.cells[first+inRow].Row == r {
			inRow++
		}
		pegs, n := readCells(row)
		if strings.Contains(row, "#") {
			row = strings.ReplaceAll(row, " ", "")
			for col, ch := range row + strings.Repeat("#", max(0, b.width[r]-len(row))) {
				_, onBoard := b.number[Cell{r, col}]
				if _, isCell := state(ch); isCell != onBoard {
					return 0, fmt.Errorf("row %d, column %d: the board has %s there, the pattern has %q",
						r, col, map[bool]string{true: "a cell", false: "no cell"}[onBoard], ch)
				}
			}
		} else if n != inRow {
			return 0, fmt.Errorf("row %d of the board has %d cells, in the pattern it has %d", r, inRow, n)
		}
		p |= pegs << first
		first += inRow
	}
	return p, nil
}

// readCells reads the cells of a text and passes over all else. It returns the
// pegs among the first 64, and the number of cells.
func readCells(text string) (pegs uint64, n int) {
	for _, ch := range text {
		if pegged, ok := state(ch); ok {
			if pegged && n < MaxCells {
				pegs |= 1 << n
			}
			n++
		}
	}
	return pegs, n
}

// FormatPosition writes a position in rows separated by /, with o for a peg, . for
// a hole and # for a place off the board that has a cell to its right.
func (b *Board) FormatPosition(p Position) string {
	var s strings.Builder
	row, col := 0, 0
	for i, c := range b.cells {
		for ; row < c.Row; row, col = row+1, 0 {
			s.WriteByte('/')
		}
		for ; col < c.Col; col++ {
			s.WriteByte('#')
		}
		s.WriteByte(".o"[p>>i&1])
		col++
	}
	return s.String()
}
