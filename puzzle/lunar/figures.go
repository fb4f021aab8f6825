package lunar

import (
	"context"
	"math/bits"

	"pagoda/internal/mapped"
	"pagoda/puzzle/lunar/board"
	"pagoda/statespace"
)

// tally is what the article counts of a group: of the problems with all letters, up to symmetry.
type tally struct {
	problems, withMove, solvable, allSignificant uint64
	moves, steps                                 uint64
}

func (t *tally) add(u *tally) {
	t.problems += u.problems
	t.withMove += u.withMove
	t.solvable += u.solvable
	t.allSignificant += u.allSignificant
	t.moves, t.steps = max(t.moves, u.moves), max(t.steps, u.steps)
}

// figures is the Figures of the Values. They are those of the problems with all letters of the
// group.
func (g *Group) figures(ctx context.Context, threads int, at func(dst []uint64, x statespace.Index) (int, error)) ([]statespace.Figure, error) {
	r := board.NewRays(g.b)
	workers := make([]*tally, max(1, threads))
	for i := range workers {
		workers[i] = new(tally)
	}
	err := eachProblem(ctx, g, workers, at, func(t *tally, p board.Position, _ statespace.Index, distance int, values []uint64) {
		t.count(g, r, p, distance, values)
	})
	if err != nil {
		return nil, err
	}
	var sum tally
	for _, t := range workers {
		sum.add(t)
	}
	return []statespace.Figure{{Name: "problems", Value: sum.problems}, {Name: "with_move", Value: sum.withMove}, {Name: "solvable", Value: sum.solvable},
		{Name: "all_significant", Value: sum.allSignificant}, {Name: "max_" + g.b.Metric(), Value: sum.moves}, {Name: "max_steps", Value: sum.steps}}, nil
}

// eachProblem visits the problems with all letters of a group on several threads: each has a worker of its own.
// Distance is less than 0 for a problem without a solution.
func eachProblem[W any](ctx context.Context, g *Group, workers []W, at func(dst []uint64, x statespace.Index) (int, error),
	take func(w W, p board.Position, x statespace.Index, distance int, values []uint64)) error {
	const part = 1 << 12
	start := g.start[g.letters]
	return mapped.EachWith(ctx, workers, (g.orbitSize()-start+part-1)/part, func(w W, i uint64) error {
		values := make([]uint64, len(columns))
		first := start + i*part
		c := g.cursor(first)
		for x := first; x < min(first+part, g.orbitSize()); x++ {
			if numbers := c.numbers(); g.stands(c, numbers) {
				distance, err := at(values, x)
				if err != nil {
					return err
				}
				take(w, board.Position{Letters: c.letters, Numbers: numbers}, x, distance, values)
			}
			c.step()
		}
		return nil
	})
}

// stands reports whether the number of a cursor is a state.
func (g *Group) stands(c *cursor, numbers board.Set) bool {
	fixed := g.kept[c.k][c.kept].fixed
	if fixed == 1 {
		return true
	}
	least, _ := g.least(numbers, fixed)
	return least == numbers
}

func (t *tally) count(g *Group, r *board.Rays, p board.Position, distance int, values []uint64) {
	t.problems++
	if distance < 0 {
		if r.CanMove(p) {
			t.withMove++
		}
		return
	}
	t.withMove++ // it has a solution
	t.solvable++
	if bits.OnesCount64(values[AlwaysColumn]) == g.numbers {
		t.allSignificant++
	}
	t.moves, t.steps = max(t.moves, uint64(distance)), max(t.steps, values[StepsColumn])
}
