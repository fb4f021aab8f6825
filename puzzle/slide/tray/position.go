package tray

import (
	"fmt"
	"slices"
	"strings"

	"pagoda/internal/amount"
	"pagoda/statespace"
	"pagoda/statespace/boardtext"
	"pagoda/statespace/cells"
)

// ParsePosition reads a position of the puzzle as FormatPosition writes it, in rows that are
// separated by / or by line ends. Walls around the tray, and those at the end of a row, can be left
// out, or more of them drawn. Empty lines can stand between floors. The error is a *cells.SyntaxError if the text does not draw the
// tray with its pieces, and statespace.ErrOutside if a piece is at a place where it cannot come.
func (p *Puzzle) ParsePosition(text string) (Position, error) {
	names := p.Pieces()
	sets := make([]Set, len(p.pieces))
	where := make([]boardtext.Place, len(p.pieces))
	err := p.EachCell(text, func(cell int, at boardtext.Place) error {
		if at.Char == '.' {
			return nil
		}
		i := strings.IndexRune(names, at.Char)
		if i < 0 {
			return at.Errorf("unexpected %q: the tray has no such piece", at.Char)
		}
		if sets[i].IsEmpty() {
			where[i] = at
		}
		sets[i].Add(cell)
		return nil
	})
	if err != nil {
		return nil, err
	}
	start := p.Start()
	for i, set := range sets {
		if set.IsEmpty() {
			return nil, &cells.SyntaxError{Line: 1, Col: 1, Reason: fmt.Sprintf("piece %c is missing", names[i])}
		}
		if !p.sameShape(p.Mask(start, i), set) {
			return nil, where[i].Errorf("%s", otherShape(names[i], p.Mask(start, i), set))
		}
	}
	p.exchange(sets)
	pos := make(Position, len(p.pieces))
	for i, set := range sets {
		pos[i] = uint8(set.First())
		if p.kindOf(i).Mask[pos[i]] != set {
			return nil, fmt.Errorf("%w: piece %c cannot come there, even in an empty tray", statespace.ErrOutside, names[i])
		}
	}
	return pos, nil
}

// exchange gives the cells of each piece that cannot be there to another one that looks alike and
// can. Places of two kinds that look alike differ, so there is no choice between kinds.
func (p *Puzzle) exchange(cells []Set) {
	stands := func(i int, set Set) bool { return p.kindOf(i).Mask[set.First()] == set }
	for i := range cells {
		for j := range cells {
			if stands(i, cells[i]) {
				break
			}
			if p.kindOf(i).Look == p.kindOf(j).Look && stands(j, cells[i]) && !stands(j, cells[j]) {
				cells[i], cells[j] = cells[j], cells[i]
			}
		}
	}
}

// EachCell reads a drawing of the tray, in rows that are separated by / or by line ends. Rows and
// columns of walls around the cells may be drawn or not, and empty lines between floors. It calls put with each
// cell. An error of the rows is a *cells.SyntaxError.
func (p *Puzzle) EachCell(text string, put func(cell int, at boardtext.Place) error) error {
	var rows []boardtext.Span
	for _, s := range boardtext.Lines(strings.Trim(strings.ReplaceAll(text, "\r\n", "\n"), "\n")) {
		s.Text = strings.TrimRight(s.Text, " \t")
		if s.Text == "" && p.Floors() == 1 {
			s.Text = "#"
		}
		rows = append(rows, s.Rows()...)
	}
	if p.Floors() > 1 { // empty rows stand between them
		rows = slices.DeleteFunc(rows, func(s boardtext.Span) bool { return s.Text == "" })
	}
	var drawn []Cell
	var places []boardtext.Place
	for at := range boardtext.Places(rows) {
		if at.Char != '#' && at.Char != ' ' {
			drawn, places = append(drawn, at.Cell), append(places, at)
		}
	}
	if !cells.SameShape(drawn, p.cells) {
		return p.misdrawn(rows, firstCol(p.cells)-firstCol(drawn))
	}
	for i, at := range places {
		if err := put(i, at); err != nil {
			return err
		}
	}
	return nil
}

