package solver_test

import (
	"context"
	"fmt"

	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/problem"
	"pagoda/puzzle/lunar/solver"
)

func Example() {
	p, err := problem.Parse("5x5:12..3/...../..+../4..../...X.")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := solver.Solve(context.Background(), p.Board, p.Drawing.Position(), 1<<30, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d moves, %d steps; solutions: %v\n", r.Moves, r.Steps, r.Solutions)
	for s := range r.All() {
		d, plays := p.Drawing, make([]board.Play, len(s.Moves))
		for i, m := range s.Moves {
			d, plays[i] = p.Board.Make(d, m)
		}
		fmt.Println(plays)
	}
	// Output:
	// 10 moves, 12 steps; solutions: 1
	// [2-R 1-R 2-D 3-LD 2-L X-U 2-R 4-R 2-U X-LU]
}
