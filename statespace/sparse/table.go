package sparse

import (
	"encoding/json"
	"errors"
	"iter"
	"slices"

	"pagoda/sorted"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// Codes is a statespace.Table in memory.
type Codes struct {
	words int
	codes []uint64
}

// CodesOf returns the table of distinct codes in increasing order, which it keeps.
func CodesOf(words int, codes []uint64) *Codes { return &Codes{words, codes} }

// All yields the codes.
func (c *Codes) All() iter.Seq[[]uint64] { return slices.Chunk(c.codes, c.words) }

// Len implements statespace.Table.
func (c *Codes) Len() uint64 { return uint64(len(c.codes) / c.words) }

// At implements statespace.Table.
func (c *Codes) At(dst []uint64, rank uint64) ([]uint64, error) {
	return append(dst, c.codes[rank*uint64(c.words):][:c.words]...), nil
}

// Rank implements statespace.Table.
func (c *Codes) Rank(code []uint64) (rank uint64, found bool, err error) {
	i := sorted.Search(c.codes, code)
	at := c.codes[i:]
	return uint64(i / c.words), len(at) > 0 && slices.Equal(at[:c.words], code), nil
}

// Of returns the codes of a space, with Graph and Numbered: its own if it has them, or else its numbers.
func Of(sp statespace.Space) statespace.Codes {
	if codes := sp.Parts().Codes; codes.Graph != nil {
		return codes
	}
	n := numbers{sp}
	return statespace.Codes{Graph: n.graph, Numbered: func(t statespace.Table) (statespace.Space, error) { return newListed(sp, t) }}
}

// Original returns the space whose numbers are the codes of a space that a table numbers, and a path in
// these numbers. Any other space and its paths stay as they are.
func Original(sp statespace.Space, path statespace.Path) (statespace.Space, statespace.Path) {
	codes := sp.Parts().Codes
	if codes.Number == nil {
		return sp, path
	}
	return codes.Of, renumbered(path, codes.Number)
}

// renumbered returns a path in other numbers.
func renumbered(path statespace.Path, number func(x statespace.Index) statespace.Index) statespace.Path {
	other := statespace.Path{From: number(path.From)}
	for _, s := range path.Steps {
		other.Steps = append(other.Steps, statespace.Step{Move: s.Move, State: number(s.State)})
	}
	return other
}

// numbering is the numbering in the definition of a space that a table numbers.
type numbering struct {
	// Codes is the numbering of the space of the codes.
	Codes json.RawMessage `json:"codes"`
}

// Renumber returns the definition of a space that a table numbers, given that of the space of its codes.
func Renumber(d statespace.Definition) (statespace.Definition, error) {
	text, err := json.Marshal(numbering{d.Numbering})
	d.Numbering = text
	return d, err
}

// Unlist returns the definition of the space of the codes of one that a table numbers. It reports false for the
// definition of any other space.
func Unlist(d statespace.Definition) (statespace.Definition, bool) {
	var n numbering
	if json.Unmarshal(d.Numbering, &n) != nil || n.Codes == nil {
		return d, false
	}
	d.Numbering = n.Codes
	return d, true
}

// numbers is a space whose codes are its numbers.
type numbers struct{ statespace.Space }

// graph is the Graph of its Codes.
func (n numbers) graph() statespace.CodeGraph {
	g := bfs.Of(n.Space)
	if g.NewExpander == nil {
		g = bfs.Plain(n.Space)
	}
	size := n.Size()
	by := func(newExpander func() statespace.Expander) func() statespace.CodeExpander {
		return func() statespace.CodeExpander { return &numbersExpander{goals: n.Parts().Goals, e: newExpander()} }
	}
	graph := statespace.CodeGraph{Words: 1, Back: -1, Valid: func(code []uint64) bool { return code[0] < size }, NewExpander: by(g.NewExpander),
		NewProver: by(bfs.ProofOf(n.Space).NewExpander)}
	roots, parts := n.Roots(), n.Parts()
	for _, x := range roots {
		graph.Roots = append(graph.Roots, []uint64{x})
	}
	switch {
	case g.Undirected:
		graph.Back = 1
	case parts.Steps && !slices.ContainsFunc(roots, func(x statespace.Index) bool { return parts.Layers.Layer(x) != parts.Layers.Layer(roots[0]) }):
		graph.Back = 0
	}
	return graph
}

// A numbersExpander makes moves on numbers.
type numbersExpander struct {
	goals statespace.Goals
	e     statespace.Expander
}

func (e *numbersExpander) Expand(dst []uint64, code []uint64) []uint64 {
	return e.e.Expand(dst, code[0]&^63, 1<<(code[0]&63), nil)
}

func (e *numbersExpander) Goal(code []uint64) bool { return e.goals.Has(code[0]) }

var errRoot = errors.New("the table of codes should have the start, and lacks it")
