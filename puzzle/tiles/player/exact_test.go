package player

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/threes"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/statespace"
)

// Games of Of follow the exact rules: they start where these start, each state is one that these make of the state
// before, they end where these end, and the scores are equal.
func TestOf(t *testing.T) {
	bonus := threes.Standard(2, 3)
	bonus.Bonus, bonus.Stop, bonus.Start = true, 768, "192,96,6/3,2,1"
	hidden := bonus
	hidden.Hidden, hidden.Bag = true, 2
	none := threes.Standard(2, 3)
	none.Bag, none.Hidden = 0, true
	stopped := threes.Options{Rows: 2, Columns: 2, Bag: 4, Stop: 12, Start: "6,6/.,1@1122233"}
	var all []statespace.Game
	for _, o := range []threes.Options{threes.Standard(2, 2), threes.Standard(3, 3), bonus, hidden, none, stopped} {
		g, err := threes.NewGame("threes", o)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
	}
	for _, o := range []twenty48.Options{{Rows: 2, Columns: 3, P4: 0.1}, {Rows: 3, Columns: 3, P4: 0.5, Target: 32}, {Rows: 3, Columns: 3, P4: 1, Start: "8,2,2/.,.,4/.,.,."}} {
		g, err := twenty48.NewGame("2048", o)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
	}
	for _, exact := range all {
		g, ok := Of(exact)
		if !ok {
			t.Fatalf("%+v is no game to play", exact)
		}
		rules, steps := exact.NewRules(), 0
		for n := range uint64(300) {
			r := rand.New(rand.NewPCG(73, n))
			s := g.Start(r)
			layer, state, _, _ := g.Exact(s)
			if !slices.ContainsFunc(exact.Start(), func(d statespace.GameDraw) bool { return d.To == state && d.Step == layer }) {
				t.Fatalf("%s: a game begins with %s", g.Name(), startText(g, s))
			}
			for {
				layer, state, known, symmetry := g.Exact(s)
				if err := exact.Check(layer, state); err != nil {
					t.Fatalf("%s: %s %v", g.Name(), startText(g, s), err)
				}
				chances := 0.0
				shown := g.Shown(nil, g.Image(s))
				for _, d := range shown {
					chances += d.Chance
				}
				if !slices.ContainsFunc(shown, func(d Draw) bool { return d.To == s }) || math.Abs(chances-1) > 1e-12 {
					t.Fatalf("%s: of %s, the player may see %v", g.Name(), startText(g, s), shown)
				}
				d, ok := NewRandom(g).Choose(r, s)
				moves := rules.Moves(nil, state)
				if !ok {
					if len(moves) > 0 {
						t.Fatalf("%s: %s is an end", g.Name(), startText(g, s))
					}
					if want := rules.Final(state); g.Score(0, s.Board) != int64(want) {
						t.Fatalf("%s: %s has the score %d, want %v", g.Name(), startText(g, s), g.Score(0, s.Board), want)
					}
					break
				}
				after, gain, _ := g.Slide(s, d)
				to := g.Draw(r, after)
				image := g.Image(to)
				if !slices.ContainsFunc(g.Entries(nil, after), func(d Draw) bool { return g.Image(d.To) == image }) {
					t.Fatalf("%s: %s follows, which is no entry", g.Name(), startText(g, to))
				}
				at := slices.IndexFunc(moves, func(m statespace.GameMove) bool {
					return m.Case == known && glide.Direction(m.Number) == exact.(interface {
						ImageDirection(s int, d glide.Direction) glide.Direction
					}).ImageDirection(symmetry, d)
				})
				if at < 0 {
					t.Fatalf("%s: %s has no move %v", g.Name(), startText(g, s), d)
				}
				if _, is := exact.(*twenty48.Game); is && moves[at].Gain != float64(gain) {
					t.Fatalf("%s: %s %v gains %d, want %v", g.Name(), startText(g, s), d, gain, moves[at].Gain)
				}
				if moves[at].Won {
					if _, ok := NewRandom(g).Choose(r, to); ok {
						t.Fatalf("%s: %s wins, and goes on", g.Name(), startText(g, s))
					}
					break
				}
				_, next, _, _ := g.Exact(to)
				if !slices.ContainsFunc(rules.Draws(nil, moves[at].After), func(d statespace.GameDraw) bool { return d.To == next }) {
					t.Fatalf("%s: %s %v leads to %s", g.Name(), startText(g, s), d, startText(g, to))
				}
				s = to
				steps++
			}
		}
		if steps < 200 {
			t.Errorf("%s: %d steps", g.Name(), steps)
		}
	}
	if _, ok := Of(nil); ok {
		t.Error("there is a game of nothing")
	}
}
