package tray_test

import (
	"math/rand/v2"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
)

// TestOrbits: the positions of an orbit share the least one, symmetries between them take all successors to
// successors in every metric, and a position of another orbit has another least one.
func TestOrbits(t *testing.T) {
	rng := rand.New(rand.NewPCG(221, 222))
	turned, exchanged, n := 0, 0, 150
	if !long.Tests {
		n = 40
	}
	for range n {
		p := slidetest.Random(rng)
		if pk, err := packing.New(t.Context(), p, 0); err != nil || pk.Size() > 300 {
			continue
		}
		o := p.Orbits()
		placements := slidetest.Placements(p)
		orbits := make(map[string][]tray.Position)
		for _, key := range placements {
			pos := p.PositionOf(key)
			least := p.Key(o.Least(pos))
			orbits[least] = append(orbits[least], pos)
		}
		if o.Trivial() && len(orbits) != len(placements) {
			t.Fatalf("%sno symmetries, and %d orbits of %d placements", p.Format(), len(orbits), len(placements))
		}
		for least, all := range orbits {
			from, to := all[rng.IntN(len(all))], all[rng.IntN(len(all))]
			if p.Key(o.Least(p.PositionOf(least))) != least {
				t.Fatalf("%s%s is not the least of its orbit", p.Format(), p.FormatPosition(p.PositionOf(least)))
			}
			s := o.Between(from, to)
			if p.Key(s.Position(from)) != p.Key(to) {
				t.Fatalf("%s%s is taken to %s, not to %s", p.Format(), p.FormatPosition(from), p.FormatPosition(s.Position(from)), p.FormatPosition(to))
			}
			if p.Key(from) != p.Key(to) {
				exchanged++
			}
			for m := range tray.Metric(tray.Metrics) {
				images, want := make(map[string]bool), make(map[string]bool)
				for _, next := range p.Successors(m, from) {
					images[p.Key(s.Position(next.To))] = true
				}
				for _, next := range p.Successors(m, to) {
					want[p.Key(next.To)] = true
				}
				for key := range want {
					if !images[key] {
						t.Fatalf("%s%v: no successor of %s is taken to %s", p.Format(), m, p.FormatPosition(from), p.FormatPosition(p.PositionOf(key)))
					}
				}
				if len(images) != len(want) {
					t.Fatalf("%s%v: %d successors of %s, %d of %s", p.Format(), m, len(images), p.FormatPosition(from), len(want), p.FormatPosition(to))
				}
			}
		}
		if len(orbits) < len(placements) {
			turned++
		}
	}
	if turned < n/10 || exchanged < n/4 {
		t.Errorf("only %d puzzles have symmetries, and %d pairs were compared", turned, exchanged)
	}
}

// TestOrbitsOfCentury: its three vertical pieces can be exchanged, its two horizontal ones, and its four single
// cells; and the tray has four turns.
func TestOrbitsOfCentury(t *testing.T) {
	p := slidetest.Parse(t, "distinct: *\ntray: 1AA2/BAAC/BD.C/3D.4/EEFF")
	if groups, turns := p.Orbits().Counts(); groups != 4 || turns != 4 {
		t.Errorf("%d groups of kinds and %d turns, want 4 and 4", groups, turns)
	}
}
