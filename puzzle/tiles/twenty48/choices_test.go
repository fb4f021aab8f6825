package twenty48_test

import (
	"math"
	"testing"

	"pagoda/puzzle/tiles/twenty48"
	"pagoda/statespace/chance"
)

// TestChoices computes the values of the start from those of moves alone, without layers, as a player who takes a best move.
func TestChoices(t *testing.T) {
	const objectives = "score,tile,length,tile:16>score,discount:0.9:8,moves:8"
	o := twenty48.Options{Rows: 2, Columns: 2}
	want := solve(t, o, objectives, 1).Values
	g, err := twenty48.NewGame("test", o)
	if err != nil {
		t.Fatal(err)
	}
	all, err := chance.ParseObjectives(g, objectives)
	if err != nil {
		t.Fatal(err)
	}
	known := make(map[uint64][]float64)
	var lookup func(dst []float64, layer int, state uint64) error
	lookup = func(dst []float64, layer int, state uint64) error {
		if v := known[state]; v != nil {
			copy(dst, v)
			return nil
		}
		choices, err := (&chance.Solution{Game: g, Objectives: all, Lookup: lookup}).Choices(layer, state)
		if err != nil {
			return err
		}
		v, c := make([]float64, len(dst)), 0
		for i, o := range all {
			best := -1
			for m, choice := range choices {
				if choice.Best[i] {
					best = m
				}
			}
			for at, term := range o.Terms {
				reached := term.Mark > 0 && g.NewRules().Mark(state) >= term.Mark
				switch {
				case best >= 0:
					v[c] = choices[best].Values[c]
				case reached && term.Kind == chance.Reach:
					v[c] = float64(chance.Certain)
				case reached && term.Kind == chance.Discount:
					v[c] = 1
				case !reached && term.Kind == chance.Moves && at == 0:
					v[c] = math.Inf(1)
				}
				c++
			}
		}
		known[state] = v
		copy(dst, v)
		return nil
	}
	mean, values := chance.NewMeans(all), make([]float64, chance.Columns(all))
	for _, d := range g.Start() {
		if err := lookup(values, d.Step, d.To); err != nil {
			t.Fatal(err)
		}
		mean.Add(d.Chance, values)
	}
	for c, got := range mean.Mean() {
		if got != want[c] && math.Abs(got-want[c]) > 1e-12*math.Abs(want[c]) {
			t.Errorf("column %d is %v, expected %v", c, got, want[c])
		}
	}
}
