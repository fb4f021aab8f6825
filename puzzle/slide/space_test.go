package slide

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/replay"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/spacetest"
	"pagoda/statespace/sparse"
)

func TestSpace(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	puzzles := make(map[string]*tray.Puzzle)
	names := []string{"slide/dads", "slide/rushhour", "slide/n3x2"}
	random, most := 15, uint64(1<<15)
	if !long.Tests {
		random, most = 2, 1<<10
	}
	for _, name := range names {
		puzzles[name] = slidetest.Lookup(t, name)
	}
	for i := range random {
		puzzles["random "+string(rune('A'+i))] = slidetest.Random(rng)
	}
	for _, name := range slices.Sorted(maps.Keys(puzzles)) {
		p := puzzles[name]
		for m := range tray.Metric(tray.Metrics) {
			toGoal := p.Goals() > 0 && rng.IntN(2) == 0
			sp := mustSpace(t, name, p, m, toGoal)
			if sp.Size() > most || m != tray.Steps && sp.Size() > 1<<12 {
				continue
			}
			spacetest.Test(t, sp, 50)
			again, err := Define(t.Context(), sp.Definition(), 0)
			if err != nil {
				t.Fatal(err)
			}
			if again.Size() != sp.Size() || again.Roots()[0] != sp.Roots()[0] || again.Parts().Goals.Ends != toGoal || !again.Definition().SamePuzzle(sp.Definition()) {
				t.Errorf("%s: its definition makes another space", name)
			}
			compareSearch(t, sp)
		}
	}
	dads := puzzles["slide/dads"]
	if _, err := NewSpace(t.Context(), "bad", dads, tray.Metrics, false, 0); err == nil {
		t.Error("a space of an unknown metric was made")
	}
	var size *packing.LimitError
	if _, err := NewSpace(t.Context(), "large", dads, tray.Steps, false, 1000); !errors.As(err, &size) {
		t.Errorf("in 1000 bytes: %v", err)
	}
}

