package lunar

import (
	"testing"

	"pagoda/statespace/bfs"
)

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
