package regret

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/player"
	"pagoda/puzzle/tiles/threes"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/statespace"
	"pagoda/statespace/chance"
)

// A setting is a game as players have it, and as it is solved.
type setting struct {
	name  string
	game  player.Game // that is played
	whole player.Game // that its players know
	exact statespace.Game
}

func twenty(t testing.TB, rows, columns int, target uint64) setting {
	t.Helper()
	g, err := player.New2048(rows, columns, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	exact, err := twenty48.NewGame("2048", twenty48.Options{Rows: rows, Columns: columns, Target: target, P4: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	s := setting{g.Name(), g, g, exact}
	if target > 0 {
		if s.game, err = player.Until(g, target); err != nil {
			t.Fatal(err)
		}
		s.name = s.game.Name()
	}
	return s
}

func three(t testing.TB, bag, stop int, bonus bool) setting {
	t.Helper()
	g, err := player.NewThrees(threes.Options{Rows: 2, Columns: 2, Bag: bag, Bonus: bonus})
	if err != nil {
		t.Fatal(err)
	}
	exact, err := threes.NewGame("threes", threes.Options{Rows: 2, Columns: 2, Bag: bag, Stop: stop, Bonus: bonus})
	if err != nil {
		t.Fatal(err)
	}
	s := setting{g.Name(), g, g, exact}
	if stop > 0 {
		if s.game, err = player.Until(g, uint64(stop)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// solve returns the solution of a setting for the first of some objectives, from chance.Choices alone, without
// layers and files.
func solve(t testing.TB, s setting, objectives string) *Solution {
	t.Helper()
	all, err := chance.ParseObjectives(s.exact, objectives)
	if err != nil {
		t.Fatal(err)
	}
	sol := &Solution{Solution: &chance.Solution{Game: s.exact, Objectives: all}}
	known := make(map[uint64][]float64)
	sol.Lookup = func(dst []float64, layer int, state uint64) error {
		if v, ok := known[state]; ok {
			copy(dst, v)
			return nil
		}
		choices, err := sol.Choices(layer, state)
		if err != nil {
			return err
		}
		var v []float64
		if len(choices) == 0 {
			v = make([]float64, len(dst))
			for c, o := range all {
				t := o.Terms[0]
				switch reached := s.exact.NewRules().Mark(state) >= t.Mark; {
				case t.Kind == chance.Score:
					v[c] = s.exact.NewRules().Final(state)
				case t.Kind == chance.Reach && reached:
					v[c] = float64(chance.Certain)
				case t.Kind == chance.Discount && reached:
					v[c] = 1
				}
			}
		} else {
			mean, done := chance.NewMeans(all), -1
			for _, c := range choices {
				if int(c.Case) == done {
					continue
				}
				done = int(c.Case)
				row := make([]float64, len(dst))
				for i := range all {
					for _, d := range choices {
						if d.Case == c.Case && d.Best[i] {
							row[i] = d.Values[i]
						}
					}
				}
				mean.Add(c.Chance, row)
			}
			v = mean.Mean()
		}
		known[state] = v
		copy(dst, v)
		return nil
	}
	mean, values := chance.NewMeans(all), make([]float64, len(all))
	for _, d := range s.exact.Start() {
		if err := sol.Lookup(values, d.Step, d.To); err != nil {
			t.Fatal(err)
		}
		mean.Add(d.Chance, values)
	}
	sol.Start = mean.Mean()[0]
	return sol
}

// A plain evaluates games by recursion over boards as they are played: no symmetry, no layers. Chances are those
// of failing, so that small ones have all digits.
type plain struct {
	s      setting
	term   chance.Term
	best   map[player.State]float64
	policy map[player.State]float64
	regret map[player.State]float64 // expected sum from here on
	player player.Player
}

func newPlain(s setting, term chance.Term, p player.Player) *plain {
	return &plain{s, term, make(map[player.State]float64), make(map[player.State]float64), make(map[player.State]float64), p}
}

// over returns the value of a state that decides it.
func (p *plain) over(s player.State) (float64, bool) {
	reached := p.term.Mark > 0 && int(glide.Max(s.Board)) >= p.term.Mark
	moves := false
	for d := range glide.Direction(glide.Directions) {
		_, _, moved := p.s.game.Slide(s, d)
		moves = moves || moved
	}
	switch {
	case reached && p.term.Kind == chance.Discount:
		return 1, true
	case reached:
		return 0, true
	case moves:
		return 0, false
	case p.term.Kind == chance.Reach:
		return 1, true
	}
	return float64(p.s.game.Score(0, s.Board)), true
}

// worth returns what a slide is worth, if to gives what states are worth.
func (p *plain) worth(s player.State, d glide.Direction, to func(player.State) float64) float64 {
	after, gain, _ := p.s.game.Slide(s, d)
	sum := 0.0
	for _, draw := range p.s.game.Draws(nil, after) {
		sum += draw.Chance * to(draw.To)
	}
	switch {
	case p.term.Kind == chance.Discount:
		sum *= p.term.Factor
	case p.term.Kind == chance.Score && p.s.game.Score(0, after.Board) == 0: // games of Threes score at the end
		sum += float64(gain)
	}
	return sum
}

func (p *plain) optimal(s player.State) float64 {
	if v, ok := p.best[s]; ok {
		return v
	}
	v, over := p.over(s)
	if !over {
		first := true
		for d := range glide.Direction(glide.Directions) {
			if _, _, moved := p.s.game.Slide(s, d); !moved {
				continue
			}
			u := p.worth(s, d, p.optimal)
			if first || p.term.Kind == chance.Reach && u < v || p.term.Kind != chance.Reach && u > v {
				v, first = u, false
			}
		}
	}
	p.best[s] = v
	return v
}

// loss returns the regret of a slide.
func (p *plain) loss(s player.State, d glide.Direction) float64 {
	if _, over := p.over(s); over {
		return 0 // a mark is reached
	}
	return math.Abs(p.optimal(s) - p.worth(s, d, p.optimal))
}

// played returns what a state is worth for the player, and lost the expected sum of regrets.
func (p *plain) played(s player.State) float64 {
	if v, ok := p.policy[s]; ok {
		return v
	}
	v, over := p.over(s)
	if !over {
		d, _ := p.player.Choose(nil, s)
		v = p.worth(s, d, p.played)
	}
	p.policy[s] = v
	return v
}

func (p *plain) lost(s player.State) float64 {
	if v, ok := p.regret[s]; ok {
		return v
	}
	v := 0.0
	if _, over := p.over(s); !over {
		d, _ := p.player.Choose(nil, s)
		after, _, _ := p.s.game.Slide(s, d)
		for _, draw := range p.s.game.Draws(nil, after) {
			v += draw.Chance * p.lost(draw.To)
		}
		if p.term.Kind == chance.Discount {
			v *= p.term.Factor
		}
		v += p.loss(s, d)
	}
	p.regret[s] = v
	return v
}

// start returns the mean of a function of the two tiles that start a game of 2048.
func (p *plain) start(of func(player.State) float64) (sum float64) {
	for _, one := range p.s.game.Draws(nil, player.State{}) {
		for _, two := range p.s.game.Draws(nil, one.To) {
			sum += one.Chance * two.Chance * of(two.To)
		}
	}
	return sum
}

// The judge finds the regret of every slide of every board, as the plain twin does.
func TestRegrets(t *testing.T) {
	type played struct {
		s         setting
		objective string
	}
	all := []played{
		{twenty(t, 2, 2, 0), "score"}, {twenty(t, 2, 2, 0), "tile:16"}, {twenty(t, 2, 2, 0), "discount:0.9:16"}, {twenty(t, 3, 2, 16), "target"},
		{three(t, 4, 0, false), "score"}, {three(t, 4, 0, false), "tile:12"}, {three(t, 0, 0, false), "score"}, {three(t, 1, 24, false), "target"},
	}
	if long.Tests {
		all = append(all, played{twenty(t, 2, 3, 0), "score"}, played{twenty(t, 2, 3, 0), "tile:16"}, played{twenty(t, 2, 4, 16), "target"},
			played{twenty(t, 3, 2, 32), "target"}, played{twenty(t, 2, 3, 32), "score"})
	}
	for _, c := range all {
		sol := solve(t, c.s, c.objective)
		j, err := NewJudge(sol, c.s.game, 3, func(err error) { t.Error(err) })
		if err != nil {
			t.Fatal(err)
		}
		p := newPlain(c.s, *sol.term(), nil)
		seen := make(map[player.State]bool)
		mistakes := 0
		var visit func(s player.State)
		visit = func(s player.State) {
			if seen[s] {
				return
			}
			seen[s] = true
			for d := range glide.Direction(glide.Directions) {
				after, _, moved := c.s.game.Slide(s, d)
				if !moved {
					continue
				}
				w := &watcher{judge: j, weight: 1}
				w.Move(s, d)
				got, want := w.game[0].regret, p.loss(s, d)
				rounding := 1e-11 * math.Abs(p.optimal(s))
				if sol.term().Kind == chance.Reach { // of the chance or its opposite
					rounding = 1e-11 * min(p.optimal(s), 1-p.optimal(s))
				}
				if math.Abs(got-want) > rounding+1e-11*want {
					t.Fatalf("%s, %s: the slide %v of %s has the regret %v, want %v", c.s.name, c.objective, d, c.s.game.Grid().Format(s.Board), got, want)
				}
				if got > 0 {
					mistakes++
				}
				for _, draw := range c.s.game.Draws(nil, after) {
					visit(draw.To)
				}
			}
		}
		r := rand.New(rand.NewPCG(1, 1))
		for range 100 {
			visit(c.s.game.Start(r))
		}
		if mistakes == 0 {
			t.Errorf("%s, %s: no mistake in %d states", c.s.name, c.objective, len(seen))
		}
	}
}

// What a player is worth by a plain evaluation of all its games is the value of the start less the expected sum
// of regrets; and the regret of games that are played is near to that.
func TestPlayers(t *testing.T) {
	small, large, until := twenty(t, 2, 2, 0), twenty(t, 2, 3, 0), twenty(t, 2, 3, 64)
	settings := map[setting][]string{small: {"score", "tile:16", "discount:0.97:16"}, until: {"target"}}
	if long.Tests {
		settings[large] = []string{"score", "tile:64"}
	}
	for s, objectives := range settings {
		for _, objective := range objectives {
			sol := solve(t, s, objective)
			for name, newPlayer := range map[string]func(player.Game) player.Player{"greedy": player.NewGreedy, "corner": player.NewCorner} {
				p := newPlain(s, *sol.term(), newPlayer(s.whole))
				played, lost := p.start(p.played), p.start(p.lost)
				exact := sol.Start
				if sol.term().Kind == chance.Reach {
					exact, played = chance.Chance(exact).P(), 1-played
				}
				if math.Abs(exact-lost-played) > 1e-11*exact {
					t.Errorf("%s, %s, %s: %v less %v is not %v", s.name, objective, name, exact, lost, played)
				}
				var one, two *Report
				for _, threads := range []int{1, 3} {
					j, err := NewJudge(sol, s.game, 4, func(err error) { t.Error(err) })
					if err != nil {
						t.Fatal(err)
					}
					// The solution of this test is for one goroutine at a time, and knows all states by now.
					all, _, err := player.Play(t.Context(), s.game, func() player.Player { return newPlayer(s.whole) }, player.Options{Games: 1000, Seed: 5, Threads: threads, Watch: j.Watcher})
					if err != nil {
						t.Fatal(err)
					}
					two = one
					if one, err = j.Report(); err != nil {
						t.Fatal(err)
					}
					moves := 0
					for _, game := range all {
						moves += game.Moves
					}
					if one.Games != 1000 || one.Moves != moves {
						t.Errorf("%s, %s, %s: %d games, %d moves of %d", s.name, objective, name, one.Games, one.Moves, moves)
					}
				}
				if !reflect.DeepEqual(one, two) {
					t.Errorf("%s, %s, %s: more threads find\n%+v, one finds\n%+v", s.name, objective, name, one, two)
				}
				sigma := (one.RegretHigh - one.Regret) / 1.96
				if math.Abs(one.Regret-lost) > 5*sigma || math.Abs(one.Player.Value-played) > 5*sigma || sigma == 0 {
					t.Errorf("%s, %s, %s: the regret is %v (up to %v), want %v; the player has %v, want %v", s.name, objective, name, one.Regret, one.RegretHigh, lost, one.Player.Value, played)
				}
				check(t, s, sol, one)
			}
		}
	}
}

// check holds the parts of a report together.
func check(t *testing.T, s setting, sol *Solution, r *Report) {
	t.Helper()
	for _, bands := range [][]Band{r.Layers, r.Empty} {
		moves, best, sum := 0, 0, 0.0
		for _, b := range bands {
			moves, best, sum = moves+b.Moves, best+b.Best, sum+b.Regret
		}
		if moves != r.Moves || best != r.Best || math.Abs(sum-r.Regret) > 1e-11*r.Regret || len(bands) > 12 {
			t.Errorf("%d bands have %d moves, %d best, regret %v: want %d, %d, %v", len(bands), moves, best, sum, r.Moves, r.Best, r.Regret)
		}
	}
	for i, m := range r.Worst {
		layer, state, err := s.exact.Parse(m.State)
		if err != nil || layer != m.Layer || s.exact.Format(layer, state) != m.State {
			t.Errorf("a mistake in %s of layer %d: %v", m.State, m.Layer, err)
		}
		if i > 0 && m.Regret > r.Worst[i-1].Regret || m.Regret <= 0 || math.Abs(m.Best.Value-m.Value.Value-m.Regret) > 1e-12*m.Best.Value || len(m.BestMoves) == 0 {
			t.Errorf("mistake %d: %+v", i, m)
		}
	}
}

// A player who follows the solution has no regret, and its score is that of the solution.
func TestPerfect(t *testing.T) {
	for _, s := range []setting{twenty(t, 2, 3, 0), three(t, 4, 0, false)} {
		sol := solve(t, s, "score")
		j, err := NewJudge(sol, s.game, 4, func(err error) { t.Error(err) })
		if err != nil {
			t.Fatal(err)
		}
		all, _, err := player.Play(t.Context(), s.game, j.Player, player.Options{Games: 2000, Seed: 6, Threads: 1, Watch: j.Watcher})
		if err != nil {
			t.Fatal(err)
		}
		r, err := j.Report()
		if err != nil || r.Regret != 0 || r.Best != r.Moves || len(r.Worst) != 0 || r.Player.Value != sol.Start {
			t.Errorf("%s: %+v, %v", s.name, r, err)
		}
		sum := player.Summarize(s.game, all, 0)
		if sigma := (sum.High - sum.Mean) / 1.96; math.Abs(sum.Mean-sol.Start) > 5*sigma {
			t.Errorf("%s: the mean is %v, want %v", s.name, sum.Mean, sol.Start)
		}
	}
}

// A bonus tile is a case of its own. The exact game needs a stop tile that no board of 2x2 has, but for a drawn one.
func TestBonus(t *testing.T) {
	s := three(t, 4, 96, true)
	sol := solve(t, s, "score")
	j, err := NewJudge(sol, s.game, 4, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	p := newPlain(s, *sol.term(), nil)
	r := rand.New(rand.NewPCG(2, 3))
	bonuses := 0
	for range 2000 {
		state := s.game.Start(r)
		state.Board = glide.Board(0x7000 | state.Board&0xfff) // a 48
		for d := range glide.Direction(glide.Directions) {
			if _, _, moved := s.game.Slide(state, d); !moved {
				continue
			}
			w := &watcher{judge: j, weight: 1}
			w.Move(state, d)
			if got, want := w.game[0].regret, p.loss(state, d); math.Abs(got-want) > 1e-9 {
				t.Fatalf("%v of %s has the regret %v, want %v", d, s.game.Grid().Format(state.Board), got, want)
			}
			after, _, _ := s.game.Slide(state, d)
			next := s.game.Draw(r, after)
			if s.game.Hint(next) != "+" {
				continue
			}
			for d := range glide.Direction(glide.Directions) {
				if _, _, moved := s.game.Slide(next, d); moved {
					bonuses++
					w.Move(next, d)
					if got, want := w.game[1].regret, p.loss(next, d); math.Abs(got-want) > 1e-9 {
						t.Fatalf("with a bonus tile, %v of %s has the regret %v, want %v", d, s.game.Grid().Format(next.Board), got, want)
					}
					w.game = w.game[:1]
				}
			}
		}
	}
	if bonuses < 20 {
		t.Errorf("%d slides with a bonus tile", bonuses)
	}
}

// Games that others wait for may never end.
func TestCutOff(t *testing.T) {
	s := twenty(t, 2, 2, 0)
	j, err := NewJudge(solve(t, s, "score"), s.game, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := j.Report(); err != nil || r.Games != 0 || r.Player != r.Exact {
		t.Errorf("no games: %+v, %v", r, err)
	}
	for number, regret := range []float64{1, 0, 3, 5} {
		if number != 1 {
			j.add(number, []moment{{layer: 4, state: uint64(glide.Board(0).With(2, 1).With(3, 1)), number: 0, regret: regret, weight: 1, empty: 2}})
		}
	}
	if r, err := j.Report(); err != nil || r.Games != 3 || r.Regret != 3 || len(r.Worst) != 2 || r.Worst[0].Regret != 5 {
		t.Errorf("three games: %+v, %v", r, err)
	}
}

// An error of the solution ends the games, and is not lost.
func TestErrors(t *testing.T) {
	s := twenty(t, 2, 2, 0)
	sol := solve(t, s, "score")
	lost := errors.New("lost")
	sol.Lookup = func([]float64, int, uint64) error { return lost }
	var failed error
	j, err := NewJudge(sol, s.game, 2, func(err error) { failed = err })
	if err != nil {
		t.Fatal(err)
	}
	state := s.game.Start(rand.New(rand.NewPCG(1, 2)))
	d, _ := player.NewCorner(s.game).Choose(nil, state)
	w := j.Watcher()
	w.Move(state, d)
	w.Move(state, d)
	w.End(0)
	if r, err := j.Report(); failed != lost || r.Games != 0 || err != nil {
		t.Errorf("%v; %+v, %v", failed, r, err)
	}
	failed = nil
	if _, ok := j.Player().Choose(nil, state); ok || failed != lost {
		t.Errorf("a player moves without a solution: %v", failed)
	}
	sol = solve(t, s, "score")
	sol.Objectives, _ = chance.ParseObjectives(s.exact, "moves:8")
	if _, err := NewJudge(sol, s.game, 2, nil); err == nil || !strings.Contains(err.Error(), "moves:8 has no regret") {
		t.Errorf("moves: %v", err)
	}
}

func TestBandWidth(t *testing.T) {
	for layers, want := range map[int]int{0: 1, 12: 1, 13: 2, 24: 2, 25: 5, 60: 5, 61: 10, 2000: 200, 2500: 500} {
		if got := bandWidth(layers); got != want {
			t.Errorf("%d layers have bands of %d, want %d", layers, got, want)
		}
	}
}

// Chances near 1 keep their digits.
func TestValues(t *testing.T) {
	s := twenty(t, 2, 3, 0)
	sol := solve(t, s, "tile:8")
	sol.Start = -7e-18
	if v := sol.value(sol.Start); v.String() != "1 - 7e-18" || *v.Complement != 7e-18 {
		t.Errorf("the value is %v", v)
	}
	if v := sol.less(2e-18); v.String() != "1 - 9e-18" {
		t.Errorf("less 2e-18 it is %v", v)
	}
	if v := sol.less(0.7); math.Abs(v.Value-0.3) > 1e-15 || v.Complement != nil {
		t.Errorf("less 0.7 it is %v", v)
	}
	if v := sol.value(float64(chance.Certain)); v.String() != "certain" {
		t.Errorf("1 is %v", v)
	}
}
