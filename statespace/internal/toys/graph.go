package toys

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"pagoda/statespace"
)

// Graph is a space given by a list of moves.
type Graph struct {
	name            string
	next, before    [][]statespace.Edge
	roots, goals    []statespace.Index
	back, endAtGoal bool
}

// NewGraph returns a space of n numbers with a move for each arc, from its first number to the
// second one. If back is true, a move leads back too.
func NewGraph(n int, arcs [][2]int, back bool, roots, goals []statespace.Index) *Graph {
	g := &Graph{name: fmt.Sprintf("graph/%d", n), next: make([][]statespace.Edge, n), before: make([][]statespace.Edge, n),
		roots: roots, goals: goals, back: back}
	add := func(from, to, move int) {
		g.next[from] = append(g.next[from], statespace.Edge{To: uint64(to), Move: move})
		g.before[to] = append(g.before[to], statespace.Edge{To: uint64(from), Move: move})
	}
	for i, arc := range arcs {
		add(arc[0], arc[1], i)
		if back {
			add(arc[1], arc[0], i)
		}
	}
	return g
}

// RandomGraph draws a graph of n numbers with the given number of arcs, up to three roots and up
// to five goals.
func RandomGraph(rng *rand.Rand, n, arcs int, back bool) *Graph {
	var list [][2]int
	for range arcs {
		list = append(list, [2]int{rng.IntN(n), rng.IntN(n)})
	}
	some := func(most int) (all []statespace.Index) {
		for range most {
			all = append(all, rng.Uint64N(uint64(n)))
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	return NewGraph(n, list, back, some(1+rng.IntN(3)), some(rng.IntN(6)))
}

// Line returns the graph in which a move leads from each number to the next one, and back if back
// is true. The root is 0.
func Line(n int, back bool) *Graph {
	var arcs [][2]int
	for i := range n - 1 {
		arcs = append(arcs, [2]int{i, i + 1})
	}
	return NewGraph(n, arcs, back, []statespace.Index{0}, nil)
}

// EndAtGoal makes the space end at its nearest goals, if it has some, and returns it.
func (g *Graph) EndAtGoal() *Graph {
	g.endAtGoal = len(g.goals) > 0
	return g
}

// Name implements statespace.Space.
func (g *Graph) Name() string { return g.name }

// Size implements statespace.Space.
func (g *Graph) Size() uint64 { return uint64(len(g.next)) }

// Roots implements statespace.Space.
func (g *Graph) Roots() []statespace.Index { return g.roots }

// Format implements statespace.Space.
func (g *Graph) Format(x statespace.Index) string { return fmt.Sprint(x) }

// Parse implements statespace.Space.
func (g *Graph) Parse(text string) (statespace.Index, error) {
	return Countdown{g.Size() - 1}.Parse(text)
}

// FormatMove implements statespace.Space.
func (g *Graph) FormatMove(from statespace.Index, move statespace.Edge) string {
	return fmt.Sprintf("arc %d to %d", move.Move, move.To)
}

// Definition implements statespace.Space.
func (g *Graph) Definition() statespace.Definition { return definition(g.name, g.next) }

// Successors implements statespace.Space.
func (g *Graph) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return append(dst, g.next[x]...)
}

// Predecessors implements statespace.Space.
func (g *Graph) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return append(dst, g.before[x]...)
}

// Parts implements statespace.Space.
func (g *Graph) Parts() statespace.Parts {
	p := statespace.Parts{Undirected: g.back}
	if len(g.goals) > 0 {
		p.Goals = statespace.Goals{
			Is:   func(x statespace.Index) bool { return slices.Contains(g.goals, x) },
			All:  func() []statespace.Index { return g.goals },
			Ends: g.endAtGoal,
		}
	}
	return p
}
