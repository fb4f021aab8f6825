package purges

import (
	"fmt"
	"slices"
	"sync"

	"pagoda/internal/gf2"
	"pagoda/puzzle/peg/board"
)

// named are the shapes of cleared pegs whose purges have a name in Berlekamp, Conway and Guy, Winning
// Ways, chapter 23, "Purging Pegs Properly", with the start of the one that has the name alone.
var named = []struct{ name, shape, start string }{
	{"2-purge", "o##o", "oo.o"},
	{"3-purge", "ooo", "oo./#o/#o"},
	{"6-purge", "ooo/ooo", "ooo/ooo/#..o"},
	{"L-purge", "oooo/o/o", "ooo/##o/#.oo/##o"},
}

// namedShapes are the images of the named shapes, by their drawings.
var namedShapes = sync.OnceValue(func() map[string]string {
	names := make(map[string]string)
	for _, n := range named {
		b, _, err := board.ParseBoard(n.shape)
		if err != nil {
			panic(err)
		}
		names[drawShape(b.Cells())] = n.name
	}
	return names
})

// drawShape draws a set of cells as pegs: the same for all images of it by the symmetries of the square.
func drawShape(cells []board.Cell) string {
	if len(cells) == 0 {
		return ""
	}
	b := block(least(cells))
	return b.FormatPosition(b.Full())
}

// name names packages in the order of the library. A purge of a named shape has that name; all but one
// have a number behind it, from 2: 6-purge, 6-purge-2. Others have their kind, their cells, and their
// number among those: mover-7-12. So the names do not depend on the greatest size.
func name(all []*Package) {
	number := make(map[string]int)
	for _, p := range all {
		group := fmt.Sprintf("%v-%d", p.Kind(), len(p.Block.Cells()))
		number[group]++
		p.Name = fmt.Sprintf("%s-%d", group, number[group])
		known, ok := namedShapes()[p.Clears()]
		if !ok || p.Kind() != Purge {
			continue
		}
		p.Name = known
		if !slices.ContainsFunc(named, func(n struct{ name, shape, start string }) bool { return n.start == p.Text(p.Start) }) {
			number[known]++
			p.Name = fmt.Sprintf("%s-%d", known, number[known]+1)
		}
	}
}

// DrawShape draws the pegs of a position on the square lattice as Clears does.
func DrawShape(b *board.Board, p board.Position) string {
	var cells []board.Cell
	for i := range gf2.Elements(p) {
		cells = append(cells, b.Cells()[i])
	}
	return drawShape(cells)
}

// Named reports whether the package is a purge of a shape with a name.
func (p *Package) Named() bool { return p.Kind() == Purge && namedShapes()[p.Clears()] != "" }

// Clears draws the cells that the package clears, the same for all images by the symmetries of the square.
func (p *Package) Clears() string { return DrawShape(p.Block, p.Cleared()) }

// Draw draws what the package does in one drawing: x is a peg that is cleared, o and . are pegs and holes of
// the catalyst, and ? is a cell of it that may be either; in a mover a peg goes from a to b.
func (p *Package) Draw() string {
	chars := make([]byte, len(p.Block.Cells()))
	from, to, moves := p.Moved()
	either := p.Either()
	for i := range chars {
		switch bit := uint64(1) << i; {
		case moves && i == from:
			chars[i] = 'a'
		case moves && i == to:
			chars[i] = 'b'
		case p.Cleared()&bit != 0:
			chars[i] = 'x'
		case either&bit != 0:
			chars[i] = '?'
		default:
			chars[i] = ".o"[p.Start>>i&1]
		}
	}
	text := []byte(p.Text(0))
	next := 0
	for i, ch := range text {
		if ch == '.' {
			text[i] = chars[next]
			next++
		}
	}
	return string(text)
}

// Either returns the cells of the catalyst for which the package can also be played, by other jumps, with a
// peg instead of the hole or a hole instead of the peg. Each of them may be so alone.
func (p *Package) Either() (cells uint64) {
	s := new(search)
	s.set(p.Block)
	for i := range gf2.Elements(p.Catalyst()) {
		if bit := uint64(1) << i; s.canReach(p.Start^bit, p.Goal^bit, p.Block.Full()) {
			cells |= bit
		}
	}
	return cells
}
