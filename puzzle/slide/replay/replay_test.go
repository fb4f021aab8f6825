package replay_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/puzzle/slide/replay"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
)

// TestSteps checks that the checker allows exactly the steps that Successors makes, of every set
// of pieces in every direction.
func TestSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	walled, inParts := 0, 0
	for range 300 {
		p := slidetest.Random(rng)
		if len(p.Walls()) > 0 {
			walled++
		}
		if strings.Contains(p.Format(), "parts:") {
			inParts++
		}
		at := slidetest.Walk(p, rng, 20)
		q := p.From(at)
		next := p.Successors(tray.Supersteps, at)
		for set := uint64(1); set < 1<<len(p.Pieces()); set++ {
			for d := range tray.Direction(tray.Directions) {
				mv := p.Move(tray.Successor{Pieces: set, Path: []tray.Direction{d}})
				_, err := replay.Moves(q, tray.Supersteps, []tray.Move{mv})
				if made := slices.ContainsFunc(next, func(s tray.Successor) bool { return s.Pieces == set && s.Path[0] == d }); made != (err == nil) {
					t.Fatalf("%s%v is a successor: %t, the checker: %v", q.Format(), mv, made, err)
				}
			}
		}
	}
	if walled < 100 || inParts < 30 {
		t.Errorf("only %d trays have thin walls, %d pieces in parts", walled, inParts)
	}
}

func TestErrors(t *testing.T) {
	p := slidetest.Parse(t, "horizontal: C\ntray:\nAA.\nB.C\n..#D\n...D\ngoal:\n...\nAA.\n")
	for _, c := range []struct {
		metric tray.Metric
		moves  []tray.Move
		at     int // 0: no error
		reason string
	}{
		{tray.Steps, []tray.Move{{Pieces: "A", Path: "R"}, {Pieces: "A", Path: "R"}}, 2, "piece A cannot go R: there is a wall"},
		{tray.Steps, []tray.Move{{Pieces: "A", Path: "D"}}, 1, "piece B is in the way"},
		{tray.Steps, []tray.Move{{Pieces: "C", Path: "U"}}, 1, "piece C is horizontal"},
		{tray.Steps, []tray.Move{{Pieces: "D", Path: "L"}}, 1, "there is a wall"},
		{tray.Steps, []tray.Move{{Pieces: "B", Path: "DD"}}, 1, "DD is more than one step"},
		{tray.Lines, []tray.Move{{Pieces: "B", Path: "DR"}}, 1, "DR is no straight line"},
		{tray.Moves, []tray.Move{{Pieces: "AB", Path: "D"}}, 1, "several pieces"},
		{tray.Supersteps, []tray.Move{{Pieces: "AA", Path: "R"}}, 1, "named twice"},
		{tray.Supersteps, []tray.Move{{Pieces: "E", Path: "R"}}, 1, "there is no piece"},
		{tray.Supersteps, []tray.Move{{Pieces: "A", Path: "X"}}, 1, "unexpected 'X'"},
		{tray.Supersteps, []tray.Move{{Pieces: "", Path: "R"}}, 1, "expected the names"},
		{tray.Supersteps, []tray.Move{{Pieces: "AB", Path: "D"}}, 0, ""},
		{tray.Supermoves, []tray.Move{{Pieces: "AB", Path: "DD"}}, 2, "do not lead to a goal"},
		{tray.Supermoves, []tray.Move{{Pieces: "AB", Path: "DDUDU"}}, 0, ""},
	} {
		_, err := replay.Solution(p, c.metric, c.moves)
		var at *replay.Error
		if c.at == 0 {
			if err != nil {
				t.Errorf("%v: %v", c.moves, err)
			}
		} else if !errors.As(err, &at) || at.Move != c.at || !strings.Contains(at.Reason, c.reason) {
			t.Errorf("%v: %v, want move %d: %s", c.moves, err, c.at, c.reason)
		} else if errors.Is(err, replay.ErrNotSolved) != (c.at > len(c.moves)) {
			t.Errorf("%v: is ErrNotSolved: %t", c.moves, errors.Is(err, replay.ErrNotSolved))
		}
	}
}
