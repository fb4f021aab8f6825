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
// If the space does not list its goals, Backwards looks at all its numbers to find them, on the given
// number of threads. It returns an error if there is no goal. When ctx ends,
// Backwards stops soon and returns the cause.
//
// The result has the layers and the cells of the space, and its graph where every move can be taken
// back. Symmetries are those that keep every goal where it is. The result does not end at goals.
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
	b := &backwards{Space: sp, goals: goals, isRoot: rootsOf(sp)}
	b.definition = statespace.Definition{Family: BackwardsFamily, Name: b.Name(), Puzzle: puzzle, Numbering: d.Numbering}
	return b, nil
}

// goalsOf returns all goals of a space, in order.
func goalsOf(ctx context.Context, sp statespace.Space, threads int) ([]statespace.Index, error) {
	found := sp.Parts().Goals
	if !found.Any() {
		return nil, nil
	}
	if found.All != nil {
		return slices.Compact(slices.Sorted(slices.Values(found.All()))), nil
	}
	w := &goalWork{size: sp.Size(), is: found.Is}
	err := statespace.Do(ctx, w, threads, nil)
	slices.Sort(w.goals)
	return w.goals, err
}

// goalWork is the work of finding goals.
type goalWork struct {
	size  uint64
	is    func(x statespace.Index) bool
	mu    sync.Mutex
	goals []statespace.Index
}

const goalTask = 1 << 14 // numbers

// Stages implements statespace.Work.
func (w *goalWork) Stages() int { return 1 }

// Tasks implements statespace.Work.
func (w *goalWork) Tasks(int) int { return int((w.size + goalTask - 1) / goalTask) }

// NewWorker implements statespace.Work.
func (w *goalWork) NewWorker() statespace.Worker { return w }

// Do implements statespace.Worker.
func (w *goalWork) Do(_, task int) {
	var goals []statespace.Index
	first := uint64(task) * goalTask
	for x := first; x < min(first+goalTask, w.size); x++ {
		if w.is(x) {
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

// Parts implements statespace.Space. What is about paths from the roots falls away.
func (b *backwards) Parts() statespace.Parts {
	p := b.Space.Parts()
	kept := statespace.Parts{
		Undirected: p.Undirected, Stacked: p.Stacked, Layers: p.Layers, Cells: p.Cells, Finder: p.Finder,
		Goals:    statespace.Goals{Is: b.isRoot, All: b.Space.Roots},
		Symmetry: statespace.Symmetric{Fixed: b.symmetries},
		Texts:    statespace.Texts{Features: p.Texts.Features, Explain: p.Texts.Explain},
	}
	if p.Layers != nil {
		kept.Layers = turned{p.Layers}
	}
	if p.Undirected {
		kept.Levels = b
	}
	return kept
}

// turned are layers seen from the other end of moves.
type turned struct{ statespace.Layers }

// LayersFall implements statespace.Layers.
func (t turned) LayersFall() bool { return !t.Layers.LayersFall() }

// symmetries returns the symmetries of the space that keep every goal where it is.
func (b *backwards) symmetries() (all []statespace.Symmetry) {
	for _, s := range statespace.Symmetries(b.Space) {
		if !slices.ContainsFunc(b.goals, func(x statespace.Index) bool { return s.Map(x) != x }) {
			all = append(all, s)
		}
	}
	return all
}

// Graph implements statespace.Levels, where every move can be taken back.
func (b *backwards) Graph() statespace.Graph {
	g := Of(b.Space)
	forward := g.NewExpander
	g.Roots, g.HasGoals, g.NewStepper, g.NewBlockExpander = slices.Values(b.goals), true, nil, nil
	g.NewExpander = func() statespace.Expander { return otherGoals{forward(), b.isRoot} }
	return g
}

// otherGoals is an Expander that looks for other goals.
type otherGoals struct {
	statespace.Expander
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
