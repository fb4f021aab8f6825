package statespace

import (
	"context"
	"fmt"
	"iter"
	"slices"
)

// A capability is something that a space can offer besides the methods of Space. Each is an
// interface of its own, and two different puzzles or more have it: families of this module, or
// a family and a toy of the tests. The functions below also take spaces that lack it.

// An Undirected space can be one in which every move can be taken back: Predecessors lists
// the same states as Successors. In such a space the distance modulo 3 is enough to find
// shortest paths.
type Undirected interface {
	Space
	// Undirected reports whether every move can be taken back.
	Undirected() bool
}

// IsUndirected reports whether every move of a space can be taken back.
func IsUndirected(sp Space) bool {
	u, ok := sp.(Undirected)
	return ok && u.Undirected()
}

// A Goaled space has goals: states that solve the puzzle.
type Goaled interface {
	Space
	// Goal reports whether x is a goal.
	Goal(x Index) bool
}

// A GoalLister is a Goaled space that can list its goals without a look at every number. A
// search backwards begins with this list.
type GoalLister interface {
	Goaled
	// Goals returns all goals, reached from the roots or not, each once.
	Goals() []Index
}

// An Ending space is a Goaled one that may have no goal at all, or may end at the nearest
// ones. A type needs it if its goals are read from a text, or if there are too many states
// beyond the nearest goal.
type Ending interface {
	Goaled
	// HasGoal reports whether there is a goal, reached from the roots or not.
	HasGoal() bool
	// EndsAtGoal reports whether the search ends with the nearest goals: states that are
	// farther from the roots do not count as reached.
	EndsAtGoal() bool
}

// HasGoals reports whether a space can have goals.
func HasGoals(sp Space) bool {
	if e, ok := sp.(Ending); ok {
		return e.HasGoal()
	}
	_, ok := sp.(Goaled)
	return ok
}

// IsGoal reports whether x is a goal of a space.
func IsGoal(sp Space, x Index) bool {
	g, ok := sp.(Goaled)
	return ok && g.Goal(x)
}

// EndsAtGoal reports whether the search of a space ends with the nearest goals.
func EndsAtGoal(sp Space) bool {
	e, ok := sp.(Ending)
	return ok && e.EndsAtGoal()
}

// A Reversed space goes against the moves of its puzzle: the roots are what people play to, and
// Successors takes moves back. So a search finds how far every state is from the end. Narrate
// describes a path as it is played, from its last state to its first.
type Reversed interface {
	Space
	// Reversed reports whether the space goes against the moves of its puzzle.
	Reversed() bool
}

// IsReversed reports whether a space goes against the moves of its puzzle.
func IsReversed(sp Space) bool {
	r, ok := sp.(Reversed)
	return ok && r.Reversed()
}

// A ManyRooted space may have a great many roots, and yields them one by one.
type ManyRooted interface {
	Space
	// EachRoot yields the roots in the order of Roots.
	EachRoot(yield func(x Index) bool)
}

// EachRoot yields the roots of a space, if possible without a list of them.
func EachRoot(sp Space) iter.Seq[Index] {
	if m, ok := sp.(ManyRooted); ok {
		return m.EachRoot
	}
	return func(yield func(x Index) bool) { slices.Values(sp.Roots())(yield) } // no list before it is needed
}

// A Layered space splits its states into layers, such as positions with the same number of
// pegs. Either every move leads to a lower layer or every move leads to a higher one, so the
// moves make no cycle.
type Layered interface {
	Space
	// LayerName says what the number of a layer counts, in the plural: "pegs".
	LayerName() string
	// Layer returns the layer of state x, from 0.
	Layer(x Index) int
	// LayersFall reports whether moves lead to lower layers. If not, they lead to higher
	// ones.
	LayersFall() bool
}

// A Stacked space has numbers that rise with the layers: those of a layer follow those of all lower ones.
type Stacked interface {
	Layered
	// FirstIn returns the least number of a state in a layer or a higher one, or Size if there is none.
	FirstIn(layer int) Index
}

// A Valued space keeps numbers about each state besides its distance from the roots. They follow from
// those of the states one move nearer to the roots. A path is a best one if all its moves are: the
// space decides which of the shortest paths are. A Valued space has no layers besides its distances.
type Valued interface {
	Space
	// DistanceName says what distances count, in the plural: "moves".
	DistanceName() string
	// Columns says what the numbers are.
	Columns() []Column
	// Value puts the numbers of state x, which is reached, into dst, one for each column. Near
	// returns those of a state that is one move nearer than x; for other states it returns nil. If x
	// is a root, there are no nearer states. Value calls it for all states from which a move leads
	// to x: that is how files are proved. What is in dst before does not matter.
	Value(dst []uint64, x Index, near Near)
	// Best appends the moves of Predecessors(x) with which best paths to x end, each once: some of
	// those from nearer states. If x is a root, there are none.
	Best(dst []Edge, x Index, near Near) []Edge
}

// A Near returns the numbers of a state that is one move nearer to the roots than another one, or nil
// if the state is not. They are good until the next call.
type Near func(y Index) []uint64

// A Column is a number that is kept of each state.
type Column struct {
	Name, About string
	// Bytes is how many bytes the number takes at most: 1, 2 or 4. A Valued space keeps it within
	// them.
	Bytes int
}

