package board

import (
	"fmt"
	"math/bits"
	"strings"
	"unicode"

	"pagoda/statespace/cells"
)

// The characters of drawings.
const (
	EmptyChar = '.' // an empty cell
	ExitChar  = '+' // an empty exit
	OpenChar  = '?' // in patterns: a cell with anything in it
)

// The names of pieces, in the order in which pieces get them. o stands for a number piece without a
// name.
const (
	LetterNames = "XYZWVUTSRQPNMLKJIHGFEDCBA"
	NumberNames = "123456789abcdefghijklmnpqrstuvwyz"
)

// IsLetter reports whether a character names a letter piece.
func IsLetter(ch byte) bool { return strings.IndexByte(LetterNames, ch) >= 0 }

// IsNumber reports whether a character names a number piece.
func IsNumber(ch byte) bool { return ch == 'o' || strings.IndexByte(NumberNames, ch) >= 0 }

// Drawn reads a drawing of the board, with / or line ends between the rows: it returns the character
// of each cell. Spaces are passed over. Characters other than those of cells and pieces, and
// ExitChar where no exit is, are errors, which are *cells.SyntaxError. So is OpenChar, unless
// open is set.
func (b *Board) Drawn(text string, open bool) ([]byte, error) {
	drawn := make([]byte, 0, len(b.cells))
	row, line, col := 0, 1, 0
	wrong := func(format string, args ...any) error {
		return &cells.SyntaxError{Line: line, Col: col, Reason: fmt.Sprintf(format, args...)}
	}
	text = strings.TrimRight(text, " \t\r\n")
	for _, r := range text {
		ch := byte(min(r, unicode.MaxASCII+1)) // no other character means anything
		col++
		n := len(drawn)
		rowEnds := n == len(b.cells) || b.cells[n].Row > row
		switch {
		case ch == ' ' || ch == '\t' || ch == '\r':
		case ch == '/' || ch == '\n':
			if !rowEnds {
				return nil, wrong("expected %d cells in row %d of the board, found fewer", b.inRow(row), row+1)
			}
			if row++; ch == '\n' {
				line, col = line+1, 0
			}
		case rowEnds && row+1 < b.rows:
			return nil, wrong("expected / after the %d cells of row %d of the board, found %q", b.inRow(row), row+1, r)
		case rowEnds:
			return nil, wrong("expected the end of the board, found %q", r)
		case ch == ExitChar && b.exits>>n&1 == 0:
			return nil, wrong("%c is an exit, and the board has none here", ch)
		case ch == OpenChar && open, ch == EmptyChar, ch == ExitChar, IsLetter(ch), IsNumber(ch):
			drawn = append(drawn, ch)
		default:
			return nil, wrong("expected a cell: %c, %c, a capital letter, a digit or o; found %q", EmptyChar, ExitChar, r)
		}
	}
	if len(drawn) < len(b.cells) {
		col++
		return nil, wrong("expected %d cells in %d rows, found %d", len(b.cells), b.rows, len(drawn))
	}
	return drawn, nil
}

// inRow returns how many cells a row has.
func (b *Board) inRow(row int) (n int) {
	for _, c := range b.cells {
		if c.Row == row {
			n++
		}
	}
	return n
}

// ParsePosition reads a drawing of a position.
func (b *Board) ParsePosition(text string) (p Position, err error) {
	drawn, err := b.Drawn(text, false)
	for i, ch := range drawn {
		switch {
		case IsLetter(ch):
			p.Letters |= 1 << i
		case IsNumber(ch):
			p.Numbers |= 1 << i
		}
	}
	if err == nil && p.Letters&b.exits != 0 {
		err = fmt.Errorf("a letter piece stands on the exit %v, where it has left already", b.cells[bits.TrailingZeros64(p.Letters&b.exits)])
	}
	return p, err
}

// EmptyAt returns the character of an empty cell.
func (b *Board) EmptyAt(cell int) byte {
	if b.exits>>cell&1 != 0 {
		return ExitChar
	}
	return EmptyChar
}

// FormatPosition draws a position on one line. The pieces get their names in the order of the cells.
func (b *Board) FormatPosition(p Position) string {
	letters, numbers := LetterNames, NumberNames
	take := func(names *string, other byte) byte {
		if *names == "" {
			return other
		}
		name := (*names)[0]
		*names = (*names)[1:]
		return name
	}
	return b.Draw(func(cell int) byte {
		switch {
		case p.Letters>>cell&1 != 0:
			return take(&letters, 'A')
		case p.Numbers>>cell&1 != 0:
			return take(&numbers, 'o')
		}
		return b.EmptyAt(cell)
	})
}
