package lunar

import (
	"context"
	"math/bits"
	"sync"

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
	var all tally
	var mu sync.Mutex
	r := board.NewRays(g.b)
	err := g.eachProblem(ctx, threads, at, func() (func(p board.Position, x statespace.Index, distance int, values []uint64), func()) {
		own := new(tally)
		return func(p board.Position, _ statespace.Index, distance int, values []uint64) {
				own.count(g, r, p, distance, values)
			}, func() {
				mu.Lock()
				defer mu.Unlock()
				all.add(own)
			}
	})
	if err != nil {
		return nil, err
	}
	return []statespace.Figure{{Name: "problems", Value: all.problems}, {Name: "with_move", Value: all.withMove}, {Name: "solvable", Value: all.solvable},
		{Name: "all_significant", Value: all.allSignificant}, {Name: "max_" + g.b.Metric(), Value: all.moves}, {Name: "max_steps", Value: all.steps}}, nil
}

// eachProblem visits the problems with all letters of the group on several threads, some at a time. For these,
// visit makes a function of its own that takes them, and one that is called after the last.
// Distance is less than 0 for a problem without a solution.
func (g *Group) eachProblem(ctx context.Context, threads int, at func(dst []uint64, x statespace.Index) (int, error),
	visit func() (take func(p board.Position, x statespace.Index, distance int, values []uint64), end func())) error {
	const part = 1 << 12
	start := g.start[g.letters]
	return mapped.Each(ctx, threads, (g.orbitSize()-start+part-1)/part, func(i uint64) error {
		take, end := visit()
		values := make([]uint64, len(columns))
		first := start + i*part
		c := g.cursor(first)
		for x := first; x < min(first+part, g.orbitSize()); x++ {
			if numbers := c.numbers(); g.stands(c, numbers) {
				distance, err := at(values, x)
				if err != nil {
					return err
				}
				take(board.Position{Letters: c.letters, Numbers: numbers}, x, distance, values)
			}
			c.step()
		}
		end()
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
