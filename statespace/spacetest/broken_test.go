package spacetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/internal/toys"
)

type (
	index = statespace.Index
	edge  = statespace.Edge
	edges = []statespace.Edge
)

// A space is another space in which some methods are functions.
type space struct {
	statespace.Space
	name                     *string
	size                     uint64
	roots                    []index
	successors, predecessors func(dst edges, x index) edges
	parse                    func(text string) (index, error)
	format                   func(x index) string
	formatMove               func(from index, move edge) string
	definition               func() statespace.Definition
}

func (s space) Name() string {
	if s.name != nil {
		return *s.name
	}
	return s.Space.Name()
}

func (s space) Size() uint64 {
	if s.size != 0 {
		return s.size
	}
	return s.Space.Size()
}

func (s space) Roots() []index {
	if s.roots != nil {
		return s.roots
	}
	return s.Space.Roots()
}

func (s space) Successors(dst edges, x index) edges {
	if s.successors != nil {
		return s.successors(dst, x)
	}
	return s.Space.Successors(dst, x)
}

func (s space) Predecessors(dst edges, x index) edges {
	if s.predecessors != nil {
		return s.predecessors(dst, x)
	}
	return s.Space.Predecessors(dst, x)
}

func (s space) Parse(text string) (index, error) {
	if s.parse != nil {
		return s.parse(text)
	}
	return s.Space.Parse(text)
}

func (s space) Format(x index) string {
	if s.format != nil {
		return s.format(x)
	}
	return s.Space.Format(x)
}

func (s space) FormatMove(from index, move edge) string {
	if s.formatMove != nil {
		return s.formatMove(from, move)
	}
	return s.Space.FormatMove(from, move)
}

func (s space) Definition() statespace.Definition {
	if s.definition != nil {
		return s.definition()
	}
	return s.Space.Definition()
}

// Spaces with one capability each.
type (
	layered struct {
		space
		name  string
		layer func(x index) int
		falls bool
	}
	steps      struct{ layered }
	undirected struct{ space }
	ending     struct {
		space
		goals statespace.Goals
	}
	lister struct {
		space
		list []index
	}
	symmetric struct {
		toys.Piles
		all []statespace.Symmetry
	}
	still struct {
		*toys.Graph
		all []statespace.Symmetry
	}
	explainer struct {
		space
		text fmt.Stringer
	}
	featured struct {
		space
		all []statespace.Feature
	}
	narrator struct {
		space
		narrate func(path statespace.Path) ([]fmt.Stringer, []string, error)
	}
	fast struct {
		toys.Hanoi
		change func(g *statespace.Graph)
	}
)

func (l layered) LayerName() string    { return l.name }
func (l layered) Layer(x index) int    { return l.layer(x) }
func (l layered) LayersFall() bool     { return l.falls }
func (f fast) Graph() statespace.Graph { g := bfs.Plain(f.Hanoi); f.change(&g); return g }

// Parts implements statespace.Space: what the other space has falls away.
func (space) Parts() statespace.Parts { return statespace.Parts{} }

func (l layered) Parts() statespace.Parts  { return statespace.Parts{Layers: l} }
func (s steps) Parts() statespace.Parts    { return statespace.Parts{Layers: s, Steps: true} }
func (undirected) Parts() statespace.Parts { return statespace.Parts{Undirected: true} }
func (e ending) Parts() statespace.Parts   { return statespace.Parts{Goals: e.goals} }
func (l lister) Parts() statespace.Parts {
	return statespace.Parts{Goals: statespace.Goals{Is: func(x index) bool { return x%5 == 2 }, All: func() []index { return l.list }}}
}
func (e explainer) Parts() statespace.Parts {
	return statespace.Parts{Texts: statespace.Texts{Explain: func() fmt.Stringer { return e.text }}}
}
func (f featured) Parts() statespace.Parts {
	return statespace.Parts{Texts: statespace.Texts{Features: func() []statespace.Feature { return f.all }}}
}
func (n narrator) Parts() statespace.Parts {
	return statespace.Parts{Texts: statespace.Texts{Narrate: n.narrate}}
}
func (f fast) Parts() statespace.Parts {
	p := f.Hanoi.Parts()
	p.Graph = f.Graph
	return p
}
func (s symmetric) Parts() statespace.Parts { return withSymmetries(s.Piles, s.all) }
func (s still) Parts() statespace.Parts     { return withSymmetries(s.Graph, s.all) }

