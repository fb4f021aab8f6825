package statespace

import (
	"context"
	"slices"
)

// Values are numbers about each state that are kept besides its distance from the roots. They follow
// from those of the states one move nearer to the roots. A path is a best one if all its moves are: the
// space decides which of the shortest paths are. A space with values has no layers besides its
// distances.
type Values struct {
	// Value puts the numbers of state x, which is reached, into dst, one for each column. Near
	// returns those of a state that is one move nearer than x; for other states it returns nil. If x
	// is a root, there are no nearer states. Value calls it for all states from which a move leads
	// to x: that is how files are proved. What is in dst before does not matter. It is required.
	Value func(dst []uint64, x Index, near Near)
	// Best appends the moves of Predecessors(x) with which best paths to x end, each once: some of
	// those from nearer states. If x is a root, there are none. It is required.
	Best func(dst []Edge, x Index, near Near) []Edge
	// DistanceName says what distances count, in the plural: "moves". It is required.
	DistanceName string
	// Columns says what the numbers are. There is at least one.
	Columns []Column
	// Figures counts what people ask for of all states, such as how many of them have solutions. At
	// puts the numbers that are kept of a state into dst, and returns its distance from the roots, or
	// -1 if it is not reached. Several goroutines may call it. When ctx ends, Figures stops soon and
	// returns the cause. It is optional: files then have no figures.
	Figures func(ctx context.Context, threads int, at func(dst []uint64, x Index) (distance int, err error)) ([]Figure, error)
	// NewValuer returns a quick way to find the numbers of states, for one goroutine. It is optional:
	// without it, Value finds them.
	NewValuer func(r *Records) Valuer
}

// Any reports whether there are values.
func (v Values) Any() bool { return v.Value != nil }

// A Near returns the numbers of a state that is one move nearer to the roots than another one, or nil
// if the state is not. They are valid until the next call.
type Near func(y Index) []uint64

// A Column is a number that is kept of each state.
type Column struct {
	Name, About string
	// Bytes is how many bytes the number takes at most: 1, 2 or 4. A space keeps it within them.
	Bytes int
}

// A Valuer finds the values of states. One goroutine may use it.
type Valuer interface {
	// Value sets the records of the states of a word: bit i of word is number first+i. They are at
	// the same distance, and the records of all nearer states are set.
	Value(first, word uint64)
}

// Records are the values of all numbers in memory.
type Records struct {
	Entries []uint16 // by number: the distance plus 1, or 0 if it is not reached
	Bytes   []byte   // the columns of each number one after the other, little-endian
	Width   int      // the bytes of a number
}

// Entry returns the distance of a number plus 1, or 0 if it is not reached.
func (r *Records) Entry(x Index) uint16 { return r.Entries[x] }

// Record returns the bytes of a number: the columns one after the other, little-endian.
func (r *Records) Record(x Index) []byte {
	width := uint64(r.Width)
	return r.Bytes[x*width:][:width:width]
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
