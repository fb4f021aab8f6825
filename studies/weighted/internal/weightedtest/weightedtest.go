// Package weightedtest has what tests of weighted peg solitaire share: random games, and a plain
// search for the best score.
package weightedtest

import (
	"math/rand/v2"

	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/pegtest"
	"pagoda/studies/weighted"
)

// Plain returns the least score of a game and jumps that reach it. It plays all games, from the
// rules alone, so it is for tiny boards only.
func Plain(g *weighted.Game) (best weighted.Score, jumps []board.Jump) {
	var played []board.Jump
	var visit func()
	visit = func() {
		s, err := g.Start()
		for i := 0; err == nil && i < len(played); i++ {
			err = s.Jump(played[i])
		}
		if err != nil {
			panic(err) // jumps are tried before they are played
		}
		if score := s.Score(); len(played) == 0 || score.Score < best.Score {
			best, jumps = score, append([]board.Jump(nil), played...)
		}
		for k := range g.Shape.Jumps() {
			j := g.Shape.Jump(k)
			if !CanJump(s, j) {
				continue
			}
			played = append(played, j)
			visit()
			played = played[:len(played)-1]
		}
	}
	visit()
	return best, jumps
}

// CanJump reports whether the pegs allow a jump.
func CanJump(s *weighted.State, j board.Jump) bool {
	_, from := s.Peg(j.From)
	_, over := s.Peg(j.Over)
	_, to := s.Peg(j.To)
	return from && over && !to
}

// Random returns a game on a random board, square, triangular or diagonal, with a number of cells from 1 to
// most, which is at least 5. The weights are small or large, some of them negative, 0 or equal.
func Random(rng *rand.Rand, most int) *weighted.Game {
	b, start := pegtest.RandomBoard(rng)
	for len(b.Cells()) > most {
		b, start = pegtest.RandomBoard(rng)
	}
	g := &weighted.Game{Shape: &b.Shape}
	heaviest := []int64{1, 5, 100, weighted.MaxWeight}[rng.IntN(4)]
	least := []int64{-heaviest, 0, 1}[rng.IntN(3)]
	for cell := range b.Cells() {
		g.Pegs = append(g.Pegs, start>>cell&1 == 1)
		g.Weights = append(g.Weights, least+rng.Int64N(heaviest-least+1))
	}
	return g
}
