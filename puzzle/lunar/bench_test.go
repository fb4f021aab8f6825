package lunar

import (
	"testing"

	"pagoda/bitset"
	"pagoda/statespace/bfs"
)

// BenchmarkSearch compares the search with the plain one, on one thread.
func BenchmarkSearch(b *testing.B) {
	g := newGroup(b, "5x5", 3, 3)
	b.Run("fast", func(b *testing.B) {
		for b.Loop() {
			s, err := bfs.New(b.Context(), g.Graph(), bfs.Options{Threads: 1, Whole: true})
			if err == nil {
				err = s.Run(b.Context(), nil, nil)
			}
			if err != nil {
				b.Fatal(err)
			}
			s.Close()
		}
	})
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			marks, err := bitset.PlanesOver(make([]uint64, bitset.PlaneWords(g.Size(), bfs.MarkBits)), g.Size(), bfs.MarkBits)
			if err != nil {
				b.Fatal(err)
			}
			_, depths, err := bfs.SearchPlain(b.Context(), g, marks, 1, nil)
			if err != nil {
				b.Fatal(err)
			}
			depths.Free()
		}
	})
}

// BenchmarkValues compares the values that are found fast with those found one state at a time.
func BenchmarkValues(b *testing.B) {
	g := newGroup(b, "5x5", 3, 3)
	s, _ := solve(b, g, 2)
	b.Run("fast", func(b *testing.B) {
		for b.Loop() {
			v, err := bfs.FindValues(b.Context(), g, s.Members(), 1, nil)
			if err != nil {
				b.Fatal(err)
			}
			v.Free()
		}
	})
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			v, err := bfs.FindValuesPlain(b.Context(), g, s.Members(), 1)
			if err != nil {
				b.Fatal(err)
			}
			v.Free()
		}
	})
}

// BenchmarkSolve solves a group: the search, and the values.
func BenchmarkSolve(b *testing.B) {
	g := newGroup(b, "5x5", 3, 4)
	for b.Loop() {
		s, err := bfs.New(b.Context(), g.Graph(), bfs.Options{Threads: 1, Whole: true})
		if err == nil {
			err = s.Run(b.Context(), nil, nil)
		}
		if err != nil {
			b.Fatal(err)
		}
		v, err := bfs.FindValues(b.Context(), g, s.Members(), 1, nil)
		if err != nil {
			b.Fatal(err)
		}
		v.Free()
		s.Close()
	}
}
