package twenty48_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/sorted"
	"pagoda/statespace"
	"pagoda/statespace/chance"
	"pagoda/statespace/chance/chancetest"
	"pagoda/statespace/spacetest"
	"pagoda/statespace/sparse"
)

// forwards is a game that cannot go back.
type forwards struct{ statespace.Game }

// numberedBy numbers the states that a solver has found.
func numberedBy(t *testing.T, g statespace.Game, s *chance.Solver) statespace.Space {
	t.Helper()
	var data bytes.Buffer
	w, err := sorted.NewWriter(&data, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range s.Result().Layers {
		states, err := chancetest.States(s, i)
		if err != nil {
			t.Fatal(err)
		}
		var codes []uint64
		for _, state := range states {
			codes = append(codes, uint64(l.Layer), state)
		}
		if err := w.Append(codes); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	list, err := sorted.Over(data.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	sp, err := sparse.Of(chance.NewSpace(g)).Numbered(list)
	if err != nil {
		t.Fatal(err)
	}
	spacetest.Keeps(t, chance.NewSpace(g), sp, map[string]string{"Codes.Graph": "the states are numbered", "Codes.Numbered": "likewise"})
	return sp
}

// TestBefore compares the moves that lead to a state with those that a search through whole layers finds.
func TestBefore(t *testing.T) {
	for _, c := range []struct {
		o      twenty48.Options
		states int // 0: all
	}{
		{twenty48.Options{Rows: 1, Columns: 1, P4: 0.1}, 0},
		{twenty48.Options{Rows: 2, Columns: 2, P4: 0.1}, 0},
		{twenty48.Options{Rows: 1, Columns: 6, P4: 0.1}, 30},
		{twenty48.Options{Rows: 2, Columns: 3, Target: 32, P4: 0.1}, 30},
		{twenty48.Options{Rows: 3, Columns: 2, P4: 1, Start: "2,./4,./.,."}, 30},
		{twenty48.Options{Rows: 2, Columns: 3, P4: 0.1}, 20},
		{twenty48.Options{Rows: 3, Columns: 3, Target: 16, P4: 0.1}, 5},
		{twenty48.Options{Rows: 2, Columns: 2, P4: 0, Start: "32768,32768/16384,2"}, 0},
	} {
		if !long.Tests && c.o.Rows*c.o.Columns >= 6 && c.o.Target == 0 {
			continue // for its time
		}
		g, err := twenty48.NewGame("test", c.o)
		if err != nil {
			t.Fatal(err)
		}
		s, err := chance.New(g, chance.Options{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if err := s.Run(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
		sp, plain := numberedBy(t, g, s), numberedBy(t, forwards{g}, s)
		rng := rand.New(rand.NewPCG(1, 1))
		n, all := sp.Size(), 0
		if c.states > 0 {
			n = min(n, uint64(c.states))
		}
		for x := range n {
			if c.states > 0 {
				x = rng.Uint64N(sp.Size())
			}
			got, want := sp.Predecessors(nil, x), plain.Predecessors(nil, x)
			if !slices.Equal(got, want) {
				t.Fatalf("%+v: %d moves lead to %s, expected %d: %v, %v", c.o, len(got), sp.Format(x), len(want), got, want)
			}
			all += len(got)
		}
		if all == 0 && sp.Size() > 3 {
			t.Errorf("%+v: no move leads to any of %d states", c.o, n)
		}
	}
}