// A Figured space has figures about all its states that people ask for, such as how many of them have
// solutions.
type Figured interface {
	Valued
	// Figures counts them. At puts the numbers that are kept of a state into dst, and returns its
	// distance from the roots, or -1 if it is not reached. Several goroutines may call it. When ctx
	// ends, Figures stops soon and returns the cause.
	Figures(ctx context.Context, threads int, at func(dst []uint64, x Index) (distance int, err error)) ([]Figure, error)
}

// A Figure is a number with a name, such as solvable.
type Figure struct {
	Name  string `json:"name"` // small letters, digits and _, with a letter first
	Value uint64 `json:"value"`
	// ByLayer, if not nil, says how the value is divided among the layers of a file.
	ByLayer []uint64 `json:"by_layer,omitempty"`
}

// Equal reports whether two figures are the same.
func (f Figure) Equal(g Figure) bool {
	return f.Name == g.Name && f.Value == g.Value && slices.Equal(f.ByLayer, g.ByLayer)
}

// A Reasoner can say why a state is not reached.
type Reasoner interface {
	Space
	// WhyNot returns the reason in a few words, such as "it cannot be solved". State x has a number,
	// and the roots do not reach it.
	WhyNot(x Index) string
}

// A Narrator has a better way to describe a path than one move after the other. It can follow
// pieces that look alike, for example, or give moves a form of their own in JSON.
type Narrator interface {
	Space
	// Narrate describes the moves of a path, and its states from the first to the last as
	// Parse reads them. It returns an error if a step is no move of this space.
	Narrate(path Path) (moves []fmt.Stringer, states []string, err error)
}

// Narrate describes the moves of a path, and its states from the first to the last; those of a
// Reversed space from the last to the first. A Narrator does it in its own way. For other spaces,
// FormatMove describes each move.
func Narrate(sp Space, path Path) (moves []fmt.Stringer, states []string, err error) {
	if n, ok := sp.(Narrator); ok {
		return n.Narrate(path)
	}
	if IsReversed(sp) {
		return narrateBack(sp, path)
	}
	states = append(states, sp.Format(path.From))
	at := path.From
	for i, step := range path.Steps {
		edges := sp.Successors(nil, at)
		k := slices.IndexFunc(edges, func(e Edge) bool {
			return e.To == step.State && (step.Move == AnyMove || step.Move == e.Move)
		})
		if k < 0 {
			return nil, nil, fmt.Errorf("move %d: no move leads from %s to %s", i+1, sp.Format(at), sp.Format(step.State))
		}
		moves, states = append(moves, plainMove(sp.FormatMove(at, edges[k]))), append(states, sp.Format(step.State))
		at = step.State
	}
	return moves, states, nil
}

// narrateBack is Narrate for a Reversed space.
func narrateBack(sp Space, path Path) (moves []fmt.Stringer, states []string, err error) {
	for i := len(path.Steps) - 1; i >= 0; i-- {
		at, step, to := path.Steps[i].State, path.Steps[i], path.From
		if i > 0 {
			to = path.Steps[i-1].State
		}
		edges := sp.Predecessors(nil, at)
		k := slices.IndexFunc(edges, func(e Edge) bool { return e.To == to && (step.Move == AnyMove || step.Move == e.Move) })
		if k < 0 {
			return nil, nil, fmt.Errorf("move %d: no move leads from %s to %s", len(path.Steps)-i, sp.Format(at), sp.Format(to))
		}
		moves, states = append(moves, plainMove(sp.FormatMove(at, edges[k]))), append(states, sp.Format(at))
	}
	return moves, append(states, sp.Format(path.From)), nil
}

// A plainMove is the text of a move.
type plainMove string

// String implements fmt.Stringer.
func (m plainMove) String() string { return string(m) }

// An Explainer explains how it is numbered and enumerated.
type Explainer interface {
	// Explain returns a text for people that is also an object in JSON.
	Explain() fmt.Stringer
}

// A Planner knows more of a long run than its engine does.
type Planner interface {
	// Plan returns a text for people that is also an object in JSON. It is about a run on the given
	// number of threads, with memory in bytes. It may measure, but takes less than a second. It is nil if there is
	// nothing to say.
	Plan(ctx context.Context, threads int, memory uint64) (fmt.Stringer, error)
}

// A Featured space knows numbers about each state, by which people select and sort states.
type Featured interface {
	Space
	// Features returns what it knows. Each has a name of its own.
	Features() []Feature
}

// A Feature is a whole number about each state, such as how many jumps are possible.
type Feature struct {
	Name  string // as in expressions: small letters, digits and _, with a letter first, no keyword of Go
	About string // what it counts, in a few words: "possible jumps"
	// New returns a function for one goroutine. It takes every number below Size that is a state.
	New func() func(x Index) int64
	// OfValues, in place of New, is the feature of a member of a file: it follows from the numbers
	// that the file keeps of a state of a Valued space.
	OfValues func(values []uint64) int64
}

// Features returns what is known about each state of a space: what the space says, and unless that
// has the same name, branching, the number of its successors.
func Features(sp Space) (all []Feature) {
	if f, ok := sp.(Featured); ok {
		all = f.Features()
	}
	const name = "branching"
	if slices.ContainsFunc(all, func(f Feature) bool { return f.Name == name }) {
		return all
	}
	return append(all, Feature{Name: name, About: "possible moves", New: func() func(x Index) int64 {
		var edges []Edge
		return func(x Index) int64 {
			edges = sp.Successors(edges[:0], x)
			return int64(len(edges))
		}
	}})
}
