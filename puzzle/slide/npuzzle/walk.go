package npuzzle

import (
	"math/bits"
	"slices"

	"pagoda/statespace/bfs"
	"pagoda/statespace/rows"
)

// A Table is a pattern with the marks of its distances from the goal. Distances modulo 3 are enough: a move of a
// tile changes that of its pattern by one.
type Table struct {
	*Pattern
	Marks []uint64 // see bfs.Mark
}

// Bounds are lower bounds of the moves of an n-puzzle to a goal: the larger one of two sums of distances of patterns.
type Bounds struct {
	height, width int
	near          [mostCells][4]int8 // by cell and direction: the cell there, or -1
	tracks        []track
	sums          int
	of            [][]int16 // by sum and tile: the track that has the tile, or -1
	goal          []int8    // by tile: the cell in which it is to be, or -1
}

// A track is a table that follows the tiles of a pattern, on the board as it is or as a mirror shows it.
type track struct {
	*Table
	sum   int
	cells mirror
	label []int8 // by tile: its number in the pattern, or -1
}

// A place is where the tiles of a track are.
type place struct {
	set   uint32
	order uint32 // three bits for each cell of the set
	d     int16
}

// An undone is what Undo needs.
type undone struct {
	move   uint8
	tracks [2]int16
	places [2]place
}

// A Walk is a position that moves change, with its bound. It is most of a statespace.Walk.
type Walk struct {
	*Bounds
	at     [mostCells]int8 // the tile in each cell; -1: the empty cell
	empty  int8
	places []place
	sum    [2]int16
	undo   []undone
}

// StartAt goes to the position whose tiles are in cells.
func (w *Walk) StartAt(cells []uint8) {
	for i := range w.at {
		w.at[i] = -1
	}
	for tile, cell := range cells {
		w.at[cell] = int8(tile)
	}
	w.empty = int8(slices.Index(w.at[:w.height*w.width], -1))
	w.undo, w.sum, w.places = w.undo[:0], [2]int16{}, make([]place, len(w.tracks))
	for i := range w.tracks {
		t, p := &w.tracks[i], &w.places[i]
		at := make([]uint8, t.tiles)
		for tile, label := range t.label {
			if label >= 0 {
				at[label] = t.cells[cells[tile]]
				p.set |= 1 << at[label]
			}
		}
		for j, set := 0, p.set; set != 0; j, set = j+1, set&(set-1) {
			p.order |= uint32(slices.Index(at, uint8(bits.TrailingZeros32(set)))) << (3 * j)
		}
		p.d = int16(t.Distance(t.Marks, t.roots, t.Rank(at, t.cells[w.empty])))
		w.sum[t.sum] += p.d
	}
}

// Bound implements statespace.Walk.
func (w *Walk) Bound() int { return int(max(w.sum[0], w.sum[1])) }

// Goal implements statespace.Walk.
func (w *Walk) Goal() bool { return w.Bound() == 0 }

// Moves implements statespace.Walk. They are those of the empty cell.
func (w *Walk) Moves(dst []uint16) []uint16 {
	for m, to := range w.near[w.empty] {
		if to >= 0 {
			dst = append(dst, uint16(m))
		}
	}
	return dst
}

// Do implements statespace.Walk.
func (w *Walk) Do(move uint16) int {
	from, to := w.near[w.empty][move], w.empty // of the tile
	tile := w.at[from]
	u := undone{move: uint8(move)}
	for s := range w.sums {
		i := w.of[s][tile]
		if u.tracks[s] = i; i < 0 {
			continue
		}
		t, p := &w.tracks[i], &w.places[i]
		u.places[s] = *p
		before := p.d
		t.slide(p, t.cells[from], t.cells[to])
		w.sum[s] += p.d - before
	}
	w.at[to], w.at[from], w.empty = tile, -1, from
	w.undo = append(w.undo, u)
	return w.Bound()
}

// slide moves a tile to a cell beside it.
func (t *track) slide(p *place, from, to uint8) {
	set := p.set &^ (1 << from)
	i, j := 3*bits.OnesCount32(set&(1<<from-1)), 3*bits.OnesCount32(set&(1<<to-1))
	if p.set = set | 1<<to; i != j {
		label, order := p.order>>i&7, p.order&(1<<i-1)|p.order>>(i+3)<<i
		p.order = order&(1<<j-1) | label<<j | order>>j<<(j+3)
	}
	x := uint64(t.row(p.set, from))*uint64(t.Columns) + uint64(t.order1[p.order&0xfff]+t.order2[p.order>>12])
	if rows.MarkOf(t.Marks, x) == bfs.Mark(int(p.d+1)) {
		p.d++
	} else {
		p.d--
	}
}

// Undo implements statespace.Walk.
func (w *Walk) Undo() {
	u := &w.undo[len(w.undo)-1]
	for s := range w.sums {
		if i := u.tracks[s]; i >= 0 {
			w.sum[s] += u.places[s].d - w.places[i].d
			w.places[i] = u.places[s]
		}
	}
	empty := w.near[w.empty][3-u.move]
	w.at[w.empty], w.at[empty], w.empty = w.at[empty], -1, empty
	w.undo = w.undo[:len(w.undo)-1]
}

// Cells appends the cells of the tiles.
func (w *Walk) Cells(dst []uint8) []uint8 {
	first := len(dst)
	dst = append(dst, make([]uint8, len(w.goal))...)
	for cell, tile := range w.at[:w.height*w.width] {
		if tile >= 0 {
			dst[first+int(tile)] = uint8(cell)
		}
	}
	return dst
}
