package slide

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/slide/internal/slidetest"
	"pagoda/statespace/slide/tray"
)

// Mirrors are permutations of all numbers, keep the start, take moves to moves, and are a group
// with the identity.
func TestMirrors(t *testing.T) {
	found := make(map[int]int) // trays by their number of mirrors
	check := func(p *tray.Puzzle, m tray.Metric) {
		s := mustSpace(t, "slide/mirrors", p, m, false)
		all := s.Mirrors()
		found[len(all)]++
		seen := make([]map[uint64]bool, len(all))
		for k := range seen {
			seen[k] = make(map[uint64]bool)
			if start := s.Roots()[0]; all[k].Map(start) != start {
				t.Fatalf("%sa mirror moves the start", p.Format())
			}
		}
		for x := range s.Size() {
			for k, mirror := range all {
				y := mirror.Map(x)
				seen[k][y] = true
				if want := images(mirror, successors(s, x)); !slices.Equal(successors(s, y), want) {
					t.Fatalf("%smirror %d takes %s to %s: the moves lead to %v, want %v", p.Format(), k, s.Format(x), s.Format(y), successors(s, y), want)
				}
				for _, other := range all {
					z := other.Map(y)
					if z != x && !slices.ContainsFunc(all, func(m statespace.Symmetry) bool { return m.Map(x) == z }) {
						t.Fatalf("%sthe mirrors are no group", p.Format())
					}
				}
			}
		}
		for k := range seen {
			if len(seen[k]) != int(s.Size()) {
				t.Fatalf("%smirror %d is no permutation: %d of %d numbers", p.Format(), k, len(seen[k]), s.Size())
			}
		}
	}
	for _, text := range []string{"AABB/..../CCDD CC../....", ".a./b.c/.d.", "12./3../...", "AA/A./.B B.", ".AA.", "AB./.../..."} {
		check(slidetest.Parse(t, text), tray.Steps)
	}
	check(slidetest.Parse(t, "tray:\nA..B\n....\nC..D\nhorizontal: A B\nvertical: C D\n"), tray.Moves)
	check(slidetest.Parse(t, "tray:\nA..B\n....\nC..D\nalike: *\nwalls: (0,1) right\n"), tray.Lines)
	rng := rand.New(rand.NewPCG(41, 42))
	for range 150 {
		if p := slidetest.Random(rng); mustPack(t, p).Size() <= 2000 {
			check(p, tray.Metric(rng.IntN(int(tray.Metrics))))
		}
	}
	if found[0] < 3 || found[1] < 3 || found[3]+found[7] < 1 {
		t.Errorf("trays by mirrors: %v: too few are compared", found)
	}
}

// successors returns where moves lead, sorted, each once.
func successors(sp statespace.Space, x uint64) (all []uint64) {
	for _, e := range sp.Successors(nil, x) {
		all = append(all, e.To)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func images(m statespace.Symmetry, list []uint64) (all []uint64) {
	for _, x := range list {
		all = append(all, m.Map(x))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Klotski has one mirror: 25,955 positions are 13,011 up to left and right.
func TestKlotskiMirrors(t *testing.T) {
	s := mustSpace(t, "slide/klotski", slidetest.Lookup(t, "slide/klotski"), tray.Moves, false)
	if n := len(s.Mirrors()); n != 1 {
		t.Errorf("%d mirrors, want 1", n)
	}
	if n := len(mustSpace(t, "slide/dads", slidetest.Lookup(t, "slide/dads"), tray.Moves, false).Mirrors()); n != 0 {
		t.Errorf("%d mirrors of a start without symmetry", n)
	}
}
