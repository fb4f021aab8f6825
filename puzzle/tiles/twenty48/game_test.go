package twenty48_test

import (
	"math"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/statespace/chance"
	"pagoda/statespace/chance/chancetest"
)

func solve(t testing.TB, o twenty48.Options, objectives string, threads int) chance.Result {
	t.Helper()
	g, err := twenty48.NewGame("test", o)
	if err != nil {
		t.Fatal(err)
	}
	var all []chance.Objective
	if objectives != "" {
		if all, err = chance.ParseObjectives(g, objectives); err != nil {
			t.Fatal(err)
		}
	}
	s, err := chance.New(g, chance.Options{Objectives: all, Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Run(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	return s.Result()
}

// near reports whether a value has all the digits of a published one.
func near(got, want, within float64) bool { return math.Abs(got-want) <= within }

func TestKnown(t *testing.T) {
	r := solve(t, twenty48.Options{Rows: 2, Columns: 2, P4: 0.1}, "score,tile:16,tile:32", 1)
	if r.States != 110 || r.Raw != 662 || r.Afterstates != 67 || r.Dead != 36 {
		t.Errorf("2x2: %d states (%d), %d afterstates, %d dead", r.States, r.Raw, r.Afterstates, r.Dead)
	}
	if !near(r.Values[0], 66.964149457101, 1e-12) || !near(chance.Chance(r.Values[1]).P(), 0.96251125375, 1e-12) || !near(chance.Chance(r.Values[2]).P(), 0.082887289072, 1e-12) {
		t.Errorf("2x2: %v", r.Values)
	}
	r = solve(t, twenty48.Options{Rows: 2, Columns: 3, P4: 0.1}, "score,tile:64,tile:128", 2)
	if r.States != 21752 || r.Raw != 85844 || r.Afterstates != 14883 || r.Dead != 4484 {
		t.Errorf("2x3: %d states (%d), %d afterstates, %d dead", r.States, r.Raw, r.Afterstates, r.Dead)
	}
	if !near(r.Values[0], 480.258271775958, 1e-11) || !near(chance.Chance(r.Values[1]).P(), 0.939263692431, 1e-12) || !near(chance.Chance(r.Values[2]).P(), 0.056992160496, 1e-12) {
		t.Errorf("2x3: %v", r.Values)
	}
	for _, c := range []struct {
		o    twenty48.Options
		want float64
	}{
		{twenty48.Options{Rows: 2, Columns: 3, P4: 0.5}, 356.627166380836},
		{twenty48.Options{Rows: 2, Columns: 2, P4: 1}, 136},
		{twenty48.Options{Rows: 2, Columns: 2, P4: 0}, 68},
	} {
		if r := solve(t, c.o, "score", 1); !near(r.Values[0], c.want, 1e-11) {
			t.Errorf("%+v: %v, expected %v", c.o, r.Values[0], c.want)
		}
	}
}

// J. Lees-Miller counts boards that are not dead, and takes the mean of all starts, up to symmetry, of 0.95 to
// the power of the moves to the target.
func TestDiscounted(t *testing.T) {
	for _, c := range []struct {
		rows, columns int
		target        uint64
		boards        uint64
		value         float64
	}{{3, 3, 64, 594046, 0.194536248513}, {4, 4, 8, 84659, 0.847035665714}} {
		if !long.Tests && c.boards > 100000 {
			continue
		}
		r := solve(t, twenty48.Options{Rows: c.rows, Columns: c.columns, Target: c.target, P4: 0.1}, "discount:0.95", 2)
		mean := 0.0
		for _, values := range r.Starts {
			mean += values[0] / float64(len(r.Starts))
		}
		if r.States-r.Dead != c.boards || !near(mean, c.value, 1e-12) {
			t.Errorf("%dx%d to %d: %d boards, %.13g", c.rows, c.columns, c.target, r.States-r.Dead, mean)
		}
	}
}

// A start is kept as boards are written. Its tiles bound those of the game, and of a standard game, too.
func TestStart(t *testing.T) {
	for _, c := range []struct {
		o     twenty48.Options
		start string
		most  int // the last of Marks
	}{
		{twenty48.Options{Rows: 2, Columns: 2, P4: 0.1}, "", 5},
		{twenty48.Options{Rows: 2, Columns: 2}, "", 4},
		{twenty48.Options{Rows: 2, Columns: 2, P4: 0.1, Start: " 2 4\r\n_ 0\n"}, "2,4/.,.", 5},
		{twenty48.Options{Rows: 2, Columns: 2, P4: 0.1, Start: "16,16/16,16"}, "16,16/16,16", 7},
		{twenty48.Options{Rows: 2, Columns: 3, P4: 0.1, Start: "32,2,8/.,.,8"}, "32,2,8/.,.,8", 10},
		{twenty48.Options{Rows: 2, Columns: 2, P4: 0.1, Start: "32768,2/.,."}, "32768,2/.,.", 15},
		{twenty48.Options{Rows: 2, Columns: 2, P4: 0.1, Start: "8,8/.,.", Target: 16}, "8,8/.,.", 4},
	} {
		g, err := twenty48.NewGame("test", c.o)
		if err != nil {
			t.Fatal(err)
		}
		marks := g.Marks()
		if most := marks[len(marks)-1]; g.Options.Start != c.start || most != c.most {
			t.Errorf("%+v: start %q, tiles up to 2^%d, expected %q and 2^%d", c.o, g.Options.Start, most, c.start, c.most)
		}
		s, err := chance.New(g, chance.Options{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
		found := 0
		for i, l := range s.Result().Layers {
			states, err := chancetest.States(s, i)
			if err != nil {
				t.Fatal(err)
			}
			for _, state := range states {
				found = max(found, g.NewRules().Mark(state))
			}
			if l.States == 0 {
				t.Errorf("%+v: layer %d has no states", c.o, l.Layer)
			}
		}
		if found > c.most {
			t.Errorf("%+v: a board has the tile 2^%d, more than 2^%d", c.o, found, c.most)
		}
		s.Close()
	}
	row := "32768,32768,32768,32768"
	full := strings.Join([]string{row, row, row, row}, "/")
	if _, err := twenty48.NewGame("test", twenty48.Options{Rows: 4, Columns: 4, Start: full}); err == nil || !strings.Contains(err.Error(), "has no number here") {
		t.Errorf("16 tiles of 32768: %v", err)
	}
}

// TestEstimate compares the estimates with the states of boards that were solved.
func TestEstimate(t *testing.T) {
	for _, c := range []struct {
		rows, columns int
		target        uint64
		states, layer float64
	}{
		{2, 2, 0, 110, 7}, {2, 3, 0, 21752, 302}, {2, 4, 64, 220575, 6533}, {3, 3, 0, 48713519, 0}, {3, 3, 64, 609981, 16545}, {3, 3, 256, 6116578, 54068},
		{3, 4, 16, 898594, 71735}, {3, 4, 32, 16355929, 737312}, {3, 4, 64, 158719987, 0}, {4, 4, 8, 84660, 9087}, {4, 4, 16, 23483970, 1656810}, {4, 4, 32, 1567514971, 0},
	} {
		g, err := twenty48.NewGame("test", twenty48.Options{Rows: c.rows, Columns: c.columns, Target: c.target, P4: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		all, layer := g.Estimate()
		if all < c.states/2 || all > 2*c.states {
			t.Errorf("%dx%d:%d: the estimate is %.0f of %.0f states", c.rows, c.columns, c.target, all, c.states)
		}
		if layer /= all / c.states; c.layer > 0 && (layer < c.layer || layer > 2*c.layer) {
			t.Errorf("%dx%d:%d: the estimate is %.0f of %.0f states in a layer", c.rows, c.columns, c.target, layer, c.layer)
		}
	}
}

func Benchmark3x3(b *testing.B) {
	for b.Loop() {
		r := solve(b, twenty48.Options{Rows: 3, Columns: 3, P4: 0.1}, "score,tile", 2)
		b.Log(r.States, r.Raw, r.Afterstates, r.Dead, r.Values)
	}
}

func Benchmark3x3Forwards(b *testing.B) {
	for b.Loop() {
		r := solve(b, twenty48.Options{Rows: 3, Columns: 3, P4: 0.1}, "", 2)
		b.Log(r.States, r.Raw, r.Afterstates, r.Dead, r.Values)
	}
}
