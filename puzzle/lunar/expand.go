package lunar

import (
	"pagoda/puzzle/lunar/board"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// Graph is for the Parts.
func (g *Group) Graph() statespace.Graph {
	graph := bfs.Plain(g)
	r := board.NewRays(g.b)
	graph.NewExpander = func() statespace.Expander { return &expander{Group: g, Rays: r} }
	return graph
}

// An expander takes moves back.
type expander struct {
	*Group
	*board.Rays
}

// Expand implements statespace.Expander.
func (e *expander) Expand(dst []uint64, first, word uint64, _ *[]uint64) []uint64 {
	for c := e.cursor(first); word != 0; word >>= 1 {
		if word&1 != 0 {
			dst = e.expand(dst, c.letters, c.k, c.numbers())
		}
		c.step()
	}
	return dst
}

// expand appends the states from which moves lead to one.
func (e *expander) expand(dst []uint64, letters board.Set, k int, numbers board.Set) []uint64 {
	pieces := letters | numbers
	exits := e.b.Exits()
	if free := exits &^ pieces; k < e.letters && free != 0 {
		for from := e.Sources(free, pieces, exits); from != 0; from &= from - 1 {
			dst = append(dst, e.state(letters|from&-from, numbers))
		}
	}
	if k == 0 {
		return dst // it was the last letter that left
	}
	for left := letters; left != 0; left &= left - 1 {
		piece := left & -left
		for from := e.Sources(piece, pieces&^piece, exits|piece); from != 0; from &= from - 1 {
			dst = append(dst, e.state(letters&^piece|from&-from, numbers))
		}
	}
	// The letters stay where they are, which is where they are kept.
	start, fixed := e.base(letters, k)
	for left := numbers; left != 0; left &= left - 1 {
		piece := left & -left
		for from := e.Sources(piece, pieces&^piece, piece); from != 0; from &= from - 1 {
			moved := numbers&^piece | from&-from
			if fixed != 1 {
				moved, _ = e.least(moved, fixed)
			}
			dst = append(dst, start+e.rank(squeeze(moved, letters)))
		}
	}
	return dst
}

// state returns the number of the orbit of a placement.
func (o *orbits) state(letters, numbers board.Set) uint64 {
	return o.orbit(board.Position{Letters: letters, Numbers: numbers})
}

// base returns the first number with letters that are kept, and the turns that keep them.
func (o *orbits) base(letters board.Set, k int) (start uint64, fixed uint8) {
	f := o.find[k][o.rank(squeeze(letters, o.b.Exits()))]
	return o.start[k] + uint64(f.kept)*o.ways[k], o.kept[k][f.kept].fixed
}

// A cursor goes through the numbers of orbits in order.
type cursor struct {
	o       *orbits
	k, kept int
	rest    uint64    // number pieces are the set of this number
	set     board.Set // the same among the cells that the letters leave
	letters board.Set
}

func (o *orbits) cursor(x uint64) *cursor {
	kept, k, rest := o.lettersOf(x)
	return &cursor{o: o, k: k, kept: int((x - o.start[k]) / o.ways[k]), rest: rest, letters: kept.letters, set: o.unrank(rest, o.numbers)}
}

// numbers returns the cells of the number pieces.
func (c *cursor) numbers() board.Set { return spread(c.set, c.letters) }

// step goes to the next number, if there is one.
func (c *cursor) step() {
	if c.rest++; c.rest < c.o.ways[c.k] {
		c.set = following(c.set)
		return
	}
	c.rest, c.set = 0, 1<<c.o.numbers-1
	if c.kept++; c.kept == len(c.o.kept[c.k]) {
		if c.k == c.o.letters {
			return
		}
		c.k, c.kept = c.k+1, 0
	}
	c.letters = c.o.kept[c.k][c.kept].letters
}
