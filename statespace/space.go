package statespace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// An Index is the number of a state. A space has the numbers from 0 to Size()-1. Not every
// number needs to be a state that can be reached; in a quotient, not every number is a state.
type Index = uint64

// An Edge is a move seen from one of its ends.
type Edge struct {
	To   Index // the state at the other end
	Move int   // the number of the move, with a meaning that only the space knows
}

// A Space numbers the states of a puzzle and gives the moves between them. All methods take
// every number below Size, and may be called by several goroutines at once. They always
// return the same, lists of moves in the same order.
type Space interface {
	// Name is a short name for people, such as peg/5x7.
	Name() string
	// Size is how many numbers there are: every state has a number below it.
	Size() uint64
	// Roots returns the states from which a search starts, each once.
	Roots() []Index
	// Successors appends to dst the moves that can be made in state x.
	Successors(dst []Edge, x Index) []Edge
	// Predecessors appends to dst the moves that lead to state x. Edge.To is the
	// state in which the move is made, Edge.Move the same as in Successors.
	Predecessors(dst []Edge, x Index) []Edge
	// Parse returns the number of the state that a text describes. An error says
	// what was expected and where the text differs. It is ErrOutside if the text
	// describes a state that has no number.
	Parse(text string) (Index, error)
	// Format writes a state on one line. Parse reads it.
	Format(x Index) string
	// FormatMove describes a move that can be made in a state, on one line, such as
	// "disk 1 to peg B".
	FormatMove(from Index, move Edge) string
	// Definition identifies the space and its numbering. Files of states keep it.
	Definition() Definition
	// Parts returns what the space offers besides: layers, goals, cells and more. It takes little time,
	// but some memory, so it is called once and not for each state. A space with none of them returns
	// Parts{}.
	Parts() Parts
}

// ErrOutside is the error for a text that describes a state without a number. Such a state
// cannot be reached.
var ErrOutside = errors.New("the state lies outside the space")

// ErrClass is the ErrOutside of a state that differs from the start in something that no move
// changes.
var ErrClass = fmt.Errorf("%w, in another class than the start", ErrOutside)

// ErrUnlisted is the ErrOutside of a state of a space that a table numbers: the table lacks it.
var ErrUnlisted = fmt.Errorf("%w: it cannot be reached", ErrOutside)

// ErrUnknown is the error for a name or a definition of a space that this program does not
// have.
var ErrUnknown = errors.New("unknown space")

// A Definition identifies a space and its numbering. A file of states needs nothing else to
// find its space again.
type Definition struct {
	Family    string          `json:"family"`    // decides how the rest is read
	Name      string          `json:"name"`      // as Space.Name
	Puzzle    json.RawMessage `json:"puzzle"`    // the states, the moves and the roots
	Numbering json.RawMessage `json:"numbering"` // which of several numberings it is
}

// Encode writes a value of a program, such as a part of a definition, as JSON. It panics at what has no JSON form, such as
// a function.
func Encode(part any) json.RawMessage {
	text, err := json.Marshal(part)
	if err != nil {
		panic(err)
	}
	return text
}

// SamePuzzle reports whether two definitions define the same states, moves and roots. Their
// names and numberings may differ.
func (d Definition) SamePuzzle(e Definition) bool {
	return d.Family == e.Family && bytes.Equal(d.Puzzle, e.Puzzle)
}