// withSymmetries returns the parts of a space with other symmetries, with kernels if they have some.
func withSymmetries(sp statespace.Space, all []symmetry) statespace.Parts {
	p := sp.Parts()
	p.Symmetry = statespace.Symmetric{Fixed: func() []symmetry { return all }}
	var words []statespace.WordSymmetry
	for _, s := range all {
		if w, ok := s.(statespace.WordSymmetry); ok {
			words = append(words, w)
		}
	}
	if len(words) == len(all) {
		p.Symmetry.Words = func() []statespace.WordSymmetry { return words }
	}
	return p
}

type symmetry = statespace.Symmetry

// text is a description.
type text string

func (t text) String() string { return string(t) }

// stateLaws are laws that can only be broken at a state.
var stateLaws = []string{lawRoots, lawInverse, lawLists, lawText, lawMoveText, lawLayers, lawUndirected, lawNarrate, lawSymmetry, lawGroup, lawWords, lawPatterns,
	lawEngines, lawDistances, lawPaths, lawPointers, lawNumbered, lawPlaces, lawImages, lawBetween, lawWays}

// breach is a space that breaks a law.
type breach struct {
	name  string
	space statespace.Space
	law   string
}

// check expects that the space breaks the law, and that the error names a state, on n states of
// each kind.
func (b breach) check(t *testing.T, n int) {
	t.Helper()
	t.Run(b.name, func(t *testing.T) {
		var law *LawError
		if err := Check(t.Context(), b.space, n); !errors.As(err, &law) || law.Law != b.law {
			t.Fatalf("%v; want the law %q", err, b.law)
		}
		if slices.Contains(stateLaws, b.law) && !strings.Contains(law.Detail, "number") {
			t.Errorf("%v names no state", law)
		}
	})
}

