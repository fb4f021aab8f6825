package statespace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"pagoda/bitset"
)

// An Index is the number of a state. The states of a space are numbered from 0
// to Size()-1; a number need not belong to a state that can be reached.
type Index = uint64

// An Edge is a move seen from one of its ends.
type Edge struct {
	To   Index // the state at the other end
	Move int   // which move it is; what the number means is the space's affair
}

// A Space numbers the states of a puzzle and gives the moves between them. Its
// methods may be called by several goroutines at once.
type Space interface {
	// Name is a short name for people, such as peg/5x7.
	Name() string
	// Size is the number of numbers: every state has one below it.
	Size() uint64
	// Roots returns the states where exploration starts.
	Roots() []Index
	// Successors appends to dst the moves that can be made in state x.
	Successors(dst []Edge, x Index) []Edge
	// Predecessors appends to dst the moves that lead to state x; Edge.To is the
	// state in which the move is made.
	Predecessors(dst []Edge, x Index) []Edge
	// Parse returns the number of the state that the text describes. An error
	// tells what was expected and where the text differs; it is ErrOutside when
	// the text describes a state that has no number.
	Parse(text string) (Index, error)
	// Format writes a state so that Parse reads it.
	Format(x Index) string
	// Tell tells a way to people: what each move does, as JSON an object, and the states
	// from the first to the last. The error says that it is no way in this space.
	Tell(way Way) (moves []fmt.Stringer, states []string, err error)
	// Definition says which space this is and how it numbers its states, so that
	// a file of states tells all that is needed to read it.
	Definition() Definition
}

// ErrOutside says that a state is well described but has no number in the space,
// so that it cannot be reached.
var ErrOutside = errors.New("the state lies outside the space")

// ErrClass is ErrOutside because of something that no move changes.
var ErrClass = fmt.Errorf("%w, in another class than the start", ErrOutside)

// A Layered space splits its states into layers, such as positions with the same
// number of pegs.
type Layered interface {
	Space
	// LayerName says what a layer's number counts, in the plural: "pegs".
	LayerName() string
	// Layer returns the layer of state x, which is not below 0.
	Layer(x Index) int
	// LayersFall reports whether moves lead to lower layers, not to higher ones.
	LayersFall() bool
}

// A Layer is a number of states in one layer.
type Layer struct {
	Layer  int
	States uint64
	// Orbits is the number of states up to the symmetries of the space, or 0 if they
	// were not counted.
	Orbits uint64
}

// A Definition says which space it is and how its states are numbered.
type Definition struct {
	Family    string          `json:"family"`    // says how to read the rest
	Name      string          `json:"name"`      // for people
	Puzzle    json.RawMessage `json:"puzzle"`    // the states, the moves and the roots
	Numbering json.RawMessage `json:"numbering"` // which of several ways to number them
}

// SamePuzzle reports whether two definitions define the same states, moves and
// roots; their names and numbers may differ.
func (d Definition) SamePuzzle(e Definition) bool {
	return d.Family == e.Family && bytes.Equal(d.Puzzle, e.Puzzle)
}

// An Explainer tells how it is numbered and enumerated: as text for people, and as
// JSON an object.
type Explainer interface {
	Explain() fmt.Stringer
}

// A BitOrdered space tells in which order the bits of its numbers make a small trie, or
// words that compress well: with those side by side that have to do with one another.
type BitOrdered interface {
	BitOrder() bitset.Order
}
