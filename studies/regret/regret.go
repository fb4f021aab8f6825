// Package regret compares players of number tiles with the exact values of a solved game.
//
// The regret of a move is what the best move is worth less what the move is worth, if the best play follows both.
// It is never negative. What a player wins in the mean is the value of the start less the expected sum of
// the regrets of its moves: for the value falls by the regret with a move, and is in the mean what it was after the
// answer of chance. So the mean regret of some games says what the player is worth, without the luck of the
// draws.
package regret

import (
	"cmp"
	"fmt"
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"

	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/player"
	"pagoda/statespace/chance"
)

// A Solution is a solved game, and the objective that counts.
type Solution struct {
	*chance.Solution
	Aim int // the number of the objective; the first of its terms counts
	// Start is the value of the start, as the Lookup has that of a state.
	Start float64
}

func (s *Solution) column() int        { return chance.Columns(s.Objectives[:s.Aim]) }
func (s *Solution) objective() string  { return s.Objectives[s.Aim].Name }
func (s *Solution) term() *chance.Term { return &s.Objectives[s.Aim].Terms[0] }

// moves returns the moves of a state of a game, those of what the player sees, and the value of the best.
func (s *Solution) moves(layer int, state uint64, known uint8) (all []chance.Choice, best float64, err error) {
	all, err = s.Choices(layer, state)
	if err != nil {
		return nil, 0, err
	}
	all = slices.DeleteFunc(all, func(c chance.Choice) bool { return c.Case != known })
	i := slices.IndexFunc(all, func(c chance.Choice) bool { return c.Best[s.Aim] })
	if i < 0 {
		return nil, 0, fmt.Errorf("%s has no move in the exact game", s.Game.Format(layer, state))
	}
	return all, all[i].Values[s.column()], nil
}

// A Judge compares the moves of a player with a solution. Games are added up in the order of their numbers: so the
// result is the same for any number of threads.
type Judge struct {
	solution *Solution
	game     player.Game
	fail     func(error)
	worst    int // how many mistakes are kept

	mutex   sync.Mutex
	waiting map[int][]moment // games that have ended, after one that has not
	next    int
	sums    sums
}

// NewJudge returns a judge of games. It keeps a number of the worst mistakes. Fail is called for an error of the
// solution, perhaps more than once: the caller ends the games then.
func NewJudge(s *Solution, g player.Game, worst int, fail func(error)) (*Judge, error) {
	if kind := s.term().Kind; kind == chance.Moves {
		return nil, fmt.Errorf("%s has no regret: its values may be infinite; expected a score, a chance, a discounted value or a length", s.objective())
	}
	return &Judge{solution: s, game: g, fail: fail, worst: worst, waiting: make(map[int][]moment)}, nil
}

// A moment is a move that was made.
type moment struct {
	layer         int
	state         uint64
	known, number uint8 // the case and the number of the statespace.GameMove
	empty         uint8 // cells
	regret        float64
	weight        float64 // of the regret in the sum of the game: less than 1 after moves that discount
}

// Watcher returns a watcher for one thread.
func (j *Judge) Watcher() player.Watcher { return &watcher{judge: j, weight: 1} }

type watcher struct {
	judge  *Judge
	game   []moment
	weight float64
	failed bool
}

// Move implements player.Watcher.
func (w *watcher) Move(s player.State, d glide.Direction) {
	if w.failed {
		return
	}
	sol, grid := w.judge.solution, w.judge.game.Grid()
	layer, state, known, symmetry := w.judge.game.Exact(s)
	m := moment{layer: layer, state: state, known: known, number: uint8(grid.ImageDirection(symmetry, d)),
		empty: uint8(bits.OnesCount64(uint64(grid.Empty(s.Board)))), weight: w.weight}
	all, best, err := sol.moves(layer, state, known)
	i := -1
	if err == nil {
		if i = slices.IndexFunc(all, func(c chance.Choice) bool { return c.Number == m.number }); i < 0 {
			err = fmt.Errorf("%v is no move of %s in the exact game", glide.Direction(m.number), sol.Game.Format(layer, state))
		}
	}
	if err != nil {
		w.failed = true
		w.judge.fail(err)
		return
	}
	m.regret = sol.term().Loss(best, all[i].Values[sol.column()], sol.Rounding)
	w.game = append(w.game, m)
	if t := sol.term(); t.Kind == chance.Discount {
		w.weight *= t.Factor
	}
}

// End implements player.Watcher.
func (w *watcher) End(number int) {
	if !w.failed {
		w.judge.add(number, w.game)
	}
	w.game, w.weight = nil, 1
}

// add takes a game that has ended.
func (j *Judge) add(number int, game []moment) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.waiting[number] = game
	for {
		game, ok := j.waiting[j.next]
		if !ok {
			return
		}
		j.sums.add(game, j.worst)
		delete(j.waiting, j.next)
		j.next++
	}
}

// Player returns a player who makes the best moves, for one thread.
func (j *Judge) Player() player.Player { return &perfect{j} }

type perfect struct{ *Judge }

