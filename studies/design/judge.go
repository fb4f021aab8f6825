package design

import (
	"context"
	"fmt"
	"math/big"

	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/contest"
	"pagoda/puzzle/slide/tray"
)

// A Verdict says what a puzzle is worth.
type Verdict struct {
	// Shortest is the least number of moves that solve the puzzle, and Solutions the number of
	// solutions of this length, as slide.Result counts them. States is the number of positions that
	// the search for them has found.
	Shortest  int
	Solutions *big.Int
	States    uint64
}

// Judge checks a puzzle of a problem and its solution: it replays the moves with Problem.Replay, and
// then finds the shortest solution with slide.Solve. What Replay finds wrong is a *contest.Error.
// Whether the solution is a shortest one is left to the caller, who compares its length.
func Judge(ctx context.Context, p *contest.Problem, z *contest.Puzzle, o slide.Options) (*Verdict, error) {
	if err := p.Replay(z); err != nil {
		return nil, err
	}
	puzzle, err := p.Tray(z)
	if err != nil {
		return nil, err
	}
	o.ToGoal = true
	r, err := slide.Solve(ctx, puzzle, tray.Moves, o)
	if err != nil {
		return nil, err
	}
	if !r.Solved || r.Length > z.Length {
		return nil, fmt.Errorf("the search finds no solution of %d moves, and one was replayed: one of them is wrong", z.Length)
	}
	return &Verdict{r.Length, r.Solutions, r.States}, nil
}
