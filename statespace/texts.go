package statespace

import (
	"context"
	"fmt"
	"slices"
)

// Texts are what a space says of itself and its states. All functions are optional.
type Texts struct {
	// Narrate describes the moves of a path, and its states from the first to the last as Parse reads
	// them. It returns an error if a step is no move of this space. A space has it if it knows a
	// better way than one move after the other: it can follow pieces that look alike, for example, or
	// give moves a form of their own in JSON. Without it, FormatMove describes each move.
	Narrate func(path Path) (moves []fmt.Stringer, states []string, err error)
	// Follow chooses one of several paths of a length from the start, and describes it as Narrate does. On reports
	// whether a state may come after some moves. Without it, a path takes the first such move of Successors.
	Follow func(length int, on func(x Index, moves int) bool) (path Path, moves []fmt.Stringer, states []string, err error)
	// WhyNot returns why a state is not reached in a few words, such as "it cannot be solved". State
	// x has a number, and the roots do not reach it. Without it, no reason is given.
	WhyNot func(x Index) string
	// Explain returns how the space is numbered and enumerated: a text for people that is also an
	// object in JSON.
	Explain func() fmt.Stringer
	// Plan returns what the space knows of a long run on the given number of threads, with memory in
	// bytes: a text for people that is also an object in JSON. It may measure, but takes less than a
	// second. The text is nil if there is nothing to say.
	Plan func(ctx context.Context, threads int, memory uint64) (fmt.Stringer, error)
	// Features returns numbers about each state, by which people select and sort states. Each has a
	// name of its own. Every space has the feature branching: see the function Features.
	Features func() []Feature
}

// Narrate describes the moves of a path, and its states from the first to the last; those of a
// Reversed space from the last to the first. A space may do it in its own way: see Texts. For other
// spaces, FormatMove describes each move.
func Narrate(sp Space, path Path) (moves []fmt.Stringer, states []string, err error) {
	p := sp.Parts()
	if p.Texts.Narrate != nil {
		return p.Texts.Narrate(path)
	}
	if p.Reversed {
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
		moves, states = append(moves, MoveText(sp.FormatMove(at, edges[k]))), append(states, sp.Format(step.State))
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
		moves, states = append(moves, MoveText(sp.FormatMove(at, edges[k]))), append(states, sp.Format(at))
	}
	return moves, append(states, sp.Format(path.From)), nil
}

// A MoveText describes a move of a path in words.
type MoveText string

// String implements fmt.Stringer.
func (m MoveText) String() string { return string(m) }

// A Feature is a whole number about each state, such as how many jumps are possible.
type Feature struct {
	Name  string // as in expressions: small letters, digits and _, with a letter first, no keyword of Go
	About string // what it counts, in a few words: "possible jumps"
	// New returns a function for one goroutine. It takes every number below Size that is a state.
	New func() func(x Index) int64
	// OfValues, in place of New, is the feature of a member of a file: it follows from the numbers
	// that the file keeps of a state: see Values.
	OfValues func(values []uint64) int64
}

// Features returns what is known about each state of a space: what the space says, and unless that
// has the same name, branching, the number of its successors.
func Features(sp Space) (all []Feature) {
	if own := sp.Parts().Texts.Features; own != nil {
		all = own()
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
