package npuzzle

import (
	"fmt"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/long"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/bfs"
)

// TestProof compares the levels of proofs with those of the search, mark by mark, and their goals.
func TestProof(t *testing.T) {
	for _, c := range []struct {
		text string
		long bool
	}{
		{"ABC/D.E/FGH\ngoal: .AB/CDE/FGH", false}, {"AB/CD/EF/GH/I.\ngoal: BA/../../../..", false}, {"ABCDE/FGHI.\ngoal: ...../....A", false}, {"ABCD/E.FG/HIJK\ngoal: ABCD/EFGH/IJK.", true}, {"ABCDEF/GHIJK.", true},
	} {
		if c.long && !long.Tests {
			continue
		}
		p, err := tray.Parse("tray: " + c.text + "\ndistinct: *\n")
		if err != nil {
			t.Fatal(err)
		}
		n, err := New(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, threads := range []int{1, 2, 7} {
			root, _ := n.Rank(p.Start())
			fast, err := bitset.PlanesOver(make([]uint64, bitset.PlaneWords(n.Size(), bfs.MarkBits)), n.Size(), bfs.MarkBits)
			if err != nil {
				t.Fatal(err)
			}
			l := n.Proof(tray.Moves).NewLeveler(fast.Words(), threads)
			l.Start(root)
			var layers, goals []uint64
			length := -1
			for level, count := 0, uint64(1); count > 0; level++ {
				layers = append(layers, count)
				if goals == nil {
					goals, length = l.Goals(level), level
				}
				if count, err = l.Step(t.Context(), level); err != nil {
					t.Fatal(err)
				}
			}
			g := n.Graph(tray.Moves)
			g.Roots = func(yield func(uint64) bool) { yield(root) }
			s, err := bfs.New(t.Context(), g, bfs.Options{Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Run(t.Context(), nil, nil); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(layers, s.Layers) || !slices.Equal(goals, s.Goals) || len(goals) > 0 && length != s.Length {
				t.Errorf("%s: %s", c.text, fmt.Sprint(layers, goals, length, " want ", s.Layers, s.Goals, s.Length))
			}
			if !slices.Equal(fast.Words(), s.Marks().Words()) {
				t.Errorf("%s, on %d threads: the marks differ", c.text, threads)
			}
			s.Close()
		}
	}
}
