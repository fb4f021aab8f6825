package statespace

import (
	"context"
	"math/big"

	"pagoda/statespace/cells"
)

// Parts is what a space offers besides the methods of Space. Every part is optional. A part that is an
// interface or a pointer is missing if it is nil; one that is a struct of functions is missing if its
// first function is nil, and says which of the others are optional.
//
// A space that wraps another one starts from the parts of the inner space and replaces those that it
// changes:
//
//	p := w.inner.Parts()
//	p.Goals = Goals{}
//	return p
//
// So nothing is lost on the way. A part that would no longer be right is set to nil.
type Parts struct {
	// Undirected says that every move can be taken back: Predecessors lists the same states as
	// Successors. Then the distance modulo 3 is enough to find shortest paths. Otherwise searches and
	// files keep whole distances.
	Undirected bool
	// Reversed says that the space goes against the moves of its puzzle: the roots are what people play
	// to, and Successors takes moves back. So a search finds how far every state is from the end.
	// Narrate describes a path as it is played, from its last state to its first.
	Reversed bool
	// Stacked says that numbers rise with the layers: those of a layer follow those of all lower ones.
	// Otherwise members are picked by layer one at a time.
	Stacked bool
	// Steps says that every move of a space with layers leads to the next one. So no state comes at two distances
	// from roots in one layer.
	Steps bool
	// States returns how many states can be reached, if that is known without a search; else nil.
	States func() *big.Int
	// EachRoot yields the roots in the order of Roots. It is for spaces with a great many; without it,
	// there is a list of them.
	EachRoot func(yield func(x Index) bool)
	// StartAt returns the space with the same moves that begins in a state. The state may lie in another
	// class than the start: then the new space has numbers of its own. In a space with layers, a state
	// that Parse takes keeps its number. A text that is no state is an error. Without StartAt, paths
	// begin in states that have a number.
	StartAt func(ctx context.Context, text string) (Space, error)

	// EndAt returns the space with the same moves whose only goal is a state that has no number before it is found. That of
	// a Reversed space is played: it goes from the state to the root of this one.
	EndAt func(text string) (Space, error)

	// Layers split the states, so that the moves make no cycle. Without layers, a file has the
	// distances of its states, and paths are shortest ones.
	Layers Layers
	// Goals are states that solve the puzzle.
	Goals Goals
	// Cells are for a space whose states are drawn cell by cell: it has patterns with open cells,
	// members near to one, and pictures.
	Cells cells.Celled
	// Finder finds members by their cells in a way of its own, and does the same as package patterns.
	// Without it, every member is looked at.
	Finder cells.Finder
	// Symmetry takes states to others that are the same for a player.
	Symmetry Symmetric
	// Values are numbers about each state besides its distance from the roots.
	Values Values
	// Codes are what states are known by where they have no numbers.
	Codes Codes
	// Graph returns a graph that makes the moves of many states at a time; making it may take some memory.
	// Without it, moves are made by Successors.
	Graph func() Graph
	// Proof returns a second way to make these moves, for proofs. Without it, they are made by Successors.
	Proof func() Proof
	// Bounds are lower bounds of the moves to the nearest goal.
	Bounds Bounds
	// Sweep has kernels for spaces whose moves lose something. Without it, everything is done one state
	// at a time.
	Sweep *Sweep
	// Chance is the game of a space in which chance answers each move.
	Chance Game
	// Texts are what a space says of itself and its states.
	Texts Texts
}
