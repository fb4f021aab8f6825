package twist

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/internal/long"
	"pagoda/statespace/spacetest"
)

// named returns the space of a name without the family.
func named(t *testing.T, name, metric string) *Space {
	t.Helper()
	p, err := find(name)
	if err != nil || p == nil {
		t.Fatalf("%s: %v, %v", name, p, err)
	}
	s, err := New(t.Context(), name, p, metric, 0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Puzzles have as many numbers as states, and the group has the order that a chain finds, if no pieces are alike. Levels
// are those that others have published.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		name, metric string
		states       uint64
		last         int      // level
		levels       []uint64 // the first ones, or all
		long         bool
	}{
		{"2x2x2", movesMetric, 3674160, 11, []uint64{1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644}, false},
		{"2x2x2", turnsMetric, 3674160, 14, []uint64{1, 6, 27, 120, 534, 2256, 8969, 33058, 114149, 360508, 930588, 1350852, 782536, 90280, 276}, false},
		{"pyraminx", movesMetric, 933120, 11, []uint64{1, 8, 48, 288, 1728, 9896, 51808, 220111, 480467, 166276, 2457, 32}, false},
		{"skewb", movesMetric, 3149280, 11, []uint64{1, 8, 48, 288, 1728, 10248, 59304, 315198, 1225483, 1455856, 81028, 90}, false},
		{"ivy", movesMetric, 29160, 8, []uint64{1, 8, 48, 288, 1640, 7582, 15262, 4221, 110}, false},
		{"pancake-2", movesMetric, 2, 1, nil, false},
		{"pancake-3", movesMetric, 6, 3, nil, false},
		{"pancake-4", movesMetric, 24, 4, nil, false},
		{"pancake-5", movesMetric, 120, 5, nil, false},
		{"pancake-6", movesMetric, 720, 7, nil, false},
		{"pancake-7", movesMetric, 5040, 8, nil, false},
		{"pancake-8", movesMetric, 40320, 9, nil, false},
		{"pancake-9", movesMetric, 362880, 10, nil, false},
		{"pancake-10", movesMetric, 3628800, 11, nil, true},
		{"burnt-pancake-1", movesMetric, 2, 1, nil, false},
		{"burnt-pancake-2", movesMetric, 8, 4, nil, false},
		{"burnt-pancake-3", movesMetric, 48, 6, nil, false},
		{"burnt-pancake-4", movesMetric, 384, 8, nil, false},
		{"burnt-pancake-5", movesMetric, 3840, 10, nil, false},
		{"burnt-pancake-6", movesMetric, 46080, 12, nil, false},
		{"burnt-pancake-7", movesMetric, 645120, 14, nil, false},
		{"burnt-pancake-8", movesMetric, 10321920, 15, nil, true},
		{"3x3x3-corners", movesMetric, 88179840, 11, []uint64{1, 18, 243, 2874, 28000, 205416, 1168516, 5402628, 20776176, 45391616, 15139616, 64736}, true},
		{"3x3x3-corners", turnsMetric, 88179840, 14, []uint64{1, 12, 114, 924, 6539, 39528, 199926, 806136, 2761740, 8656152, 22334112, 32420448, 18780864, 2166720, 6624}, true},
		{"dino", movesMetric, 19958400, 11, nil, true},
		{"gear", movesMetric, 41472, 6, []uint64{1, 33, 579, 5921, 18072, 13977, 2889}, false},
		{"gear", turnsMetric, 41472, 12, nil, false},
		{"m24", movesMetric, 244823040, 9, nil, true},
		{"topspin-12-4", turnsMetric, 479001600, 38, nil, true},
		{"3x3x3-phase-1", movesMetric, 2217093120, 12, []uint64{1, 4, 50, 592, 7156, 87236, 1043817, 12070278, 124946368, 821605960, 1199128738, 58202444, 476}, true},
	} {
		if c.long && !long.Tests {
			continue
		}
		s := named(t, c.name, c.metric)
		if s.Size() != c.states {
			t.Errorf("%s has %d numbers, want %d", c.name, s.Size(), c.states)
		}
		if least := s.full.least(); least > float64(c.states) || c.name != "3x3x3-phase-1" && least != float64(c.states) {
			t.Errorf("the group of %s has the order %v, want %d", c.name, least, c.states)
		}
		r := search(t, s, 2)
		if n := len(r.Layers); r.States() != c.states || n != c.last+1 || c.levels != nil && !slices.Equal(r.Layers, c.levels) {
			t.Errorf("%s in %s: levels %v, want %d, %v", c.name, c.metric, r.Layers, c.last, c.levels)
		}
		r.Close()
	}
}

// Representatives are the least ones: no other element of their coset takes the first places to lesser ones. So numbers depend
// on no random elements.
func TestRepresentatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 14))
	for _, name := range []string{"2x2x2", "3x3x3-corners", "3x3x3-phase-2", "m24", "skewb", "topspin-12-4", "burnt-pancake-8"} {
		s := named(t, name, movesMetric)
		images := func(a action) (all []int) {
			back := s.inverse(a)
			for _, to := range back.from {
				all = append(all, int(to), int(a.turn[to]))
			}
			return all
		}
		elements := s.actions(s.moves)
		for i, l := range s.numbers.(*numbering).links {
			again, next, err := l.view.link(t.Context(), elements)
			if err != nil {
				t.Fatal(err)
			}
			a := s.identity()
			for range 5000 {
				a = s.then(a, next[rng.IntN(len(next))])
				own := again.represent[rng.IntN(len(again.represent))]
				if slices.Compare(images(own), images(s.then(a, own))) > 0 {
					t.Fatalf("%s, link %d: %v, lesser than the representative %v", name, i, s.then(a, own), own)
				}
			}
			elements = next
		}
	}
}

// The group of the second phase of Kociemba's method has as many numbers as states. Others have published its first levels, and
// a number belongs to one state.
func TestPhase2(t *testing.T) {
	s := named(t, "3x3x3-phase-2", movesMetric)
	if s.Size() != 19508428800 || s.full.least() != 19508428800 {
		t.Errorf("%d numbers, a group of order %v", s.Size(), s.full.least())
	}
	level, seen := s.Roots(), map[uint64]bool{s.Roots()[0]: true}
	for depth, want := range []int{1, 10, 67, 456, 3079, 19948} {
		if len(level) != want {
			t.Errorf("%d states at distance %d, want %d", len(level), depth, want)
		}
		var next []uint64
		for _, x := range level {
			neighbours := s.rows.Neighbours(nil, x)
			for i, e := range s.Predecessors(nil, x) {
				if e.To != neighbours[i] {
					t.Fatalf("move %d leads from %d to %d, by rows to %d", i, x, e.To, neighbours[i])
				}
				if !seen[e.To] {
					seen[e.To] = true
					next = append(next, e.To)
				}
			}
		}
		level = next
	}
	rng := rand.New(rand.NewPCG(5, 13))
	for range 1000 {
		x := rng.Uint64N(s.Size())
		if y, err := s.Parse(s.Format(x)); y != x || err != nil {
			t.Fatalf("number %d is %s, which is number %d: %v", x, s.Format(x), y, err)
		}
	}
}

func TestLaws(t *testing.T) {
	for _, name := range []string{"ivy", "pancake-6", "burnt-pancake-4", "topspin-7-3", "pyraminx"} {
		for _, metric := range []string{movesMetric, turnsMetric} {
			if s := named(t, name, metric); long.Tests || s.Size() < 5000 {
				spacetest.Test(t, s, 50)
			}
		}
	}
}