// compareSearch compares a search of a space with the plain search of its puzzle.
func compareSearch(t *testing.T, sp *Space) {
	t.Helper()
	p, m, toGoal := sp.Puzzle(), sp.Metric(), sp.toGoal
	r, err := bfs.New(t.Context(), bfs.Of(sp), bfs.Options{ToGoal: toGoal, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Run(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	solutions := new(big.Int)
	if len(r.Goals) > 0 {
		paths, err := r.Shortest(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		solutions = paths.Total()
	}
	if !toGoal && p.States != 0 && r.States() != p.States {
		t.Errorf("%s: %d positions, want %d", sp.Name(), r.States(), p.States)
	}
	want := mustSolve(t, p, m, Options{Engine: plainEngine})
	if len(r.Goals) > 0 != want.Solved || r.Length != want.Length || solutions.Cmp(want.Solutions) != 0 ||
		!slices.Equal(r.Layers, want.Layers[:len(r.Layers)]) || !toGoal && len(r.Layers) != len(want.Layers) {
		t.Errorf("%s, %v: %+v, the plain search finds %+v", sp.Name(), m, r.Result, want)
	}
	if !want.Solved {
		return
	}
	path, err := bfs.ShortestPath(sp, r.Distances(), r.Goals[0], r.Length)
	if err != nil {
		t.Fatal(err)
	}
	moves, from, err := sp.Moves(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := replay.Solution(p.From(from), m, moves); err != nil {
		t.Errorf("%s, %v: %v", sp.Name(), m, err)
	}
}

// TestNarrate: steps that are no moves are an error.
func TestNarrate(t *testing.T) {
	sp := mustSpace(t, "slide/dads", slidetest.Lookup(t, "slide/dads"), tray.Steps, false)
	from := sp.Roots()[0]
	moves, states, err := sp.Narrate(statespace.Path{From: from})
	if err != nil || len(moves) != 0 || !slices.Equal(states, []string{sp.Format(from)}) {
		t.Errorf("%v %v %v", moves, states, err)
	}
	for x := range sp.Size() {
		isNext := slices.Contains(sp.Successors(nil, from), statespace.Edge{To: x})
		_, _, err := sp.Narrate(statespace.Path{From: from, Steps: []statespace.Step{{State: x}}})
		if (err == nil) != isNext {
			t.Fatalf("from the start to %s: %v", sp.Format(x), err)
		}
	}
}

// StartAt makes a puzzle that begins elsewhere. What it reaches, and how far it is, is what the
// plain search of that puzzle finds; from a position that the start reaches, both reach the same.
func TestStartAt(t *testing.T) {
	for name, want := range map[string]uint64{"slide/dads": 1398, "slide/n2x3": 360} {
		if !long.Tests && name == "slide/dads" {
			continue
		}
		sp := mustSpace(t, name, slidetest.Lookup(t, name), tray.Steps, false)
		text := "213/45." // of the other parity: the start does not reach it
		if name == "slide/dads" {
			x := sp.Roots()[0]
			for range 9 {
				edges := sp.Successors(nil, x)
				x = edges[len(edges)-1].To
			}
			text = sp.Format(x)
		}
		start, err := sp.StartAt(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		other := start.(*Space)
		if got := other.Format(other.Roots()[0]); got != text || other.Name() != name+" from "+text || other.Metric() != tray.Steps {
			t.Errorf("%s starts at %s, want %s", other.Name(), got, text)
		}
		spacetest.Test(t, other, 20)
		compareSearch(t, other)
		r, err := bfs.New(t.Context(), bfs.Of(other), bfs.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if err := r.Run(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
		if r.States() != want {
			t.Errorf("%s reaches %d positions, want %d", other.Name(), r.States(), want)
		}
	}
	sp := mustSpace(t, "slide/n2x3", slidetest.Lookup(t, "slide/n2x3"), tray.Steps, false)
	for _, text := range []string{"", "213/45", "213/455"} {
		if other, err := sp.StartAt(t.Context(), text); err == nil || other != nil {
			t.Errorf("%q: %v, %v", text, other, err)
		}
	}
}

func TestParse(t *testing.T) {
	p := slidetest.Parse(t, "rushhour:\ntray:\nAA..#\n#B..C\n#B..C\n")
	sp := mustSpace(t, "small", p, tray.Steps, false)
	if _, err := sp.Parse(".AA.\n#B..C\n#B..C"); err != nil {
		t.Error(err)
	}
	spacetest.MustFail(t, sp, "AA../#.B.C/#.B.C", true) // B cannot leave its column
	for _, text := range []string{"", "AA..", "AA../#B..C/#B..", "AA../#B..C/#...C", "AA../#B..C/#B..D", "AA../#B..C/#.B.C", "AA../.B..C/#B..C", "AA..B/#...C/#...C", "A#A./#B..C/#B..C", "..../#B..C/#B..C", "AA../#B..C/#B..C/."} {
		spacetest.MustFail(t, sp, text, false)
	}
	// A position of an n-puzzle with the wrong parity.
	tiles := mustSpace(t, "tiles", slidetest.Lookup(t, "slide/n2x3"), tray.Steps, false)
	spacetest.MustFail(t, tiles, "213/45.", true)
}

func TestExplain(t *testing.T) {
	u, err := NewUnnumbered("row", slidetest.Parse(t, "tray: AB."), tray.Steps, false)
	if err != nil {
		t.Fatal(err)
	}
	sp, err := u.numbered(sparse.CodesOf(1, u.codes().Roots[0]))
	if err != nil {
		t.Fatal(err)
	}
	for want, e := range map[string]fmt.Stringer{
		"numbering   none, as the placements are too many: positions that are found have keys of 8 bytes\n": u.Explain(),
		"numbering   rank in a list of 1 positions, by keys of 8 bytes\n":                                   sp.(*Listed).Explain(),
	} {
		if got := e.String(); !strings.HasSuffix(got, want) {
			t.Errorf("explained as\n%swant\n%s", got, want)
		}
	}
	for name, want := range map[string]string{
		"slide/dads": "tray        20 cells, 9 pieces of 4 kinds; metric steps\nnumbering   packing rank: 18504 placements, 1005 nodes, ",
		"slide/n2x3": "tray        6 cells, 5 pieces of 5 kinds; metric steps\nnumbering   tiles in the order of reading: 360 positions, and all can be reached\n",
	} {
		sp := mustSpace(t, name, slidetest.Lookup(t, name), tray.Steps, false)
		if got := sp.Explain().String(); got[:min(len(got), len(want))] != want {
			t.Errorf("%s is explained as\n%swant\n%s", name, got, want)
		}
	}
}
