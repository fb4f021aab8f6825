package lunar

import (
	"math/bits"

	"pagoda/puzzle/lunar/board"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// rays are tables of the ways on which pieces slide. Cells are numbered row by row, so a piece that
// goes right or down meets those with greater numbers.
type rays struct {
	// all has the cells that a piece passes from a cell to the border; next the first of them.
	all, next [board.Directions][board.MaxCells]board.Set
}

func newRays(b *board.Board) *rays {
	r := new(rays)
	for d := range board.Directions {
		for i := range b.Cells() {
			at := b.Next(d, i)
			if at >= 0 {
				r.next[d][i] = 1 << at
			}
			for ; at >= 0; at = b.Next(d, at) {
				r.all[d][i] |= 1 << at
			}
		}
	}
	return r
}

// free returns the cells that lie free before the nearest of some pieces, and the cell of that; or
// all cells to the border and 0 if there is none.
func (r *rays) free(d board.Direction, from int, pieces board.Set) (free, nearest board.Set) {
	ray := r.all[d][from]
	met := ray & pieces
	if met == 0 {
		return ray, 0
	}
	if d == board.Down || d == board.Right {
		nearest = met & -met
		return ray & (nearest - 1), nearest
	}
	nearest = 1 << (63 - bits.LeadingZeros64(met))
	return ray &^ (nearest<<1 - 1), nearest
}

// slide returns the cell where a piece stops that slides from a cell, and the piece that stops it. It is
// false if none does, or if the piece does not move.
func (r *rays) slide(d board.Direction, from int, others board.Set) (to int, stop board.Set, ok bool) {
	free, stop := r.free(d, from, others)
	if stop == 0 || free == 0 {
		return 0, 0, false
	}
	// The last of the free cells is next to the piece that stops.
	if d == board.Down || d == board.Right {
		return 63 - bits.LeadingZeros64(free), stop, true
	}
	return bits.TrailingZeros64(free), stop, true
}

// targets returns the cells where a piece can stop in one move. It goes no farther from those where it
// leaves.
func (r *rays) targets(piece, others, leaves board.Set) (all board.Set) {
	for todo := piece; todo != 0; {
		from := bits.TrailingZeros64(todo)
		todo &= todo - 1
		for d := range board.Directions {
			if to, _, ok := r.slide(d, from, others); ok {
				fresh := 1 << to &^ (all | piece)
				all |= fresh
				todo |= fresh &^ leaves
			}
		}
	}
	return all
}

// sources returns the cells from which a piece can come to some cells in one move. The cells are
// empty, and so are the sources. A letter does not start on an exit, nor stop there on its way: these
// cells are barred.
func (r *rays) sources(to, others, barred board.Set) (all board.Set) {
	for todo := to; todo != 0; {
		cell := bits.TrailingZeros64(todo)
		todo &= todo - 1
		for d := range board.Directions {
			// The piece slides in direction d, and stops in the cell if another one is next to it.
			if r.next[d][cell]&others == 0 {
				continue
			}
			free, _ := r.free(d.Opposite(), cell, others)
			fresh := free &^ (all | barred)
			all |= fresh
			todo |= fresh
		}
	}
	return all
}

// Graph implements statespace.Levels.
func (g *Group) Graph() statespace.Graph {
	graph := bfs.Plain(g)
	r := newRays(g.b)
	graph.NewExpander = func() statespace.Expander { return &expander{Group: g, rays: r} }
	return graph
}

// An expander takes moves back.
type expander struct {
	*Group
	*rays
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
		for from := e.sources(free, pieces, exits); from != 0; from &= from - 1 {
			dst = append(dst, e.state(letters|from&-from, numbers))
		}
	}
	if k == 0 {
		return dst // it was the last letter that left
	}
	for left := letters; left != 0; left &= left - 1 {
		piece := left & -left
		for from := e.sources(piece, pieces&^piece, exits|piece); from != 0; from &= from - 1 {
			dst = append(dst, e.state(letters&^piece|from&-from, numbers))
		}
	}
	// The letters stay where they are, which is where they are kept.
	start, fixed := e.base(letters, k)
	for left := numbers; left != 0; left &= left - 1 {
		piece := left & -left
		for from := e.sources(piece, pieces&^piece, piece); from != 0; from &= from - 1 {
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
	c := &cursor{o: o, k: o.letters}
	for x < o.start[c.k] {
		c.k--
	}
	x -= o.start[c.k]
	c.kept, c.rest = int(x/o.ways[c.k]), x%o.ways[c.k]
	c.letters = o.kept[c.k][c.kept].letters
	c.set = o.unrank(c.rest, o.numbers)
	return c
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
