package peg_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/pegtest"
	"pagoda/statespace"
	"pagoda/statespace/paths"
)

// text writes ways so that they can be compared.
func text(w *statespace.Ways) string {
	s := fmt.Sprint(w.To)
	for _, l := range w.Layers {
		s += fmt.Sprintf("\n%d: %d, %v; %d, %v", l.Layer, l.States, l.Paths, l.DeadEnds, l.Games)
	}
	return s
}

// The blocks give the same numbers as one position at a time: of paths to all positions, by layer
// and to some of them, and to one alone, on any number of threads.
func TestWays(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 1))
	most := 30
	if !long.Tests {
		most = 8
	}
	folded, alone := 0, 0
	for boards := 0; boards < most; {
		draw := []func(*rand.Rand) (*board.Board, board.Position){pegtest.RandomBoard, pegtest.SymmetricBoard}[boards%2]
		b, start := draw(rng)
		sp, err := peg.New("random", b, start)
		if err != nil {
			t.Fatal(err)
		}
		if rng.IntN(3) == 0 { // another start, in the numbering of the first
			from := b.Full() &^ (1 << rng.IntN(len(b.Cells())))
			if sp, err = sp.From(from); err != nil {
				t.Fatal(err)
			}
		}
		set := pegtest.Enumerate(t, sp)
		if set.Count() < 20 || set.Count() > 6000 {
			continue
		}
		q := statespace.WaysQuestion{Layers: true, Memory: 1 << 30, Threads: 1 + rng.IntN(3)}
		members := statespace.Index(0)
		for x := range set.All() {
			if members++; rng.IntN(1+int(set.Count())/5) == 0 {
				q.To = append(q.To, x)
			}
		}
		q.To = append(q.To, sp.Roots()[0], rng.Uint64N(sp.Size()))
		got, err := sp.Parts().Sweep.Ways(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if got == nil {
			continue
		}
		boards++
		if len(sp.Symmetries()) > 0 {
			folded++
		}
		want, err := paths.CountWaysPlain(t.Context(), sp, set, q)
		if err != nil {
			t.Fatal(err)
		}
		name := b.FormatPosition(sp.Start())
		if text(got) != text(want) {
			t.Fatalf("%s: %s\nwant %s", name, text(got), text(want))
		}
		for i, x := range q.To {
			got, err := sp.Parts().Sweep.Ways(t.Context(), statespace.WaysQuestion{To: []uint64{x}, Memory: 1 << 30, Threads: q.Threads})
			if err != nil {
				t.Fatal(err)
			}
			if alone++; len(got.Layers) > 0 || len(got.To) != 1 || got.To[0].Cmp(want.To[i]) != 0 {
				t.Fatalf("%s: %v paths to %s alone, want %v", name, got.To, sp.Format(x), want.To[i])
			}
		}
	}
	if folded < most/4 || alone < 2*most {
		t.Errorf("of %d boards %d are folded, and %d positions were looked at alone", most, folded, alone)
	}
}
