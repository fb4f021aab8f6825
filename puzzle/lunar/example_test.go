package lunar_test

import (
	"context"
	"fmt"

	"pagoda/puzzle/lunar"
	"pagoda/puzzle/lunar/board"
	"pagoda/statespace/bfs"
)

// All problems with one letter and four numbers are solved, and one of them is looked up.
func Example() {
	if err := solve(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// oo..o/...../..+../o..../...X. takes 10 moves, 12 steps; solutions: 1
	// 6307 problems have a solution
}

func solve(ctx context.Context) error {
	b, err := board.Find("5x5")
	if err != nil {
		return err
	}
	g, err := lunar.New(ctx, "lunar/5x5:1-4", b, 1, 4, 1<<30)
	if err != nil {
		return err
	}
	search, err := bfs.New(ctx, g.Graph(), bfs.Options{Threads: 2, Whole: true})
	if err != nil {
		return err
	}
	defer search.Close()
	if err := search.Run(ctx, nil, nil); err != nil {
		return err
	}
	found, err := bfs.FindValues(ctx, g, search.Members(), 2, nil)
	if err != nil {
		return err
	}
	defer found.Free()

	const problem = "oo..o/...../..+../o..../...X."
	x, err := g.Parse(problem)
	if err != nil {
		return err
	}
	var values [lunar.Columns]uint64
	found.Get(values[:], x)
	fmt.Printf("%s takes %d moves, %d steps; solutions: %d\n", problem, found.Entry(x)-1, values[lunar.StepsColumn], values[lunar.SolutionsColumn])

	solvable := 0
	for x := range g.Size() {
		if p, ok := g.Position(x); ok && !p.Solved() && found.Entry(x) != 0 {
			solvable++
		}
	}
	fmt.Println(solvable, "problems have a solution")
	return nil
}
