package npuzzle

import (
	"fmt"
	"math/bits"
	"slices"

	"pagoda/internal/lists"
	"pagoda/puzzle/slide/tray"
)

// A mirror says by cell where it is in a mirror, or after a turn.
type mirror [mostCells]uint8

// set returns a set of cells in the mirror.
func (m *mirror) set(cells uint32) (in uint32) {
	for ; cells != 0; cells &= cells - 1 {
		in |= 1 << m[bits.TrailingZeros32(cells)]
	}
	return in
}

// mirrors returns the mirror images of a board and its half turn. The first is the board as it is. Each is its own inverse.
func mirrors(height, width int) (all []*mirror) {
	for i, to := range []func(r, c int) (int, int){
		func(r, c int) (int, int) { return r, c },
		func(r, c int) (int, int) { return r, width - 1 - c },
		func(r, c int) (int, int) { return height - 1 - r, c },
		func(r, c int) (int, int) { return height - 1 - r, width - 1 - c },
		func(r, c int) (int, int) { return c, r },
		func(r, c int) (int, int) { return width - 1 - c, height - 1 - r },
	} {
		if i > 3 && height != width {
			break
		}
		m := new(mirror)
		for cell := range height * width {
			r, c := to(cell/width, cell%width)
			m[cell] = uint8(r*width + c)
		}
		all = append(all, m)
	}
	return all
}

// NewBounds returns the bounds of an n-puzzle. Goal has for each tile the cell in which it is to be, or -1 if it may be
// anywhere. Each other tile is in one part of the cut, which are the patterns. Make
// returns the table of a pattern; its arguments are those of NewPattern. Two patterns that are mirror images share a table.
func NewBounds(height, width int, goal []int8, cut [][]int, make func(part, empty uint32) (*Table, error)) (b *Bounds, err error) {
	b = &Bounds{height: height, width: width, goal: goal}
	cells := height * width
	for cell := range cells {
		for m, d := range directions {
			b.near[cell][m] = -1
			if r, c := cell/width+d[0], cell%width+d[1]; r >= 0 && r < height && c >= 0 && c < width {
				b.near[cell][m] = int8(r*width + c)
			}
		}
	}
	empty, parts := EmptyAt(goal, cells), []uint32(nil)
	for _, part := range cut {
		set := uint32(0)
		for _, tile := range part {
			set |= 1 << goal[tile]
		}
		parts = append(parts, set)
	}
	all := mirrors(height, width)
	drawn, in := all[0], all[0]
	for _, m := range all[1:] {
		if m.set(empty) == empty {
			in = m
			break
		}
	}
	other := map[*mirror]*mirror{drawn: in, in: drawn}
	tables := map[uint32]*Table{}
	for _, part := range parts {
		seen := drawn
		t := tables[in.set(part)]
		if t != nil {
			seen = in
		} else {
			if t, err = make(part, empty); err != nil {
				return nil, err
			}
			tables[part] = t
		}
		b.add(0, t, seen)
		// The sum in the mirror is another bound, unless the cut is the same there.
		if slices.ContainsFunc(parts, func(part uint32) bool { return !slices.Contains(parts, in.set(part)) }) {
			b.add(1, t, other[seen])
		}
	}
	return b, nil
}

// add adds a track to a sum.
func (b *Bounds) add(sum int, t *Table, in *mirror) {
	for sum >= b.sums {
		b.of, b.sums = append(b.of, slices.Repeat([]int16{-1}, len(b.goal))), b.sums+1
	}
	label := slices.Repeat([]int8{-1}, len(b.goal))
	for tile, cell := range b.goal {
		if cell >= 0 && t.goal>>in[cell]&1 != 0 {
			label[tile] = int8(bits.OnesCount32(t.goal & (1<<in[cell] - 1)))
			b.of[sum][tile] = int16(len(b.tracks))
		}
	}
	b.tracks = append(b.tracks, track{t, sum, *in, label})
}

// NewWalk returns a walk.
func (b *Bounds) NewWalk() *Walk { return &Walk{Bounds: b} }

// Goal returns the size of the board of an n-puzzle, and for each tile the cell in which its only goal wants it, or -1
// if the goal does not say. The error says why there are no bounds for a puzzle.
func Goal(p *tray.Puzzle) (height, width int, goal []int8, err error) {
	height, width = rectangle(p.Cells())
	switch {
	case !Is(p) || height*width > mostCells:
		return 0, 0, nil, fmt.Errorf("bounds are for n-puzzles of at most %d cells", mostCells)
	case p.Goals() != 1:
		return 0, 0, nil, fmt.Errorf("bounds are for n-puzzles with one goal, found %d", p.Goals())
	}
	goal = slices.Repeat([]int8{-1}, len(p.Pieces()))
	for _, want := range p.Wants(0) {
		goal[want.Piece] = int8(want.Anchor)
	}
	return height, width, goal, nil
}

// EmptyAt returns the cells in which the empty cell may be at a goal.
func EmptyAt(goal []int8, cells int) uint32 {
	empty := uint32(1)<<cells - 1
	for _, cell := range goal {
		if cell >= 0 {
			empty &^= 1 << cell
		}
	}
	return empty
}

// bestCuts are cuts of boards whose empty cell is in the first place, by the cells of their parts. They have the largest
// mean bounds of those that were measured: see docs/studies/large-puzzles.md.
var bestCuts = []struct {
	height, width, size int // size is that of the largest part
	parts               [][]int8
}{
	{4, 4, 8, [][]int8{{1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}}},
	{4, 4, 6, [][]int8{{1, 2, 3, 4, 5, 6}, {8, 9, 10, 12, 13, 14}, {7, 11, 15}}},
	{5, 5, 6, [][]int8{{1, 2, 5, 6, 7, 12}, {3, 4, 8, 9, 13, 14}, {10, 11, 15, 16, 20, 21}, {17, 18, 19, 22, 23, 24}}},
}

// Cut returns a cut of the tiles that the goal wants somewhere, on a board, into parts of at most size tiles. Neighbours
// in the goal are in one part.
func Cut(height, width int, goal []int8, size int) (cut [][]int) {
	at := slices.Repeat([]int{-1}, height*width) // the tile in each cell
	for tile, cell := range goal {
		if cell >= 0 {
			at[cell] = tile
		}
	}
	parts := [][]int8(nil)
	for _, m := range mirrors(height, width) {
		for _, b := range bestCuts {
			if parts == nil && b.height == height && b.width == width && b.size <= size && EmptyAt(goal, len(at)) == 1<<m[0] {
				for _, part := range b.parts {
					seen := slices.Clone(part)
					for i, cell := range part {
						seen[i] = int8(m[cell])
					}
					parts = append(parts, seen)
				}
			}
		}
	}
	if parts == nil { // a snake
		var cells []int8
		for row := range height {
			for col := range width {
				if row%2 == 1 {
					col = width - 1 - col
				}
				if at[row*width+col] >= 0 {
					cells = append(cells, int8(row*width+col))
				}
			}
		}
		parts = slices.Collect(slices.Chunk(cells, size))
	}
	for _, part := range parts {
		tiles := lists.Map(part, func(cell int8) int { return at[cell] })
		cut = append(cut, tiles)
	}
	return cut
}
