package board

import "math/bits"

// Rays are tables of the ways on which pieces slide. Cells are numbered row by row, so a piece that
// goes right or down meets those with greater numbers.
type Rays struct {
	// All has the cells that a piece passes from a cell to the border; next the first of them.
	All, next [Directions][MaxCells]Set
	slides    bool // a move is one slide
}

// NewRays returns the rays of a board.
func NewRays(b *Board) *Rays {
	r := &Rays{slides: b.slides}
	for d := range Directions {
		for i := range b.Cells() {
			at := b.Next(d, i)
			if at >= 0 {
				r.next[d][i] = 1 << at
			}
			for ; at >= 0; at = b.Next(d, at) {
				r.All[d][i] |= 1 << at
			}
		}
	}
	return r
}

// free returns the cells that lie free before the nearest of some pieces, and the cell of that; or
// all cells to the border and 0 if there is none.
func (r *Rays) free(d Direction, from int, pieces Set) (free, nearest Set) {
	ray := r.All[d][from]
	met := ray & pieces
	if met == 0 {
		return ray, 0
	}
	if d == Down || d == Right {
		nearest = met & -met
		return ray & (nearest - 1), nearest
	}
	nearest = 1 << (63 - bits.LeadingZeros64(met))
	return ray &^ (nearest<<1 - 1), nearest
}

// Slide returns the cell where a piece stops that slides from a cell, and the piece that stops it. It is
// false if none does, or if the piece does not move.
func (r *Rays) Slide(d Direction, from int, others Set) (to int, stop Set, ok bool) {
	free, stop := r.free(d, from, others)
	if stop == 0 || free == 0 {
		return 0, 0, false
	}
	// The last of the free cells is next to the piece that stops.
	if d == Down || d == Right {
		return 63 - bits.LeadingZeros64(free), stop, true
	}
	return bits.TrailingZeros64(free), stop, true
}

// Targets returns the cells where a piece can stop in one move. It goes no farther from those where it
// leaves.
func (r *Rays) Targets(piece, others, leaves Set) (all Set) {
	for todo := piece; todo != 0; {
		c := bits.TrailingZeros64(todo) & 63
		todo &= todo - 1
		// It stops before the nearest piece, which is the last one above or to the left.
		var fresh Set
		if met := r.All[Up][c] & others; met != 0 {
			fresh |= r.next[Down][(63-bits.LeadingZeros64(met))&63]
		}
		if met := r.All[Down][c] & others; met != 0 {
			fresh |= r.next[Up][bits.TrailingZeros64(met)&63]
		}
		if met := r.All[Left][c] & others; met != 0 {
			fresh |= r.next[Right][(63-bits.LeadingZeros64(met))&63]
		}
		if met := r.All[Right][c] & others; met != 0 {
			fresh |= r.next[Left][bits.TrailingZeros64(met)&63]
		}
		fresh &^= all | piece
		all |= fresh
		if !r.slides {
			todo |= fresh &^ leaves
		}
	}
	return all
}

// Sources returns the cells from which a piece can come to some cells in one move. The cells are
// empty, and so are the sources. A letter does not start on an exit, nor stop there on its way: these
// cells are barred.
func (r *Rays) Sources(to, others, barred Set) (all Set) {
	for todo := to; todo != 0; {
		cell := bits.TrailingZeros64(todo)
		todo &= todo - 1
		for d := range Directions {
			// The piece slides in direction d, and stops in the cell if another one is next to it.
			if r.next[d][cell]&others == 0 {
				continue
			}
			free, _ := r.free(d.Opposite(), cell, others)
			fresh := free &^ (all | barred)
			all |= fresh
			if !r.slides {
				todo |= fresh
			}
		}
	}
	return all
}

// CanMove reports whether a piece can move.
func (r *Rays) CanMove(p Position) bool {
	for left := p.All(); left != 0; left &= left - 1 {
		from := bits.TrailingZeros64(left)
		for d := range Directions {
			if _, _, ok := r.Slide(d, from, p.All()); ok {
				return true
			}
		}
	}
	return false
}
