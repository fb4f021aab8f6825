package slide

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/spacetest"
)

func TestSpace(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	puzzles := make(map[string]*Puzzle)
	names := []string{"slide/dads", "slide/rushhour", "slide/n3x2"}
	random := 10
	if !testing.Short() {
		names = append(names, "slide/klotski")
		random = 30
	}
	for _, name := range names {
		p, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		puzzles[name] = p
	}
	for i := range random {
		puzzles["random "+string(rune('A'+i))] = randomPuzzle(rng)
	}
	for _, name := range slices.Sorted(maps.Keys(puzzles)) {
		p := puzzles[name]
		for m := range Metric(Metrics) {
			toGoal := p.Goals() > 0 && rng.IntN(2) == 0
			sp, err := NewSpace(name, p, m, toGoal, 0)
			if err != nil {
				t.Fatal(err)
			}
			if sp.Size() > 1<<17 || m != Steps && sp.Size() > 1<<12 {
				continue
			}
			spacetest.Test(t, sp, 50)
			again, err := Define(sp.Definition())
			if err != nil {
				t.Fatal(err)
			}
			if again.Size() != sp.Size() || again.Roots()[0] != sp.Roots()[0] || again.ToGoal() != toGoal || !again.Definition().SamePuzzle(sp.Definition()) {
				t.Errorf("%s: its definition makes another space", name)
			}
			distances, err := bitset.PlanesOver(make([]uint64, bitset.PlaneWords(sp.Size(), statespace.DistanceBits)), sp.Size(), statespace.DistanceBits)
			if err != nil {
				t.Fatal(err)
			}
			r, err := statespace.FindDistances(t.Context(), sp, NumbersEngine.String(), distances, 2, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !toGoal && p.States != 0 && r.States() != p.States {
				t.Errorf("%s: %d positions, want %d", name, r.States(), p.States)
			}
			solved, err := SolvePlain(t.Context(), p, m, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Goals) > 0 != solved.Solved || r.Length != solved.Length || r.Solutions.Cmp(solved.Solutions) != 0 ||
				!slices.Equal(r.Layers, solved.Layers[:len(r.Layers)]) || !toGoal && len(r.Layers) != len(solved.Layers) {
				t.Errorf("%s, %v: %+v, solve finds %+v", name, m, r, solved)
			}
			if !solved.Solved {
				continue
			}
			way, err := statespace.ShortestPath(sp, statespace.Known(distances), r.Goals[0], r.Length)
			if err != nil {
				t.Fatal(err)
			}
			moves, from, err := sp.Moves(way)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.From(from).CheckSolution(m, moves); err != nil {
				t.Errorf("%s, %v: %v", name, m, err)
			}
		}
	}
	dads := puzzles["slide/dads"]
	if _, err := NewSpace("bad", dads, Metrics, false, 0); err == nil {
		t.Error("a space of an unknown metric was made")
	}
	var size *SizeError
	if _, err := NewSpace("large", dads, Steps, false, 1000); !errors.As(err, &size) {
		t.Errorf("in 1000 bytes: %v", err)
	}
}

// Ways that are none are not told.
func TestTell(t *testing.T) {
	p, err := Lookup("slide/dads")
	if err != nil {
		t.Fatal(err)
	}
	sp, err := NewSpace("slide/dads", p, Steps, false, 0)
	if err != nil {
		t.Fatal(err)
	}
	from := sp.Roots()[0]
	moves, states, err := sp.Tell(statespace.Way{From: from})
	if err != nil || len(moves) != 0 || !slices.Equal(states, []string{sp.Format(from)}) {
		t.Errorf("%v %v %v", moves, states, err)
	}
	for x := range sp.Size() {
		isNext := slices.Contains(sp.Successors(nil, from), statespace.Edge{To: x})
		_, _, err := sp.Tell(statespace.Way{From: from, Steps: []statespace.Step{{State: x}}})
		if (err == nil) != isNext {
			t.Fatalf("from the start to %s: %v", sp.Format(x), err)
		}
	}
}

func TestParsePosition(t *testing.T) {
	p, err := ParsePuzzle("rushhour:\ntray:\nAA..#\n#B..C\n#B..C\n")
	if err != nil {
		t.Fatal(err)
	}
	sp, err := NewSpace("small", p, Steps, false, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sp.Parse(".AA.\n#B..C\n#B..C"); err != nil {
		t.Error(err)
	}
	spacetest.MustFail(t, sp, "AA../#.B.C/#.B.C", true) // B cannot leave its column
	for _, text := range []string{"", "AA..", "AA../#B..C/#B..", "AA../#B..C/#...C", "AA../#B..C/#B..D", "AA../#B..C/#.B.C", "AA../.B..C/#B..C", "AA..B/#...C/#...C", "A#A./#B..C/#B..C", "..../#B..C/#B..C", "AA../#B..C/#B..C/"} {
		spacetest.MustFail(t, sp, text, false)
	}
}
