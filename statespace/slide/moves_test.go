package slide

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestMovable holds the sets of pieces that move together against all sets there are.
func TestMovable(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		p := randomPuzzle(rng)
		at := walk(p, rng, 20)
		got := make(map[uint64]bool)
		for _, set := range p.movable(Supersteps, at) {
			if got[set] {
				t.Fatalf("%s: set %b twice", p.FormatPosition(at), set)
			}
			got[set] = true
		}
		for set := uint64(1); set < 1<<len(p.pieces); set++ {
			can := false
			for d := range Direction(directions) {
				_, ok := p.shifted(at, set, d)
				can = can || ok
			}
			if can != got[set] {
				t.Fatalf("%s: set %b can move: %t, found: %t", p.FormatPosition(at), set, can, got[set])
			}
		}
	}
}

func walk(p *Puzzle, rng *rand.Rand, n int) Position {
	at := p.Start()
	for range rng.IntN(n) {
		if next := p.successors(Steps, at); len(next) > 0 {
			at = next[rng.IntN(len(next))].pos
		}
	}
	return at
}

// TestSuccessors checks on random positions that every move replays to the position
// that it leads to, that it leads back, and that each metric has all that a stricter
// one has.
func TestSuccessors(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		p := randomPuzzle(rng)
		at := walk(p, rng, 20)
		for i := range p.pieces { // the replay starts from here
			p.pieces[i].at = at[i]
		}
		var found [Metrics]map[string]bool
		for m := range Metric(Metrics) {
			found[m] = make(map[string]bool)
			for _, s := range p.successors(m, at) {
				found[m][p.Key(s.pos)] = true
				drawings, err := p.Replay(m, []Move{p.move(s)})
				if err != nil || len(drawings) != 2 || drawings[1] != p.FormatPosition(s.pos) {
					t.Fatalf("%s: %v: %v gives %v, %v", p.FormatPosition(at), m, p.move(s), drawings, err)
				}
				if !slices.ContainsFunc(p.successors(m, s.pos), func(b successor) bool {
					return b.pieces == s.pieces && slices.Equal(b.pos, at)
				}) {
					t.Fatalf("%s: %v: %v does not lead back", p.FormatPosition(at), m, p.move(s))
				}
			}
		}
		for _, pair := range [][2]Metric{{Steps, Lines}, {Lines, Moves}, {Supersteps, Superlines}, {Superlines, Supermoves}, {Steps, Supersteps}, {Lines, Superlines}, {Moves, Supermoves}} {
			for key := range maps.Keys(found[pair[0]]) {
				if !found[pair[1]][key] {
					t.Fatalf("%s: %v has a move that %v lacks", p.FormatPosition(at), pair[0], pair[1])
				}
			}
		}
	}
}

func TestReplayErrors(t *testing.T) {
	p, err := ParsePuzzle("horizontal: C\ntray:\nAA.\nB.C\n..#D\n...D\ngoal:\n...\nAA.\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		metric Metric
		moves  []Move
		at     int
		reason string
	}{
		{Steps, []Move{{"A", "R"}, {"A", "R"}}, 2, "piece A cannot go R: there is a wall"},
		{Steps, []Move{{"A", "D"}}, 1, "piece B is in the way"},
		{Steps, []Move{{"C", "U"}}, 1, "piece C is horizontal"},
		{Steps, []Move{{"D", "L"}}, 1, "there is a wall"},
		{Steps, []Move{{"B", "DD"}}, 1, "DD is more than one step"},
		{Lines, []Move{{"B", "DR"}}, 1, "DR is no straight line"},
		{Moves, []Move{{"AB", "D"}}, 1, "several pieces"},
		{Supersteps, []Move{{"AA", "R"}}, 1, "named twice"},
		{Supersteps, []Move{{"E", "R"}}, 1, "there is no piece"},
		{Supersteps, []Move{{"A", "X"}}, 1, "unexpected 'X'"},
		{Supersteps, []Move{{"", "R"}}, 1, "expected the names"},
		{Supersteps, []Move{{"AB", "D"}}, 0, ""},
		{Supermoves, []Move{{"AB", "DD"}}, 2, "do not lead to a goal"},
		{Supermoves, []Move{{"AB", "DDUDU"}}, 0, ""},
	} {
		_, err := p.CheckSolution(c.metric, c.moves)
		var at *ReplayError
		if c.at == 0 {
			if err != nil {
				t.Errorf("%v: %v", c.moves, err)
			}
		} else if !errors.As(err, &at) || at.Move != c.at || !strings.Contains(at.Reason, c.reason) {
			t.Errorf("%v: %v, want move %d: %s", c.moves, err, c.at, c.reason)
		} else if errors.Is(err, ErrNotSolved) != (c.at > len(c.moves)) {
			t.Errorf("%v: is ErrNotSolved: %t", c.moves, errors.Is(err, ErrNotSolved))
		}
	}
}
