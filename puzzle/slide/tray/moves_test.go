package tray_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/puzzle/slide/replay"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
)

// TestMovable compares the sets of pieces that can move together with all sets.
func TestMovable(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		p := slidetest.Random(rng)
		at := slidetest.Walk(p, rng, 20)
		got := make(map[uint64]bool)
		for _, set := range p.Movable(tray.Supersteps, at) {
			if got[set] {
				t.Fatalf("%s: set %b twice", p.FormatPosition(at), set)
			}
			got[set] = true
		}
		for set := uint64(1); set < 1<<len(p.Pieces()); set++ {
			can := false
			for d := range p.Directions() {
				_, ok := p.Stepped(at, set, d)
				can = can || ok
			}
			if can != got[set] {
				t.Fatalf("%s: set %b can move: %t, found: %t", p.FormatPosition(at), set, can, got[set])
			}
		}
	}
}

// TestSuccessors checks at random positions that every move replays to its successor, that it
// leads back, and that each metric has all moves of a stricter one.
func TestSuccessors(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		p := slidetest.Random(rng)
		at := slidetest.Walk(p, rng, 20)
		p = p.From(at) // the replay starts there
		var found [tray.Metrics]map[string]bool
		for m := range tray.Metric(tray.Metrics) {
			found[m] = make(map[string]bool)
			for _, s := range p.Successors(m, at) {
				found[m][p.Key(s.To)] = true
				drawings, err := replay.Moves(p, m, []tray.Move{p.Move(s)})
				if err != nil || len(drawings) != 2 || drawings[1] != p.FormatPosition(s.To) {
					t.Fatalf("%s: %v: %v gives %v, %v", p.FormatPosition(at), m, p.Move(s), drawings, err)
				}
				if !slices.ContainsFunc(p.Successors(m, s.To), func(b tray.Successor) bool {
					return b.Pieces == s.Pieces && slices.Equal(b.To, at)
				}) {
					t.Fatalf("%s: %v: %v does not lead back", p.FormatPosition(at), m, p.Move(s))
				}
			}
		}
		for _, pair := range [][2]tray.Metric{{tray.Steps, tray.Lines}, {tray.Lines, tray.Moves}, {tray.Supersteps, tray.Superlines}, {tray.Superlines, tray.Supermoves},
			{tray.Steps, tray.Supersteps}, {tray.Lines, tray.Superlines}, {tray.Moves, tray.Supermoves}} {
			for key := range maps.Keys(found[pair[0]]) {
				if !found[pair[1]][key] {
					t.Fatalf("%s: %v has a move that %v lacks", p.FormatPosition(at), pair[0], pair[1])
				}
			}
		}
	}
}
