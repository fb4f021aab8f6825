package slide

import (
	"errors"
	"math/rand/v2"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
)

// TestComponentsRandom: the components of any puzzle are all of its placements, each once. That of the start, and of some
// others, is as a search from every position finds it.
func TestComponentsRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	compared, several := 0, 0
	for range long.Or(300, 60) {
		p := slidetest.Random(rng)
		m := tray.Metric(rng.IntN(tray.Metrics))
		if !p.HasGoal() {
			if err := FindComponents(t.Context(), p, m, 0, Options{}, nil); !errors.Is(err, ErrNoGoal) {
				t.Fatalf("%swithout a goal: %v", p.Format(), err)
			}
			continue
		}
		pk := mustPack(t, p)
		if pk.Size() > 2000 {
			continue
		}
		seen := make(map[string]bool)
		total, count := uint64(0), 0
		err := FindComponents(t.Context(), p, m, 0, Options{Threads: 1 + rng.IntN(3)}, func(c *Component) error {
			count++
			total += c.Diameter.States
			if first := p.Key(c.First); seen[first] {
				t.Fatalf("%s%v: two components begin at %s", p.Format(), m, p.FormatPosition(c.First))
			} else if seen[first] = true; c.Diameter.States > 80 || count > 3 {
				return nil
			}
			compared++
			diameter, radius, _, toGoal, hardest := farthestPlain(t, p.From(c.First), m)
			d, h := c.Diameter, c.Hardest
			if !d.Exact || d.Diameter != diameter || d.Radius != radius || d.Most != diameter || d.Least != radius {
				t.Fatalf("%s%v: from %s: %+v, want diameter %d, radius %d", p.Format(), m, p.FormatPosition(c.First), d, diameter, radius)
			}
			if h.Goals > 0 != (toGoal >= 0) || toGoal >= 0 && (h.Length != toGoal || h.Count != uint64(hardest)) {
				t.Fatalf("%s%v: from %s: %+v, want %d starts at distance %d", p.Format(), m, p.FormatPosition(c.First), h, hardest, toGoal)
			}
			return nil
		})
		if err != nil || total != pk.Size() {
			t.Fatalf("%s%v: components of %d placements, of %d: %v", p.Format(), m, total, pk.Size(), err)
		}
		if count > 1 {
			several++
		}
	}
	if compared < 30 || several < 5 {
		t.Errorf("%d components were compared, and %d puzzles have several", compared, several)
	}
}

// TestComponentsStop: an error of the caller, and too little memory, end the search.
func TestComponentsStop(t *testing.T) {
	p := slidetest.Lookup(t, "slide/klotski")
	over, calls := errors.New("over"), 0
	err := FindComponents(t.Context(), p, tray.Steps, 1, Options{}, func(*Component) error {
		calls++
		return over
	})
	if !errors.Is(err, over) || calls != 1 {
		t.Errorf("%d calls: %v", calls, err)
	}
	if err := FindComponents(stoppedAfter(t, 5, over), p, tray.Steps, 0, Options{}, func(*Component) error { return nil }); !errors.Is(err, over) {
		t.Errorf("stopped: %v", err)
	}
	if err := FindComponents(t.Context(), p, tray.Steps, 0, Options{Memory: 1 << 17}, nil); !errors.Is(err, statespace.ErrMemory) {
		t.Errorf("in little memory: %v", err)
	}
	large := slidetest.Lookup(t, "slide/n4x4")
	if err := FindComponents(t.Context(), large, tray.Steps, 0, Options{}, nil); !errors.As(err, new(*packing.LimitError)) {
		t.Errorf("a large puzzle: %v", err)
	}
}
