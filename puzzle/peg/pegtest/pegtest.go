// Package pegtest has what tests of peg spaces share: spaces by name, their sets, whole and
// folded, and random boards.
package pegtest

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace/spacetest"
	"pagoda/statespace/sweep"
)

// Lookup returns the space of a name.
func Lookup(t testing.TB, name string) *peg.Space {
	t.Helper()
	sp, err := peg.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

// Enumerate returns the set of the states of a space that can be reached, made by its best
// engine.
func Enumerate(t testing.TB, sp *peg.Space) *bitset.Set {
	t.Helper()
	return EnumerateBy(t, sp, sweep.Engines(sp)[0].Name)
}

// EnumerateBy is Enumerate by an engine.
func EnumerateBy(t testing.TB, sp *peg.Space, engine string) *bitset.Set {
	t.Helper()
	memory, err := mapped.Alloc(t.Context(), bitset.Words(sp.Size()), 2)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { memory.Free() })
	set, err := bitset.Over(memory.Words(), sp.Size())
	if err != nil {
		t.Fatal(err)
	}
	e, err := spacetest.FindEngine(sp, engine)
	if err != nil {
		t.Fatal(err)
	}
	r, err := sweep.NewRun(sp, e, set)
	if err == nil {
		_, err = r.Do(t.Context(), 0, nil, 2, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// Folded is a folded set in memory.
type Folded struct {
	Space     *peg.Space
	BlockBits int
	Blocks    map[uint64][]uint64 // by number: the representatives that have members
}

// FoldSet returns the representatives of a set as a folded one, with blocks of 2^bits
// numbers.
func FoldSet(sp *peg.Space, set *bitset.Set, bits int) Folded {
	f := Folded{sp, bits, make(map[uint64][]uint64)}
	n := uint64(1) << (bits - 6)
	for block := range sp.Size() >> bits {
		words := set.Words()[block*n:][:n]
		_, by := sweep.Represent(sweep.Symmetries(sp), bits, block)
		if by == nil && slices.ContainsFunc(words, func(w uint64) bool { return w != 0 }) {
			f.Blocks[block] = slices.Clone(words)
		}
	}
	return f
}

// FoldingSizes returns the bits of all blocks that a set of the space can be folded into.
func FoldingSizes(sp *peg.Space) (sizes []int) {
	for bits := range sp.Class().Dim() + 1 {
		if sweep.CheckFolding(sp, bits) == nil {
			sizes = append(sizes, bits)
		}
	}
	return sizes
}

// Len implements statespace.FoldedSet.
func (f Folded) Len() uint64 { return f.Space.Size() }

// Bits implements statespace.FoldedSet.
func (f Folded) Bits() int { return f.BlockBits }

// Representative implements statespace.FoldedSet.
func (f Folded) Representative(block uint64) ([]uint64, error) { return f.Blocks[block], nil }

// RandomBoard draws a connected or scattered board with at most 22 cells, and any start.
func RandomBoard(rng *rand.Rand) (*board.Board, board.Position) {
	for {
		rows, cols := 1+rng.IntN(6), 1+rng.IntN(6)
		lattice := board.Lattice(rng.IntN(3))
		density := []float64{1, 0.9, 0.7, 0.5}[rng.IntN(4)]
		var cells []board.Cell
		for r := range rows {
			for c := range cols {
				if rng.Float64() < density {
					cells = append(cells, board.Cell{Row: r, Col: c})
				}
			}
		}
		if len(cells) == 0 || len(cells) > 22 || lattice == board.Diagonal && len(cells) > 20 { // diagonals leave fewer invariants
			continue
		}
		b, err := board.NewBoard(lattice, cells)
		if err != nil {
			panic(err)
		}
		start := b.Full()
		for holes := 1 + rng.IntN(4); holes > 0; holes-- {
			start &^= 1 << rng.IntN(len(cells))
		}
		if rng.IntN(4) == 0 {
			start = rng.Uint64() & b.Full()
		}
		return b, start
	}
}

// SymmetricBoard draws a board with at most 17 cells, and a start that some symmetries
// keep.
func SymmetricBoard(rng *rand.Rand) (*board.Board, board.Position) {
	lattice := board.Lattice(rng.IntN(3))
	middle := []int{3, 4, 5}[rng.IntN(3)] // in halves of a cell
	if lattice == board.Triangular {
		middle = 4
	}
	turn := func(c board.Cell) board.Cell {
		r, q := 2*c.Row-middle, 2*c.Col-middle
		if lattice == board.Triangular {
			r, q = q, q-r
		} else {
			r, q = q, -r
		}
		return board.Cell{Row: (r + middle) / 2, Col: (q + middle) / 2}
	}
	// The symmetries are some turns, and perhaps a turn with a reflection.
	turns, mixed := rng.IntN(6), rng.IntN(12)
	orbit := func(c board.Cell) (all []board.Cell) {
		for todo := []board.Cell{c}; len(todo) > 0; {
			c, todo = todo[0], todo[1:]
			if slices.Contains(all, c) {
				continue
			}
			all = append(all, c)
			d := c
			for range turns {
				d = turn(d)
			}
			todo = append(todo, d)
			if mixed < 6 {
				d = board.Cell{Row: c.Col, Col: c.Row}
				for range mixed {
					d = turn(d)
				}
				todo = append(todo, d)
			}
		}
		return all
	}
	in := func(c board.Cell) bool {
		d := c.Row - c.Col
		return c.Row >= 0 && c.Col >= 0 && c.Row <= middle && c.Col <= middle &&
			(lattice != board.Triangular || 2*d <= middle && -2*d <= middle)
	}
	for {
		density := []float64{1, 0.8, 0.5}[rng.IntN(3)]
		pegs := make(map[board.Cell]bool)
		seen := make(map[board.Cell]bool)
		for r := range middle + 1 {
			for q := range middle + 1 {
				c := board.Cell{Row: r, Col: q}
				if seen[c] || !in(c) {
					continue
				}
				cell, isPeg := rng.Float64() < density, rng.IntN(6) > 0
				for _, d := range orbit(c) {
					seen[d] = true
					if cell {
						pegs[d] = isPeg
					}
				}
			}
		}
		b, err := board.NewBoard(lattice, slices.Collect(maps.Keys(pegs)))
		if err != nil || len(pegs) > 17 {
			continue
		}
		var start board.Position
		for i, c := range b.Cells() {
			if pegs[c] {
				start |= 1 << i
			}
		}
		return b, start
	}
}

// LargerBoard draws a rectangle that is large enough for a sweep not to need all blocks at a
// time, and a start that some of its symmetries may keep.
func LargerBoard(rng *rand.Rand) (*board.Board, board.Position) {
	sides := [][2]int{{4, 5}, {3, 7}, {6, 4}, {5, 5}}[rng.IntN(4)]
	b, err := board.Rectangle(sides[0], sides[1])
	if err != nil {
		panic(err)
	}
	start, symmetries := b.Full(), b.Symmetries()
	symmetry := symmetries[rng.IntN(len(symmetries))]
	for cell := rng.IntN(len(b.Cells())); start>>cell&1 == 1; cell = symmetry[cell] {
		start &^= 1 << cell
	}
	return b, start
}
