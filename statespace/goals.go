package statespace

import (
	"iter"
	"slices"
)

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
