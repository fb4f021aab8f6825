package npuzzle

import (
	"math/rand/v2"
	"testing"

	"pagoda/statespace/bfs"
)

// tableOf makes a table in memory.
func tableOf(t testing.TB) func(part, empty uint32) (*Table, error) {
	return func(part, empty uint32) (*Table, error) {
		p, err := NewPattern(4, 4, part, empty)
		if err != nil {
			return nil, err
		}
		s, err := bfs.New(t.Context(), p.Search(), bfs.Options{Threads: 2})
		if err != nil {
			return nil, err
		}
		t.Cleanup(s.Close)
		return &Table{p, s.Marks().Words()}, s.Run(t.Context(), nil, nil)
	}
}

// inOrder is a goal with the empty cell in the first place.
func inOrder(cells int) (goal []int8) {
	for cell := range cells - 1 {
		goal = append(goal, int8(cell+1))
	}
	return goal
}

// A walk has the same bounds as one that starts in its position, and the second sum is the first one in the mirror.
func TestWalk(t *testing.T) {
	b, err := NewBounds(4, 4, inOrder(16), [][]int{{0, 1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14}}, tableOf(t))
	if err != nil {
		t.Fatal(err)
	}
	if b.sums != 2 {
		t.Fatalf("%d sums, want 2", b.sums)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	w, other := b.NewWalk(), b.NewWalk()
	w.StartAt([]uint8{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
	for range 300 {
		moves := w.Moves(nil)
		before := w.Bound()
		w.Do(moves[rng.IntN(len(moves))])
		if rng.IntN(3) == 0 {
			w.Undo()
			if w.Bound() != before {
				t.Fatal("Undo changes the bound")
			}
			continue
		}
		cells := w.Cells(nil)
		other.StartAt(cells)
		if other.sum != w.sum {
			t.Fatalf("%v: sums %v, want %v", cells, w.sum, other.sum)
		}
		turned := make([]uint8, 15) // the tile of cell c goes to the mirror of where the tile of the mirror of c is
		for tile, cell := range cells {
			home := tile + 1
			mirrored := home%4*4 + home/4
			turned[mirrored-1] = cell%4*4 + cell/4
		}
		other.StartAt(turned)
		if other.sum[0] != w.sum[1] || other.sum[1] != w.sum[0] {
			t.Fatalf("%v: sums %v, in the mirror %v", cells, w.sum, other.sum)
		}
	}
	t.Log(w.sum)
}
