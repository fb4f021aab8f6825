package sparse

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"pagoda/sorted"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// A Table has the codes of states in increasing order. The number of a state is its rank, the
// number of codes before its own. A *sorted.List is a Table, and so is Codes.
type Table interface {
	Len() uint64
	// At appends the code of a rank, below Len, to dst.
	At(dst []uint64, rank uint64) ([]uint64, error)
	// Rank returns the rank of a code, and whether it is there.
	Rank(code []uint64) (rank uint64, found bool, err error)
}

// Codes is a Table in memory.
type Codes struct {
	words int
	codes []uint64
}

// CodesOf returns the table of distinct codes in increasing order, which it keeps.
func CodesOf(words int, codes []uint64) *Codes { return &Codes{words, codes} }

// Len implements Table.
func (c *Codes) Len() uint64 { return uint64(len(c.codes) / c.words) }

// At implements Table.
func (c *Codes) At(dst []uint64, rank uint64) ([]uint64, error) {
	return append(dst, c.codes[rank*uint64(c.words):][:c.words]...), nil
}

// Rank implements Table.
func (c *Codes) Rank(code []uint64) (rank uint64, found bool, err error) {
	i := sorted.Search(c.codes, code)
	at := c.codes[i:]
	return uint64(i / c.words), len(at) > 0 && slices.Equal(at[:c.words], code), nil
}

// A Coded space has codes for its states. It may have no numbers: then its Size is 0, it has no
// roots, and it reads no state, until a table numbers it.
type Coded interface {
	statespace.Space
	// Codes returns the graph of the codes.
	Codes() Graph
	// Numbered returns the space in which the number of a state is its rank in a table. States
	// that are not in the table are outside of it, and moves to them are left out. The
	// Definition is that of Renumber.
	Numbered(t Table) (statespace.Space, error)
}

// A Listed space is numbered by a table.
type Listed interface {
	statespace.Space
	// Unlisted returns the space of the codes.
	Unlisted() Coded
}

// Of returns the codes of a space: its own if it has them, or else its numbers.
func Of(sp statespace.Space) Coded {
	if c, ok := sp.(Coded); ok {
		return c
	}
	return numbers{sp}
}

// SpaceOf is the inverse of Of: it returns the space that has the codes.
func SpaceOf(c Coded) statespace.Space {
	if n, ok := c.(numbers); ok {
		return n.Space
	}
	return c
}

// numbering is the numbering in the definition of a Listed space.
type numbering struct {
	// Codes is the numbering of the Coded space.
	Codes json.RawMessage `json:"codes"`
}

// Renumber returns the definition of a Listed space, given that of its Coded space.
func Renumber(d statespace.Definition) (statespace.Definition, error) {
	text, err := json.Marshal(numbering{d.Numbering})
	d.Numbering = text
	return d, err
}

// Unlist returns the definition of the Coded space of a Listed one. It reports false for the
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

// Codes implements Coded.
func (n numbers) Codes() Graph {
	g := bfs.Of(n.Space)
	if g.NewExpander == nil {
		g = bfs.Plain(n.Space)
	}
	graph := Graph{Words: 1, Back: -1, NewExpander: func() Expander { return &numbersExpander{sp: n.Space, e: g.NewExpander()} }}
	if g.Undirected {
		graph.Back = 1
	}
	for _, x := range n.Roots() {
		graph.Roots = append(graph.Roots, []uint64{x})
	}
	return graph
}

// A numbersExpander makes moves on numbers.
type numbersExpander struct {
	sp statespace.Space
	e  bfs.Expander
}

func (e *numbersExpander) Expand(dst []uint64, code []uint64) []uint64 {
	return e.e.Expand(dst, code[0]&^63, 1<<(code[0]&63), nil)
}

func (e *numbersExpander) Goal(code []uint64) bool { return statespace.IsGoal(e.sp, code[0]) }

// Numbered implements Coded.
func (n numbers) Numbered(t Table) (statespace.Space, error) { return newListed(n, t) }

// errNotListed is the error of a state that is not in the table.
var errNotListed = fmt.Errorf("%w: it cannot be reached", statespace.ErrOutside)

var errRoot = errors.New("the table of codes should have the start, and lacks it")