// firstCol returns the least column of cells, or 0 if there are none.
func firstCol(cells []Cell) int {
	if len(cells) == 0 {
		return 0
	}
	return slices.MinFunc(cells, func(a, b Cell) int { return a.Col - b.Col }).Col
}

// misdrawn says what is wrong with rows that do not draw the tray. Rows of walls around it do not
// count, and the columns of the tray begin left columns further left than those of the rows.
func (p *Puzzle) misdrawn(rows []boardtext.Span, left int) error {
	margin := func(s boardtext.Span) bool { return strings.Trim(s.Text, "# ") == "" }
	for len(rows) > 0 && margin(rows[0]) {
		rows = rows[1:]
	}
	for len(rows) > 0 && margin(rows[len(rows)-1]) {
		rows = rows[:len(rows)-1]
	}
	top := p.cells[0].Row
	if len(rows) != p.rows-top {
		return &cells.SyntaxError{Line: 1, Col: 1, Reason: fmt.Sprintf("the tray has %s, the position has %d", amount.Of(p.rows-top, "row"), len(rows))}
	}
	for r, s := range rows {
		ends := Cell{Row: r + top, Col: left}
		for at := range boardtext.Places([]boardtext.Span{s}) {
			_, ok := p.number[ends]
			switch wall := at.Char == '#' || at.Char == ' '; {
			case wall && ok:
				return at.Errorf("unexpected %q: the tray has no wall here", at.Char)
			case !wall && !ok:
				return at.Errorf("unexpected %q: the tray has no cell in row %d, column %d (counted from 0)", at.Char, ends.Row, ends.Col)
			}
			ends.Col++
		}
		for ; ends.Col < p.cols; ends.Col++ {
			if _, ok := p.number[ends]; ok {
				return s.Errorf(len(s.Text), "the row ends, and the tray has a cell in row %d, column %d (counted from 0)", ends.Row, ends.Col)
			}
		}
	}
	return nil // then it draws the tray
}

// Empty is the content of an empty cell in a pattern. A cell of a piece has 1 plus the Kind.Look of
// the piece.
const Empty = 0

// Fill sets the contents of the cells in a position.
func (p *Puzzle) Fill(dst cells.Pattern, pos Position) {
	clear(dst)
	for i := range pos {
		for cell := range p.Mask(pos, i).All() {
			dst[cell] = int8(1 + p.kindOf(i).Look)
		}
	}
}

// ParsePattern reads a pattern: a drawing as ParsePosition reads it, in which ? stands for
// anything. Interchangeable pieces mean the same, and pieces need not be complete. The error is
// a *cells.SyntaxError.
func (p *Puzzle) ParsePattern(text string) (cells.Pattern, error) {
	pattern := make(cells.Pattern, len(p.cells))
	names := p.Pieces()
	err := p.EachCell(text, func(cell int, at boardtext.Place) error {
		i := strings.IndexRune(names, at.Char)
		switch {
		case at.Char == '?':
			pattern[cell] = cells.Any
		case at.Char == '.':
			pattern[cell] = Empty
		case i < 0:
			return at.Errorf("unexpected %q: the tray has no such piece; ? may be anything", at.Char)
		default:
			pattern[cell] = int8(1 + p.kindOf(i).Look)
		}
		return nil
	})
	return pattern, err
}

// FormatPattern writes a pattern so that ParsePattern reads it. A piece is written as the first one
// that looks alike.
func (p *Puzzle) FormatPattern(pattern cells.Pattern) string {
	return inOneLine(p.draw(func(cell int) byte {
		switch content := pattern[cell]; content {
		case cells.Any:
			return '?'
		case Empty:
			return '.'
		default:
			return p.pieces[slices.IndexFunc(p.pieces, func(pc piece) bool { return p.kinds[pc.kind].Look == int(content)-1 })].name
		}
	}))
}
