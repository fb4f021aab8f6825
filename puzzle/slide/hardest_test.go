package slide

import (
	"errors"
	"math/rand/v2"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
	"pagoda/statespace/sparse"
)

// TestHardestPlacement solves each placement by the plain search.
func TestHardestPlacement(t *testing.T) {
	if !long.Tests {
		t.Skip("many searches on one thread")
	}
	rng := rand.New(rand.NewPCG(177, 178))
	solvable, more, n := 0, 0, 400
	for range n {
		p := slidetest.Random(rng)
		m := tray.Metric(rng.IntN(tray.Metrics))
		placements := slidetest.Placements(p)
		if len(placements) > 120 {
			continue
		}
		states, goals, length, count := uint64(0), uint64(0), -1, uint64(0)
		for _, key := range placements {
			from := p.From(p.PositionOf(key))
			r := mustSolve(t, from, m, Options{Engine: plainEngine})
			if !r.Solved {
				continue
			}
			states++
			if r.Length == 0 {
				goals++
			}
			if r.Length > length {
				length, count = r.Length, 0
			}
			if r.Length == length {
				count++
			}
		}
		h, err := FindHardestPlacement(t.Context(), p, m, Options{Threads: 1 + rng.IntN(3), MaxStates: uint64(len(placements))})
		if err != nil {
			t.Fatal(err)
		}
		if h.States != states || h.Goals != goals || h.Length != max(0, length) || h.Count != count {
			t.Fatalf("%s%v: %+v, expected %d placements, %d goals, %d starts of length %d", p.Format(), m, h, states, goals, count, length)
		}
		if _, err := FindHardestPlacement(t.Context(), p, m, Options{MaxStates: uint64(len(placements) - 1)}); len(placements) > 1 && !errors.Is(err, statespace.ErrMemory) {
			t.Errorf("%s%v: with room for one placement less: %v", p.Format(), m, err)
		}
		for _, s := range h.Starts {
			if r := mustSolve(t, p.From(s), m, Options{Engine: plainEngine}); r.Length != length {
				t.Errorf("%s%v: the start %s has length %d", p.Format(), m, p.FormatPosition(s), r.Length)
			}
		}
		if states > 0 {
			solvable++
			if mustSolve(t, p, m, Options{Engine: plainEngine}).States < states {
				more++
			}
		}
	}
	if solvable < n/8 || more < n/20 {
		t.Errorf("only %d puzzles can be solved, %d of them from placements that are not reached", solvable, more)
	}
}

// TestHardestPlacementParity: an n-puzzle that cannot be solved has the hardest placements of one that can.
func TestHardestPlacementParity(t *testing.T) {
	const goal = " 123/45."
	want, err := FindHardest(t.Context(), slidetest.Parse(t, "123/45."+goal), tray.Steps, Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := FindHardestPlacement(t.Context(), slidetest.Parse(t, "213/45."+goal), tray.Steps, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if h.Placements != 720 || h.States != 360 || h.Goals != 1 || h.Length != want.Length || h.Count != want.Count || !h.Exact {
		t.Errorf("%+v, expected 720 placements and otherwise %+v", h, want)
	}
}

// TestHardestPlacementStopped: see TestHardestStopped.
func TestHardestPlacementStopped(t *testing.T) {
	p := slidetest.Lookup(t, "slide/klotski")
	over := errors.New("over")
	nothing, bounded := false, false
	for reads := 1; reads < 20000 && !bounded; reads = 1 + reads*2 {
		h, err := FindHardestPlacement(stoppedAfter(t, reads, over), p, tray.Moves, Options{})
		switch {
		case !errors.Is(err, over):
			t.Fatalf("stopped: %v", err)
		case h == nil:
			nothing = true
		default:
			bounded = true
			if h.Exact || h.Placements != 65880 || h.States != 0 || h.Goals == 0 || len(h.Starts) == 0 {
				t.Errorf("%+v, expected some starts", h)
			}
		}
	}
	if !nothing || !bounded {
		t.Errorf("stopped early %t, with a bound %t", nothing, bounded)
	}
}

// TestHardestUpTo compares searches with and without a bound of the positions.
func TestHardestUpTo(t *testing.T) {
	if !long.Tests {
		t.Skip("many searches on one thread")
	}
	rng := rand.New(rand.NewPCG(179, 180))
	large, n := 0, 40
	for range n {
		p := slidetest.Random(rng)
		want, err := FindHardest(t.Context(), p, tray.Moves, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := FindHardest(t.Context(), p, tray.Moves, Options{Memory: 128 << 20, MaxStates: want.States})
		if err != nil || got.Length != want.Length || got.Count != want.Count || got.States != want.States || got.Goals != want.Goals {
			t.Fatalf("%s%+v, %v; expected %+v", p.Format(), got, err, want)
		}
		if want.States > 40 {
			large++
			if got, err := FindHardest(t.Context(), p, tray.Moves, Options{Memory: 128 << 20, MaxStates: want.States / 4}); !errors.Is(err, sparse.ErrStates) {
				t.Errorf("%s%+v, %v; expected too many positions", p.Format(), got, err)
			}
		}
	}
	if large < n/8 {
		t.Errorf("only %d puzzles have many positions", large)
	}
}

// TestHardestStopped: when the time is over, there is a bound with positions that are as far, or nothing before all
// goals are found.
func TestHardestStopped(t *testing.T) {
	p := slidetest.Lookup(t, "slide/klotski")
	over := errors.New("over")
	nothing, bounded := false, false
	for reads := 1; reads < 20000 && !bounded; reads = 1 + reads*2 {
		h, err := FindHardest(stoppedAfter(t, reads, over), p, tray.Moves, Options{})
		switch {
		case !errors.Is(err, over):
			t.Fatalf("stopped: %v", err)
		case h == nil:
			nothing = true
		default:
			bounded = true
			if h.Exact || h.Length > 93 || len(h.Starts) == 0 || h.Count != uint64(len(h.Starts)) || h.Goals != 964 {
				t.Errorf("%+v, expected at least some starts up to 93 moves away", h)
			}
			for _, s := range h.Starts[:min(3, len(h.Starts))] {
				if r := mustSolve(t, p.From(s), tray.Moves, Options{ToGoal: true}); r.Length != h.Length {
					t.Errorf("%s is %d moves from a goal, expected %d", p.FormatPosition(s), r.Length, h.Length)
				}
			}
		}
	}
	if !nothing || !bounded {
		t.Errorf("stopped early %t, with a bound %t", nothing, bounded)
	}
}