// Choose implements player.Player. It makes no move after an error of the solution.
func (p *perfect) Choose(_ *rand.Rand, s player.State) (glide.Direction, bool) {
	if player.Over(p.game, s) {
		return 0, false
	}
	layer, state, known, symmetry := p.game.Exact(s)
	all, _, err := p.solution.moves(layer, state, known)
	if err != nil {
		p.fail(err)
		return 0, false
	}
	best := all[slices.IndexFunc(all, func(c chance.Choice) bool { return c.Best[p.solution.Aim] })].Number
	d := glide.Direction(0)
	for uint8(p.game.Grid().ImageDirection(symmetry, d)) != best {
		d++
	}
	return d, true
}

// tally is moves that have something in common.
type tally struct {
	moves, best int
	regret      float64
}

func (t *tally) add(m *moment) {
	t.moves++
	if m.regret == 0 {
		t.best++
	}
	t.regret += m.weight * m.regret
}

func (t *tally) join(other tally) {
	t.moves += other.moves
	t.best += other.best
	t.regret += other.regret
}

// sums are those of games.
type sums struct {
	games         int
	mean, squares float64 // of the regrets of games; squares of the differences from the mean
	all           tally
	layers        []tally
	empty         [glide.MostCells]tally
	worst         []moment // different ones, the worst first
}

func (s *sums) add(game []moment, worst int) {
	regret := 0.0
	for i := range game {
		m := &game[i]
		regret += m.weight * m.regret
		s.all.add(m)
		for len(s.layers) <= m.layer {
			s.layers = append(s.layers, tally{})
		}
		s.layers[m.layer].add(m)
		s.empty[m.empty].add(m)
		s.keep(m, worst)
	}
	s.games++ // after B. P. Welford 1962
	delta := regret - s.mean
	s.mean += delta / float64(s.games)
	s.squares += delta * (regret - s.mean)
}

// keep keeps a mistake if it is among the worst.
func (s *sums) keep(m *moment, most int) {
	if m.regret == 0 || len(s.worst) == most && compare(m, &s.worst[most-1]) >= 0 {
		return
	}
	at, found := slices.BinarySearchFunc(s.worst, m, func(have moment, m *moment) int { return compare(&have, m) })
	if found {
		return
	}
	s.worst = slices.Insert(s.worst, at, *m)
	s.worst = s.worst[:min(len(s.worst), most)]
}

// compare orders mistakes, the worst first.
func compare(a, b *moment) int {
	return cmp.Or(cmp.Compare(b.regret, a.regret), cmp.Compare(a.layer, b.layer), cmp.Compare(a.state, b.state), cmp.Compare(a.known, b.known), cmp.Compare(a.number, b.number))
}

// Report returns what the games have in common that have ended.
func (j *Judge) Report() (*Report, error) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	for _, number := range slices.Sorted(maps.Keys(j.waiting)) { // some of the games before them were not played to the end
		j.sums.add(j.waiting[number], j.worst)
		delete(j.waiting, number)
	}
	s, sol := &j.sums, j.solution
	r := &Report{Objective: sol.objective(), Games: s.games, Moves: s.all.moves, Best: s.all.best, Regret: s.mean, LayerName: sol.Game.LayerName(),
		Layers: []Band{}, Empty: []Band{}, Worst: []Mistake{}}
	r.Exact = sol.value(sol.Start)
	if s.games == 0 {
		r.Player, r.Low, r.High = r.Exact, r.Exact, r.Exact
		return r, nil
	}
	r.RegretLow, r.RegretHigh = player.MeanInterval(s.mean, s.squares, s.games)
	r.RegretLow = max(0, r.RegretLow)
	r.Player, r.Low, r.High = sol.less(s.mean), sol.less(r.RegretHigh), sol.less(r.RegretLow)
	if s.all.moves > 0 {
		r.PerMove = s.mean * float64(s.games) / float64(s.all.moves)
	}
	width := bandWidth(len(s.layers))
	for low := 0; low < len(s.layers); low += width {
		var t tally
		for _, one := range s.layers[low:min(len(s.layers), low+width)] {
			t.join(one)
		}
		r.Layers = t.append(r.Layers, low, low+width-1, s.games)
	}
	for cells, t := range s.empty {
		r.Empty = t.append(r.Empty, cells, cells, s.games)
	}
	for _, m := range s.worst {
		all, best, err := sol.moves(m.layer, m.state, m.known)
		if err != nil {
			return nil, err
		}
		x := Mistake{State: sol.Game.Format(m.layer, m.state), Layer: m.layer, BestMoves: []string{}, Best: sol.value(best), Regret: m.regret}
		for _, c := range all {
			name := sol.Game.FormatChoice(c.GameMove)
			if c.Number == m.number {
				x.Move, x.Value = name, sol.value(c.Values[sol.column()])
			} else if sol.term().Loss(best, c.Values[sol.column()], sol.Rounding) == 0 {
				x.BestMoves = append(x.BestMoves, name)
			}
		}
		r.Worst = append(r.Worst, x)
	}
	return r, nil
}

// bandWidth returns a round width, by which a number of layers has at most twelve bands.
func bandWidth(layers int) int {
	for ten := 1; ; ten *= 10 {
		for _, width := range []int{ten, 2 * ten, 5 * ten} {
			if layers <= 12*width {
				return width
			}
		}
	}
}
