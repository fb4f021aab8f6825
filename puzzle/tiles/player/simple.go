package player

import (
	"cmp"
	"math/bits"
	"math/rand/v2"

	"pagoda/puzzle/tiles/glide"
)

// A Player chooses slides. One goroutine uses it at a time.
type Player interface {
	// Choose returns the slide to make in a state; ok is false if there is none. It may draw
	// random numbers. What it returns depends on the state and these only.
	Choose(r *rand.Rand, s State) (d glide.Direction, ok bool)
}

type random struct{ g Game }

// NewRandom returns a player that chooses any slide, with equal chances.
func NewRandom(g Game) Player { return random{g} }

func (p random) Choose(r *rand.Rand, s State) (best glide.Direction, ok bool) {
	n := 0
	for d := range glide.Direction(glide.Directions) {
		if _, _, moved := p.g.Slide(s, d); moved {
			if n++; r.IntN(n) == 0 {
				best = d
			}
		}
	}
	return best, n > 0
}

type corner struct{ g Game }

// NewCorner returns a player that moves down if it can, else left, else right, else up: the strategy
// that keeps large tiles in a corner.
func NewCorner(g Game) Player { return corner{g} }

func (p corner) Choose(_ *rand.Rand, s State) (glide.Direction, bool) {
	for _, d := range []glide.Direction{glide.Down, glide.Left, glide.Right, glide.Up} {
		if _, _, moved := p.g.Slide(s, d); moved {
			return d, true
		}
	}
	return 0, false
}

type greedy struct{ g Game }

// NewGreedy returns a player that makes the slide of the largest gain, then the one that leaves most
// cells empty, then the first.
func NewGreedy(g Game) Player { return greedy{g} }

func (p greedy) Choose(_ *rand.Rand, s State) (glide.Direction, bool) {
	d, _, _, ok := best(p.g, s, func(after State, gain int32) int64 {
		return int64(gain)<<8 + int64(bits.OnesCount64(uint64(p.g.Grid().Empty(after.Board))))
	})
	return d, ok
}

// best returns the slide of a state that is worth most, the first of several, and what it leads to.
func best[V cmp.Ordered](g Game, s State, worth func(after State, gain int32) V) (d glide.Direction, to State, gain int32, ok bool) {
	var most V
	for e := range glide.Direction(glide.Directions) {
		after, more, moved := g.Slide(s, e)
		if !moved {
			continue
		}
		if x := worth(after, more); !ok || x > most {
			d, to, gain, most, ok = e, after, more, x, true
		}
	}
	return d, to, gain, ok
}

// Over reports whether no slide can be made in a state.
func Over(g Game, s State) bool {
	_, _, _, ok := best(g, s, func(State, int32) int { return 0 })
	return !ok
}
