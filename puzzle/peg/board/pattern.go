package board

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"pagoda/internal/amount"
	"pagoda/statespace/cells"
)

// A Pattern gives each cell a peg, a hole, or either.
type Pattern struct {
	Pegs Position
	Any  uint64 // the cells that may have a peg or not; Pegs has none there
}

// Matches reports whether a position agrees with the pattern.
func (p Pattern) Matches(q Position) bool { return (p.Pegs^q)&^p.Any == 0 }

// The characters of a pattern.
const (
	pegChars  = "o1*"
	holeChars = ".0-"
	cellChars = pegChars + holeChars + "?"
)

func isCell(ch rune) bool { return strings.ContainsRune(cellChars, ch) }

// ParsePosition reads a position of the board. A peg is o, 1 or *, a hole is ., 0
// or -. The cells come in row-major order: in rows separated by / or by line ends,
// or all in one piece. Spaces do not count. In a row, # may stand for a place off
// the board; then each place of the row takes one character, and those behind the
// last cell may be left out. A drawing that ParseBoard would read as the board is read
// as it is, with the margins that it may have. A wrong character is a *cells.SyntaxError.
func (b *Board) ParsePosition(text string) (Position, error) {
	if i := strings.IndexByte(text, '?'); i >= 0 {
		return 0, &cells.SyntaxError{Col: utf8.RuneCountInString(text[:i]) + 1,
			Reason: "unexpected '?': each cell of a position has a peg (o, 1 or *) or a hole (., 0 or -)"}
	}
	p, err := b.ParsePattern(text)
	return p.Pegs, err
}

// ParsePattern reads a pattern of the board as ParsePosition reads a position, with ?
// for a cell that may have a peg or not.
func (b *Board) ParsePattern(text string) (Pattern, error) {
	var none Pattern
	text = strings.Trim(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, ch := range []rune(text) {
		if !isCell(ch) && !strings.ContainsRune(" #/\n", ch) {
			return none, &cells.SyntaxError{Col: i + 1, Reason: fmt.Sprintf("unexpected %q: pegs are o, 1 or *, holes ., 0 or -", ch)}
		}
	}
	rows := strings.Split(strings.ReplaceAll(text, "\n", "/"), "/")
	if b.drawnAsText(rows) {
		p, _ := readCells(text)
		return p, nil
	}
	if len(rows) == 1 && b.rows > 1 {
		if i := strings.IndexByte(text, '#'); i >= 0 {
			return none, &cells.SyntaxError{Col: i + 1, Reason: "unexpected '#': it belongs into rows separated by /"}
		}
		p, n := readCells(text)
		if n != len(b.cells) {
			return none, fmt.Errorf("the board has %d cells, the pattern has %d", len(b.cells), n)
		}
		return p, nil
	}
	if len(rows) != b.rows {
		return none, fmt.Errorf("the board has %s, the pattern has %d", amount.Of(b.rows, "row"), len(rows))
	}
	var p Pattern
	first := 0 // the first cell of the row
	for r, row := range rows {
		inRow := 0
		for first+inRow < len(b.cells) && b.cells[first+inRow].Row == r {
			inRow++
		}
		cells, n := readCells(row)
		if strings.Contains(row, "#") {
			row = strings.ReplaceAll(row, " ", "")
			for col, ch := range row + strings.Repeat("#", max(0, b.width[r]-len(row))) {
				_, onBoard := b.number[Cell{Row: r, Col: col}]
				if isCell(ch) != onBoard {
					return none, fmt.Errorf("row %d, column %d: the board has %s there, the pattern has %q",
						r, col, map[bool]string{true: "a cell", false: "no cell"}[onBoard], ch)
				}
			}
		} else if n != inRow {
			return none, fmt.Errorf("row %d of the board has %d cells, in the pattern it has %d", r, inRow, n)
		}
		p.Pegs |= cells.Pegs << first
		p.Any |= cells.Any << first
		first += inRow
	}
	return p, nil
}

// drawnAsText reports whether rows draw the board as a text that ParseBoard reads: # and a space are
// no cell, and rows and columns without cells may be around the board.
func (b *Board) drawnAsText(rows []string) bool {
	var drawn []Cell
	for r, row := range rows {
		for c, ch := range []rune(row) {
			if isCell(ch) {
				drawn = append(drawn, Cell{Row: r, Col: c})
			}
		}
	}
	return cells.SameShape(drawn, b.cells)
}

// readCells reads the cells of a text and skips everything else. It returns the
// first 64, and the number of cells.
func readCells(text string) (p Pattern, n int) {
	for _, ch := range text {
		if !isCell(ch) {
			continue
		}
		if n < MaxCells {
			if ch == '?' {
				p.Any |= 1 << n
			} else if strings.ContainsRune(pegChars, ch) {
				p.Pegs |= 1 << n
			}
		}
		n++
	}
	return p, n
}

// FormatPattern writes a pattern as FormatPosition writes a position, with ? for a
// cell that may have a peg or not.
func (b *Board) FormatPattern(p Pattern) string {
	return b.format(func(cell int) byte {
		if p.Any>>cell&1 == 1 {
			return '?'
		}
		return ".o"[p.Pegs>>cell&1]
	})
}

// FormatPosition writes a position in rows separated by /, with o for a peg, . for
// a hole and # for a place off the board that has a cell to its right.
func (b *Board) FormatPosition(p Position) string { return b.FormatPattern(Pattern{Pegs: p}) }

// format writes a character for each cell, in rows.
func (s *Shape) format(char func(cell int) byte) string {
	var text strings.Builder
	if last := len(s.cells) - 1; last >= 0 {
		text.Grow(len(s.cells) + len(s.cells)/2 + s.cells[last].Row) // some places are no cells
	}
	row, col := 0, 0
	for i, c := range s.cells {
		for ; row < c.Row; row, col = row+1, 0 {
			text.WriteByte('/')
		}
		for ; col < c.Col; col++ {
			text.WriteByte('#')
		}
		text.WriteByte(char(i))
		col++
	}
	return text.String()
}
