package slide

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"
)

// A Format is a way to write a puzzle down.
type Format struct {
	Name string
	// Write writes a puzzle, with a line end. Its error says what the format cannot say.
	Write func(p *Puzzle) (string, error)
}

// Formats are those that ParsePuzzle reads.
func Formats() []Format {
	return []Format{
		{"text", func(p *Puzzle) (string, error) { return p.Format(), nil }},
		{"rushhour", func(p *Puzzle) (string, error) {
			text, err := p.FormatRushHour()
			return text + "\n", err
		}},
		{"knuth", (*Puzzle).FormatKnuth},
	}
}

// errWalls says that a format has no thin walls.
var errWalls = errors.New("the puzzle has thin walls, which the format cannot say")

// onlyGoal returns the goal of a puzzle, for formats that have one.
func (p *Puzzle) onlyGoal() (goal, error) {
	if len(p.goals) != 1 {
		return nil, fmt.Errorf("the puzzle has %d goals, the format has one", len(p.goals))
	}
	return p.drawn[0], nil
}

// FormatRushHour writes the start as ParseRushHour reads it. It fails if the puzzle is no
// Rush Hour: a tray of 6 x 6 at most, of bars that move lengthwise, one of which is to
// reach the right edge. What else the text of the puzzle says is lost.
func (p *Puzzle) FormatRushHour() (string, error) {
	if p.rows > rushHourSide || p.cols > rushHourSide {
		return "", fmt.Errorf("the tray is %d x %d, one of the format is %d x %d", p.rows, p.cols, rushHourSide, rushHourSide)
	}
	if len(p.pieces) > 26 {
		return "", fmt.Errorf("the puzzle has %d pieces, the format has 26 letters", len(p.pieces))
	}
	if len(p.walls) > 0 {
		return "", errWalls
	}
	for i, pc := range p.pieces {
		rows, cols := p.extent(p.mask(p.Start(), i))
		if long := pc.axis == Horizontal && rows == 1 && cols > 1 || pc.axis == Vertical && cols == 1 && rows > 1; !long {
			return "", fmt.Errorf("piece %c is no car: a straight bar of two cells or more that moves lengthwise only", pc.name)
		}
	}
	g, err := p.onlyGoal()
	if err != nil {
		return "", err
	}
	want := g[0]
	last := p.cells[63-bits.LeadingZeros64(p.placed(want))]
	if len(g) != 1 || p.pieces[want.piece].axis != Horizontal || last.Col != rushHourSide-1 || last.Row != p.cells[p.pieces[want.piece].at].Row {
		return "", errors.New("the goal is not one horizontal car at the right edge, as it is in the format")
	}
	if len(p.kindOf(want.piece).pieces) > 1 {
		return "", fmt.Errorf("the goal is for any car that is alike with %c, which the format cannot say", p.pieces[want.piece].name)
	}
	text := []byte(strings.Repeat("x", rushHourSide*rushHourSide))
	for _, c := range p.cells {
		text[c.Row*rushHourSide+c.Col] = 'o'
	}
	name := byte('A')
	for i := range p.pieces {
		letter := byte('A')
		if i != want.piece {
			name++
			letter = name
		}
		for m := p.mask(p.Start(), i); m != 0; m &= m - 1 {
			c := p.cells[anchor(m)]
			text[c.Row*rushHourSide+c.Col] = letter
		}
	}
	return string(text), nil
}

// extent returns how many rows and columns a set of cells takes.
func (t *tray) extent(set uint64) (rows, cols int) {
	top, left, bottom, right := t.rows, t.cols, 0, 0
	for ; set != 0; set &= set - 1 {
		c := t.cells[anchor(set)]
		top, bottom, left, right = min(top, c.Row), max(bottom, c.Row), min(left, c.Col), max(right, c.Col)
	}
	return bottom - top + 1, right - left + 1
}

// FormatKnuth writes the puzzle as ParseKnuth reads it. It fails if there are more than 15
// kinds of pieces, thin walls, pieces that move along one axis only, or if there is not
// just one goal, which names all pieces. Of what is known of the puzzle there is the title.
func (p *Puzzle) FormatKnuth() (string, error) {
	const names = "123456789abcdef"
	if len(p.kinds) > len(names) {
		return "", fmt.Errorf("the puzzle has %d kinds of pieces, the format has %d names", len(p.kinds), len(names))
	}
	if len(p.walls) > 0 {
		return "", errWalls
	}
	for _, pc := range p.pieces {
		if pc.axis != Free {
			return "", fmt.Errorf("piece %c moves along one axis only, which the format cannot say", pc.name)
		}
	}
	g, err := p.onlyGoal()
	if err != nil {
		return "", err
	}
	if len(g) < len(p.pieces) {
		return "", fmt.Errorf("the goal names %d of %d pieces, one of the format names all", len(g), len(p.pieces))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", strings.TrimSpace(fmt.Sprintf("%d x %d %s", p.rows, p.cols, p.Title)))
	for i := range p.kinds {
		fmt.Fprintf(&b, "%c = %s\n", names[i], p.pattern(p.mask(p.Start(), p.kinds[i].pieces[0])))
	}
	write := func(places []place) {
		kindAt, taken := make(map[int]byte), uint64(0)
		for _, pl := range places {
			cells := p.placed(pl)
			kindAt[anchor(cells)] = names[p.pieces[pl.piece].kind]
			taken |= cells &^ (cells & -cells)
		}
		for r := range p.rows {
			for c := range p.cols {
				n, ok := p.number[Cell{r, c}]
				switch {
				case !ok:
					b.WriteByte('x')
				case kindAt[n] != 0:
					b.WriteByte(kindAt[n])
				case taken>>n&1 == 0:
					b.WriteByte('0')
				}
			}
		}
		b.WriteByte('\n')
	}
	var start []place
	for i, pc := range p.pieces {
		start = append(start, place{i, pc.at})
	}
	write(start)
	write(g)
	return b.String(), nil
}

// pattern draws a set of cells with 1, 0 and /.
func (p *Puzzle) pattern(set uint64) string {
	height, width := p.extent(set)
	drawing := make([][]byte, height)
	for r := range drawing {
		drawing[r] = []byte(strings.Repeat("0", width))
	}
	left := p.cols
	for m := set; m != 0; m &= m - 1 {
		left = min(left, p.cells[anchor(m)].Col)
	}
	for m := set; m != 0; m &= m - 1 {
		c := p.cells[anchor(m)]
		drawing[c.Row-p.cells[anchor(set)].Row][c.Col-left] = '1'
	}
	var rows []string
	for _, row := range drawing {
		rows = append(rows, strings.TrimRight(string(row), "0"))
	}
	return strings.Join(rows, "/")
}