func TestBrokenSpaces(t *testing.T) {
	empty := ""
	count := toys.Countdown{Start: 40}
	ring := toys.Ring{N: 50, Add: 7, From: []index{3}}
	define := func(change func(d *statespace.Definition)) space {
		return space{Space: count, definition: func() statespace.Definition { d := count.Definition(); change(&d); return d }}
	}
	defined := 0
	calls := 0
	for _, b := range []breach{
		{"no name", space{Space: count, name: &empty}, lawDefinition},
		{"no family", define(func(d *statespace.Definition) { d.Family = "" }), lawDefinition},
		{"no puzzle", define(func(d *statespace.Definition) { d.Puzzle = nil }), lawDefinition},
		{"a puzzle that is not JSON", define(func(d *statespace.Definition) { d.Puzzle = []byte("{") }), lawDefinition},
		{"no numbering", define(func(d *statespace.Definition) { d.Numbering = []byte("none") }), lawDefinition},
		{"another puzzle each time", define(func(d *statespace.Definition) { defined++; d.Puzzle = fmt.Append(nil, defined) }), lawDefinition},
		{"no explanation", explainer{space{Space: count}, text("")}, lawExplain},

		{"no numbers", zero{count}, lawSize},
		{"root beyond Size", space{Space: count, roots: []index{41}}, lawSize},
		{"root twice", space{Space: ring, roots: []index{3, 5, 3}}, lawRoots},
		{"move beyond Size", space{Space: count, size: 30, roots: []index{10}}, lawSize},
		{"move to a number beyond Size", space{Space: ring, successors: func(dst edges, x index) edges { return append(dst, edge{To: x + 49}) }}, lawSize},
		{"Parse beyond Size", space{Space: count, parse: func(text string) (index, error) {
			if text == "" {
				return 41, nil
			}
			return count.Parse(text)
		}}, lawSize},

		{"predecessor missing", space{Space: ring, predecessors: func(dst edges, x index) edges { return ring.Predecessors(dst, x)[:len(dst)+1] }}, lawInverse},
		{"predecessor by another move", space{Space: ring, predecessors: func(dst edges, x index) edges {
			dst = ring.Predecessors(dst, x)
			dst[len(dst)-1].Move++
			return dst
		}}, lawInverse},
		{"successor missing", space{Space: count, successors: func(dst edges, x index) edges { return count.Successors(dst, x)[:len(dst)] }}, lawInverse},
		{"move twice", space{Space: ring, successors: func(dst edges, x index) edges { return ring.Successors(ring.Successors(dst, x), x) }}, lawInverse},
		{"list not appended to", space{Space: ring, successors: func(_ edges, x index) edges { return ring.Successors(nil, x) }}, lawLists},
		{"another order each time", space{Space: ring, predecessors: func(dst edges, x index) edges {
			n := len(dst)
			dst = ring.Predecessors(dst, x)
			if calls++; calls%2 == 0 {
				slices.Reverse(dst[n:])
			}
			return dst
		}}, lawLists},

		{"text that Parse refuses", space{Space: count, format: func(x index) string { return "n" + fmt.Sprint(x) }}, lawText},
		{"text of another state", space{Space: count, parse: func(string) (index, error) { return 40, nil }}, lawText},
		{"text in two lines", space{Space: count, format: func(x index) string { return "\n" + fmt.Sprint(x) }}, lawText},
		{"no text", space{Space: count, format: func(index) string { return "" }}, lawText},
		{"move without text", space{Space: count, formatMove: func(_ index, m edge) string { return "take two"[:8-8*m.Move] }}, lawMoveText},
		{"move in two lines", space{Space: count, formatMove: func(index, edge) string { return "take\ntwo" }}, lawMoveText},

		{"layers rise and fall", layered{space{Space: ring}, "numbers", func(x index) int { return int(x) }, true}, lawLayers},
		{"layers in the other direction", layered{space{Space: count}, "values", count.Layer, false}, lawLayers},
		{"layers that are left out", steps{layered{space{Space: count}, "values", func(x index) int { return 2 * int(x) }, true}}, lawLayers},
		{"layers that stay", layered{space{Space: count}, "values", func(x index) int { return int(x / 8) }, true}, lawLayers},
		{"layers below 0", layered{space{Space: count}, "values", func(x index) int { return int(x) - 41 }, true}, lawLayers},
		{"layers without a name", layered{space{Space: count}, "", count.Layer, true}, lawDefinition},
		{"no way back", undirected{space{Space: ring}}, lawUndirected},

		{"ends at no goal", ending{space{Space: ring}, statespace.Goals{Ends: true}}, lawGoals},
		{"goal not listed", lister{space{Space: toys.Ring{N: 13, Add: 2}}, []index{2, 7}}, lawGoals},
		{"listed state is no goal", lister{space{Space: toys.Ring{N: 13, Add: 2}}, []index{2, 3, 7, 12}}, lawGoals},
		{"goal listed twice", lister{space{Space: toys.Ring{N: 13, Add: 2}}, []index{2, 7, 12, 2}}, lawGoals},
		{"goal beyond Size", lister{space{Space: toys.Ring{N: 13, Add: 2}}, []index{2, 7, 12, 17}}, lawSize},

		{"feature with a bad name", featured{space{Space: ring}, []statespace.Feature{feature("a b", 0)}}, lawFeatures},
		{"feature with a keyword as name", featured{space{Space: ring}, []statespace.Feature{feature("range", 0)}}, lawFeatures},
		{"two features with one name", featured{space{Space: ring}, []statespace.Feature{feature("a", 0), feature("a", 0)}}, lawFeatures},
		{"feature that changes", featured{space{Space: ring}, []statespace.Feature{{Name: "a", About: "calls", New: func() func(x index) int64 {
			n := int64(0)
			return func(index) int64 { n++; return n }
		}}}}, lawFeatures},
		{"feature that depends on the goroutine", featured{space{Space: ring}, []statespace.Feature{feature("a", 1)}}, lawFeatures},

		{"path without a state", narrator{space{Space: ring}, func(p statespace.Path) ([]fmt.Stringer, []string, error) {
			moves, states, err := statespace.Narrate(ring, p)
			return moves, states[1:], err
		}}, lawNarrate},
		{"path with another state", narrator{space{Space: ring}, func(p statespace.Path) ([]fmt.Stringer, []string, error) {
			moves, states, err := statespace.Narrate(ring, p)
			states[len(states)-1] = "4"
			return moves, states, err
		}}, lawNarrate},
		{"path with a move without text", narrator{space{Space: ring}, func(p statespace.Path) ([]fmt.Stringer, []string, error) {
			moves, states, err := statespace.Narrate(ring, p)
			for i := range moves {
				moves[i] = text("")
			}
			return moves, states, err
		}}, lawNarrate},
	} {
		b.check(t, 60)
	}
}

// feature returns a feature that is 0, or if step is not, another number for each goroutine.
func feature(name string, step int64) statespace.Feature {
	n := int64(0)
	return statespace.Feature{Name: name, About: "a number", New: func() func(x index) int64 {
		n += step
		mine := n
		return func(index) int64 { return mine }
	}}
}

// zero is a space without numbers.
type zero struct{ statespace.Space }

func (zero) Size() uint64 { return 0 }
