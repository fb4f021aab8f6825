package engine

import (
	"fmt"
	"math/big"
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/peg/board"
	"pagoda/statespace/peg/layout"
	"pagoda/statespace/sweep"
)

// Paths are counted linearly: if the start has a large number of paths, every count is its multiple.
// So all counts are more words long, or become so on the way, and are still exact.
func TestLongWays(t *testing.T) {
	english, err := board.Cross(7)
	if err != nil {
		t.Fatal(err)
	}
	rectangle, err := board.Rectangle(4, 5)
	if err != nil {
		t.Fatal(err)
	}
	for _, start := range []struct {
		*board.Board
		start board.Position
	}{
		{rectangle, rectangle.Full() &^ (1 << 5)},
		{english, 1<<16 | 1<<9 | 1<<10 | 1<<11 | 1<<15 | 1<<17 | 1<<22 | 1<<23 | 1<<24 | 1<<4},
	} {
		l := layout.New(start.Board, start.Stabilizer(start.start))
		e, c := newEngine(t, start.Board, start.start, l)
		var to []uint64
		for x := uint64(0); x < 1<<c.Dim(); x += 1 + x/50 {
			to = append(to, x)
		}
		count := func(first *big.Int) (*sweep.Ways, int) {
			words := []uint64{}
			for n := new(big.Int).Set(first); n.Sign() > 0; n.Rsh(n, 64) {
				words = append(words, new(big.Int).And(n, new(big.Int).SetUint64(^uint64(0))).Uint64())
			}
			b := &budget{allowed: 1 << 30}
			r, err := e.represent(t.Context(), e.symmetries(), 2, b)
			if err != nil {
				t.Fatal(err)
			}
			defer r.free()
			w := newWays(r, sweep.WaysQuestion{To: to, Layers: true}, words, true, b)
			if _, err := statespace.DoFrom(t.Context(), w, 0, w.between, 2, nil); err != nil || w.fault.Load() != nil {
				t.Fatal(err, *w.fault.Load())
			}
			planes := 0
			for _, n := range w.paths {
				planes = max(planes, len(n))
			}
			return w.answer(), planes
		}
		one, planes := count(big.NewInt(1))
		if planes != 1 {
			t.Errorf("the counts have %d words", planes)
		}
		for _, shift := range []uint{40, 55, 60, 63, 64, 120, 127, 190, 300} {
			first := new(big.Int).Lsh(big.NewInt(1), shift)
			first.Sub(first, big.NewInt(12345))
			got, planes := count(first)
			if shift >= 60 && planes <= int(shift)/64 {
				t.Errorf("2^%d: the counts have %d words", shift, planes)
			}
			for i := range to {
				if want := new(big.Int).Mul(first, one.To[i]); got.To[i].Cmp(want) != 0 {
					t.Fatalf("2^%d: %v paths, want %v", shift, got.To[i], want)
				}
			}
			if len(got.Layers) != len(one.Layers) {
				t.Fatalf("%d layers, want %d", len(got.Layers), len(one.Layers))
			}
			for i, l := range one.Layers {
				l.Paths.Mul(l.Paths, first)
				l.Games.Mul(l.Games, first)
				if fmt.Sprint(got.Layers[i]) != fmt.Sprint(l) {
					t.Errorf("2^%d: %v, want %v", shift, got.Layers[i], l)
				}
				l.Paths.Div(l.Paths, first)
				l.Games.Div(l.Games, first)
			}
		}
	}
}
