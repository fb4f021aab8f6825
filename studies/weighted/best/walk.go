package best

import (
	"context"
	"math/rand/v2"
	"slices"
)

// A walk improves a game step by step. A step chooses a window of the board and sets the moves aside that
// touch it, and all that depend on them; the others are played first. Then a beam plays the rest anew. A
// worse game is taken, too, but the rarer the worse it is, and at the end of a round not at all (simulated
// annealing: Kirkpatrick, Gelatt and Vecchi, 1983). Then the walk goes back to its best game.
type walk struct {
	f    *field
	beam beamer
	rng  *rand.Rand

	now, best []uint32
	score     int64 // of now
	bestScore int64
	work      uint64
	dirty     []bool
}

// newWalk begins a walk with the game that a beam finds.
func newWalk(f *field, seed, number uint64) *walk {
	return &walk{f: f, beam: newBeamer(f), rng: rand.New(rand.NewPCG(seed, number)), dirty: make([]bool, len(f.start)),
		score: f.total, bestScore: f.total}
}

// noise returns the noise of a beam.
func (w *walk) noise() uint64 { return uint64(w.f.mean)*256/5 + 1 }

// start finds a game with a beam of a width.
func (w *walk) start(ctx context.Context, width int) {
	jumps, work := w.beam.play(ctx, w.f.start, beamOptions{width: width, radius: 2, noise: w.noise(), seed: w.rng.Uint64()})
	w.work += work
	score, length := w.f.score(jumps)
	w.take(jumps[:length], score)
}

// take makes a game the present one.
func (w *walk) take(jumps []uint32, score int64) {
	w.now, w.score = jumps, score
	if score < w.bestScore {
		w.best, w.bestScore = slices.Clone(w.now), score
	}
}

// step changes the present game, if the change is good or lucky.
func (w *walk) step(ctx context.Context, heat float64) {
	before, after := w.part()
	w.work += 1 + uint64(len(w.now))
	if len(after) == 0 {
		return
	}
	at := slices.Clone(w.f.start)
	for _, j := range before {
		w.f.jumps[j].make(at)
	}
	o := beamOptions{width: 5 << w.rng.IntN(5), radius: int32(2 + 2*w.rng.IntN(2)), noise: w.noise(), seed: w.rng.Uint64()}
	rest, work := w.beam.play(ctx, at, o)
	w.work += work
	jumps := append(before, rest...)
	score, length := w.f.score(jumps)
	if float64(score) <= float64(w.score)+heat*w.rng.ExpFloat64() {
		w.take(jumps[:length], score)
	}
}

// part chooses a window and parts the present game: the jumps that can be made before it is touched, and
// those after. After is empty if too many moves would be set aside.
func (w *walk) part() (before, after []uint32) {
	f := w.f
	cells := f.game.Shape.Cells()
	centre := cells[w.rng.IntN(len(cells))]
	radius := 1 + w.rng.IntN(4)
	most := 10 + w.rng.IntN(70)
	if len(w.now) == 0 {
		return nil, nil
	}
	since := w.rng.IntN(len(w.now))
	clear(w.dirty)
	touches := func(i int, h hop) bool {
		for _, c := range [3]int32{h.from, h.over, h.to} {
			d := cells[c]
			if w.dirty[c] || i >= since && max(d.Row-centre.Row, centre.Row-d.Row, d.Col-centre.Col, centre.Col-d.Col) <= radius {
				return true
			}
		}
		return false
	}
	for from := 0; from < len(w.now); {
		to := from + 1 // the end of the move
		for to < len(w.now) && f.jumps[w.now[to]].from == f.jumps[w.now[to-1]].to {
			to++
		}
		move := w.now[from:to]
		aside := false
		for i, j := range move {
			aside = aside || touches(from+i, f.jumps[j])
		}
		if aside {
			for _, j := range move {
				h := f.jumps[j]
				w.dirty[h.from], w.dirty[h.over], w.dirty[h.to] = true, true, true
			}
			if after = append(after, move...); len(after) > most {
				return nil, nil
			}
		} else {
			before = append(before, move...)
		}
		from = to
	}
	return before, after
}
