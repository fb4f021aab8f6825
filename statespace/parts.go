package statespace

import (
	"context"
	"iter"
	"math/big"
	"slices"

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

// Goals are the states that solve a puzzle. A space whose goals are read from a text has none if the
// text names none.
type Goals struct {
	// Is reports whether x is a goal. It is required.
	Is func(x Index) bool
	// All returns all goals, reached from the roots or not, each once. A search backwards begins with
	// this list; without it, it looks at every number.
	All func() []Index
	// Ends says that the search ends with the nearest goals: states that are farther from the roots do
	// not count as reached.
	Ends bool
	// Barred returns why no goal can be reached, if that is known without a search; else "". It is optional.
	Barred func() string
}

// Any reports whether there can be goals.
func (g Goals) Any() bool { return g.Is != nil }

// Has reports whether x is a goal.
func (g Goals) Has(x Index) bool { return g.Is != nil && g.Is(x) }

// EachRoot yields the roots of a space, if possible without a list of them.
func EachRoot(sp Space) iter.Seq[Index] {
	if each := sp.Parts().EachRoot; each != nil {
		return each
	}
	return func(yield func(x Index) bool) { slices.Values(sp.Roots())(yield) } // no list before it is needed
}

// Codes are what states are known by where only those that are found get numbers: ranks in a table of
// codes. A space of codes may have no numbers until then: its Size is 0, it has no roots, and it reads
// no state. Such a space has Graph and Numbered; the space that Numbered returns has Of instead.
type Codes struct {
	// Graph returns the graph of the codes. Without it, the codes of a space are its numbers.
	Graph func() CodeGraph
	// Numbered returns the space in which the number of a state is its rank in a table. States
	// that are not in the table are outside of it, and moves to them are left out. The
	// Definition is that of sparse.Renumber. It is required with Graph.
	Numbered func(t Table) (Space, error)
	// Of is the space whose states a table numbers here. It is nil if a space has numbers of its own.
	Of Space
	// Number returns the number in Of of a state, if states have numbers there. It is optional.
	Number func(x Index) Index
}

// A Table has the codes of states in increasing order. The number of a state is its rank, the
// number of codes before its own. Package sorted has tables on disk.
type Table interface {
	Len() uint64
	// At appends the code of a rank, below Len, to dst.
	At(dst []uint64, rank uint64) ([]uint64, error)
	// Rank returns the rank of a code, and whether it is there.
	Rank(code []uint64) (rank uint64, found bool, err error)
}

// A CodeGraph is states that are known by codes, and their moves.
type CodeGraph struct {
	// Words is the number of 64-bit words of a code, from 1 to 8.
	Words int
	// Roots are the codes at distance 0. There is at least one.
	Roots [][]uint64
	// Valid reports whether a code is that of a state. Codes from a file may not be; the other functions
	// get only valid ones. Several goroutines may call it. If it is nil, codes are not checked.
	Valid func(code []uint64) bool
	// NewExpander makes a CodeExpander for each thread.
	NewExpander func() CodeExpander
	// NewProver, if not nil, makes a CodeExpander that shares nothing with these but the codes, for proofs.
	NewProver func() CodeExpander
	// Back says how far back moves lead: a successor of a state at distance d has a distance
	// of at least d-Back. It is 1 if every move can be taken back, 0 if every move leads to
	// distance d+1, and negative if nothing is known. A new level is compared with
	// Back+1 earlier ones, or with all. If Back is too small, states are found more than once.
	Back int
}

// A CodeExpander knows the moves of a state. One goroutine uses it at a time.
type CodeExpander interface {
	// Expand appends the codes of the successors of a state to dst, one after another. The
	// same one may come several times.
	Expand(dst []uint64, code []uint64) []uint64
	// Goal reports whether a state is a goal.
	Goal(code []uint64) bool
}
