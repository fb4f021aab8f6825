package bfs

import (
	"context"
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"pagoda/statespace"
)

// BackwardsFamily is the family in the Definition of a space that Backwards returns. Its Puzzle
// has the family and the puzzle of the space whose moves are taken back. The numbering is the
// same.
const BackwardsFamily = "backwards"

// Backwards returns the space in which the moves of another space are taken back. Its roots are
// the goals of the other one, and its goals are the roots. So a search from its roots finds for
// every state the distance to the nearest goal, also where moves cannot be taken back.
//
// If the space is no statespace.GoalLister, Backwards looks at all its numbers to find the
// goals, on the given number of threads. It returns an error if there is no goal. When ctx ends,
// Backwards stops soon and returns the cause.
//
// The result is Undirected or Layered if the space is, and the graph of a Fast space is used
// where every move can be taken back. Symmetries are those that keep every goal where it is.
// The result does not end at goals.
func Backwards(ctx context.Context, sp statespace.Space, threads int) (statespace.Space, error) {
	goals, err := goalsOf(ctx, sp, threads)
	if err != nil {
		return nil, err
	}
	if len(goals) == 0 {
		return nil, fmt.Errorf("%s has no goal from which it could be searched backwards", sp.Name())
	}
	d := sp.Definition()
	puzzle, err := json.Marshal(struct {
		Family string          `json:"family"`
		Puzzle json.RawMessage `json:"puzzle"`
	}{d.Family, d.Puzzle})
	if err != nil {
		return nil, fmt.Errorf("definition of %s: %w", sp.Name(), err)
	}
	b := backwards{Space: sp, goals: goals, isRoot: rootsOf(sp)}
	b.definition = statespace.Definition{Family: BackwardsFamily, Name: b.Name(), Puzzle: puzzle, Numbering: d.Numbering}
	if l, ok := sp.(statespace.Layered); ok {
		return &layeredBackwards{b, l}, nil
	}
	return &b, nil
}

// goalsOf returns all goals of a space, in order.
func goalsOf(ctx context.Context, sp statespace.Space, threads int) ([]statespace.Index, error) {
	if !statespace.HasGoals(sp) {
		return nil, nil
	}
	if l, ok := sp.(statespace.GoalLister); ok {
		return slices.Compact(slices.Sorted(slices.Values(l.Goals()))), nil
	}
	w := &goalWork{sp: sp}
	err := statespace.Do(ctx, w, threads, nil)
	slices.Sort(w.goals)
	return w.goals, err
}

// goalWork is the work of finding goals.
type goalWork struct {
	sp    statespace.Space
	mu    sync.Mutex
	goals []statespace.Index
}

const goalTask = 1 << 14 // numbers

// Stages implements statespace.Work.
func (w *goalWork) Stages() int { return 1 }

// Tasks implements statespace.Work.
func (w *goalWork) Tasks(int) int { return int((w.sp.Size() + goalTask - 1) / goalTask) }

// NewWorker implements statespace.Work.
func (w *goalWork) NewWorker() statespace.Worker { return w }

// Do implements statespace.Worker.
func (w *goalWork) Do(_, task int) {
	var goals []statespace.Index
	first := uint64(task) * goalTask
	for x := first; x < min(first+goalTask, w.sp.Size()); x++ {
		if statespace.IsGoal(w.sp, x) {
			goals = append(goals, x)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.goals = append(w.goals, goals...)
}

// backwards is a space with its moves taken back.
type backwards struct {
	statespace.Space
	goals      []statespace.Index // of the Space
	isRoot     func(x uint64) bool
	definition statespace.Definition
}

// Name implements statespace.Space.
func (b *backwards) Name() string { return b.Space.Name() + " backwards" }

// Roots implements statespace.Space.
func (b *backwards) Roots() []statespace.Index { return slices.Clone(b.goals) }

// Successors implements statespace.Space.
func (b *backwards) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return b.Space.Predecessors(dst, x)
}

// Predecessors implements statespace.Space.
func (b *backwards) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return b.Space.Successors(dst, x)
}

// FormatMove implements statespace.Space.
func (b *backwards) FormatMove(from statespace.Index, move statespace.Edge) string {
	return "undo " + b.Space.FormatMove(move.To, statespace.Edge{To: from, Move: move.Move})
}

// Definition implements statespace.Space.
func (b *backwards) Definition() statespace.Definition { return b.definition }

// Undirected implements statespace.Undirected.
func (b *backwards) Undirected() bool { return statespace.IsUndirected(b.Space) }

// Goal implements statespace.Goaled.
func (b *backwards) Goal(x statespace.Index) bool { return b.isRoot(x) }

// Goals implements statespace.GoalLister.
func (b *backwards) Goals() []statespace.Index { return b.Space.Roots() }

// Symmetries implements statespace.Symmetric.
func (b *backwards) Symmetries() (all []statespace.Symmetry) {
	for _, s := range statespace.Symmetries(b.Space) {
		if !slices.ContainsFunc(b.goals, func(x statespace.Index) bool { return s.Map(x) != x }) {
			all = append(all, s)
		}
	}
	return all
}

// Graph implements Fast.
func (b *backwards) Graph() Graph {
	if !b.Undirected() {
		return Plain(b)
	}
	g := Of(b.Space)
	forward := g.NewExpander
	g.Roots, g.HasGoals, g.NewStepper = slices.Values(b.goals), true, nil
	g.NewExpander = func() Expander { return otherGoals{forward(), b.isRoot} }
	return g
}

// otherGoals is an Expander that looks for other goals.
type otherGoals struct {
	Expander
	isGoal func(x uint64) bool
}

// Expand implements Expander.
func (o otherGoals) Expand(dst []uint64, first, word uint64, goals *[]uint64) []uint64 {
	if goals != nil {
		for left := word; left != 0; left &= left - 1 {
			if x := first + uint64(bits.TrailingZeros64(left)); o.isGoal(x) {
				*goals = append(*goals, x)
			}
		}
	}
	return o.Expander.Expand(dst, first, word, nil)
}

// layeredBackwards is backwards of a Layered space.
type layeredBackwards struct {
	backwards
	layered statespace.Layered
}

// LayerName implements statespace.Layered.
func (b *layeredBackwards) LayerName() string { return b.layered.LayerName() }

// Layer implements statespace.Layered.
func (b *layeredBackwards) Layer(x statespace.Index) int { return b.layered.Layer(x) }

// LayersFall implements statespace.Layered.
func (b *layeredBackwards) LayersFall() bool { return !b.layered.LayersFall() }
