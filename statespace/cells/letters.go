package cells

import (
	"fmt"
	"strings"
)

// Letters writes patterns for a space: each content as a letter, ? for an open cell, and /
// between rows. A space that embeds Letters needs only State to have cells.
type Letters struct {
	cells   []Cell
	letters string
}

// NewLetters returns the Letters of some cells, in the order of Celled.Cells. The letters are
// ASCII, one for each content from 0 on, all different, and neither ? nor /.
func NewLetters(cells []Cell, letters string) Letters { return Letters{cells, letters} }

// Grid returns the Letters of a grid of cells. See NewLetters.
func Grid(rows, cols int, letters string) Letters {
	var cells []Cell
	for i := range rows * cols {
		cells = append(cells, Cell{Row: i / cols, Col: i % cols})
	}
	return NewLetters(cells, letters)
}

// Cells implements Celled.
func (l Letters) Cells() []Cell { return l.cells }

// Contents implements Celled.
func (l Letters) Contents() int { return len(l.letters) }

// newRow reports whether there is a / before a cell.
func (l Letters) newRow(cell int) bool { return cell > 0 && l.cells[cell].Row > l.cells[cell-1].Row }

// FormatPattern implements Celled.
func (l Letters) FormatPattern(p Pattern) string {
	var b strings.Builder
	for cell, content := range p {
		if l.newRow(cell) {
			b.WriteByte('/')
		}
		if content == Any {
			b.WriteByte('?')
		} else {
			b.WriteByte(l.letters[content])
		}
	}
	return b.String()
}

// ParsePattern implements Celled. The error is a *SyntaxError.
func (l Letters) ParsePattern(text string) (Pattern, error) { return l.parse(text, "?") }

// ParseState is ParsePattern for a state: no cell is open.
func (l Letters) ParseState(text string) (Pattern, error) { return l.parse(text, "") }

func (l Letters) parse(text, open string) (Pattern, error) {
	p, at := make(Pattern, len(l.cells)), 0
	wrong := func(expected string) error {
		found := "the end"
		if at < len(text) {
			found = fmt.Sprintf("%q", text[at])
		}
		return &SyntaxError{Col: at + 1, Reason: fmt.Sprintf("expected %s, found %s", expected, found)}
	}
	for cell := range p {
		if l.newRow(cell) {
			if !strings.HasPrefix(text[at:], "/") {
				return nil, wrong("/ after a row")
			}
			at++
		}
		if at == len(text) || !strings.Contains(l.letters+open, text[at:at+1]) {
			return nil, wrong("one of " + l.letters + open)
		}
		p[cell] = int8(strings.IndexByte(l.letters, text[at])) // Any for ?
		at++
	}
	if at < len(text) {
		return nil, wrong("the end")
	}
	return p, nil
}
