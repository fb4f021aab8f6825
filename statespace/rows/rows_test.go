package rows_test

import (
	"errors"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/rows"
)

// random returns a graph of random moves between any rows, each with its inverse.
func random(rng *rand.Rand, n, columns int) *rows.Graph {
	g := &rows.Graph{Rows: n, Columns: columns, Listed: columns%2 > 0}
	for range 3 {
		by, back := make([]uint16, columns), make([]uint16, columns)
		for from, to := range rng.Perm(columns) {
			by[from], back[to] = uint16(to), uint16(from)
		}
		k := uint16(len(g.Maps))
		g.Maps, g.Inverse = append(g.Maps, by, back), append(g.Inverse, k+1, k)
	}
	g.Maps, g.Inverse = append(g.Maps, nil), append(g.Inverse, uint16(len(g.Maps)))
	moves := make([][]rows.Move, n)
	for range 2 * n {
		a, b, m := rng.IntN(n), rng.IntN(n), uint16(rng.IntN(len(g.Maps)))
		moves[a] = append(moves[a], rows.Move{Row: uint32(b), Map: m})
		moves[b] = append(moves[b], rows.Move{Row: uint32(a), Map: g.Inverse[m]})
	}
	g.Moves = func(dst []rows.Move, row int) []rows.Move { return append(dst, moves[row]...) }
	return g
}

// Levels and marks are those of a search that makes moves one by one, on any number of threads, and after a stop.
func TestLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, columns := range []int{1, 2, 6, 24, 63, 64, 65, 120, 130} {
		g := random(rng, 40, columns)
		roots := []uint64{rng.Uint64N(g.Size())}
		graph := g.Graph(8, roots)
		plain := graph
		plain.NewStepper = nil
		want := search(t, plain, bfs.Options{Threads: 1}, 0)
		e := g.Proof().NewExpander()
		for first := uint64(0); first < g.Size(); first += 64 {
			word := rng.Uint64() | rng.Uint64()
			if left := g.Size() - first; left < 64 {
				word &= 1<<left - 1
			}
			var moves []uint64
			for w := word; w != 0; w &= w - 1 {
				moves = g.Neighbours(moves, first+uint64(bits.TrailingZeros64(w)))
			}
			got := e.Expand(nil, first, word, nil)
			slices.Sort(moves)
			if slices.Sort(got); !slices.Equal(got, moves) {
				t.Fatalf("%d columns: moves from %d, %x lead to %v, one by one to %v", columns, first, word, got, moves)
			}
		}
		for threads := 1; threads <= 3; threads++ {
			marks, count := make([]uint64, 2*((g.Size()+63)/64)), uint64(1)
			prover := g.Proof().NewLeveler(marks, threads)
			prover.Start(roots[0])
			for level := range want.Layers {
				if count != want.Layers[level] {
					t.Fatalf("%d columns, %d threads: the proof has %d states on level %d of %v", columns, threads, count, level, want.Layers)
				}
				var err error
				if count, err = prover.Step(t.Context(), level); err != nil {
					t.Fatal(err)
				}
			}
			if count != 0 || !slices.Equal(marks, want.Marks().Words()) {
				t.Fatalf("%d columns, %d threads: the proof has other marks, or a level after the last, of %d states", columns, threads, count)
			}
			for stop := range 3 {
				got := search(t, graph, bfs.Options{Threads: threads}, stop)
				if !reflect.DeepEqual(got.Result, want.Result) || !slices.Equal(got.Marks().Words(), want.Marks().Words()) {
					t.Fatalf("%d columns, %d threads: levels %v, want %v", columns, threads, got.Layers, want.Layers)
				}
				got = search(t, graph, bfs.Options{Threads: threads, Levels: true}, stop)
				if !reflect.DeepEqual(got.Result, want.Result) {
					t.Fatalf("%d columns, %d threads, without marks: levels %v, want %v", columns, threads, got.Layers, want.Layers)
				}
			}
		}
	}
}

// search searches a graph. Another search takes over every few levels, unless that is 0.
func search(t *testing.T, g statespace.Graph, o bfs.Options, levels int) *bfs.Search {
	t.Helper()
	errStop := errors.New("stop")
	newSearch := func() *bfs.Search {
		s, err := bfs.New(t.Context(), g, o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		return s
	}
	for s := newSearch(); ; {
		left := levels
		err := s.Run(t.Context(), func() error {
			if left--; left == 0 {
				return errStop
			}
			return nil
		}, nil)
		if err == nil {
			return s
		}
		next := newSearch()
		if !errors.Is(err, errStop) {
			t.Fatal(err)
		}
		if err := next.Restore(s.Save()); err != nil {
			t.Fatal(err)
		}
		s = next
	}
}

// Saved levels that no search can have are refused.
func TestBadLevels(t *testing.T) {
	g := random(rand.New(rand.NewPCG(3, 2)), 4, 70)
	begin := func() *bfs.Search {
		s, err := bfs.New(t.Context(), g.Graph(8, []uint64{5}), bfs.Options{Levels: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		return s
	}
	for _, c := range []struct {
		word int
		bit  uint64
	}{{0, 1 << 5}, {1, 1 << 6}, {8, 1 << 6}, {9, 1 << 6}} { // the root is not found; a column too many; a state of the level is not found
		saved := begin().Save()
		all := slices.Concat(saved.Levels...)
		all[c.word] ^= c.bit
		saved.Levels = [][]uint64{all}
		if err := begin().Restore(saved); err == nil {
			t.Errorf("bit %#x of word %d was flipped: no error", c.bit, c.word)
		}
	}
}
