package sweep

import (
	"math/big"

	"pagoda/statespace"
)

// A WaysQuestion asks how many paths lead from the roots of a space to its states.
type WaysQuestion struct {
	// To lists states. The paths to each are counted.
	To []statespace.Index
	// Layers asks for the paths to all states, by layer. Without it, states that lead to none
	// of To may be left out.
	Layers bool
	// Memory is how many bytes the count may take. If they do not suffice, the error is
	// statespace.ErrMemory.
	Memory   uint64
	Threads  int
	Progress *statespace.Progress // may be nil
}

// Ways are numbers of paths. They are exact.
type Ways struct {
	To     []*big.Int  // in the order of the question; 0 for a state that is not reached
	Layers []WaysLayer // in the order of moves, if they were asked for
}

// A WaysLayer says how many paths lead from the roots to the states of a layer.
type WaysLayer struct {
	Layer    int
	States   uint64
	Paths    *big.Int // to these states
	DeadEnds uint64   // the states without a move
	Games    *big.Int // the paths that end in these
}
