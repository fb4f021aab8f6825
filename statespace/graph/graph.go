package graph

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pagoda/internal/memory"
	"pagoda/statespace"
)

// A Graph is the graph of a space, or of the part of it that was wanted. There is at most one edge
// from one vertex to another, and none from a vertex to itself.
type Graph struct {
	Space statespace.Space
	// Directed says that an edge leads from its first vertex to the second one. If not, each edge
	// can be taken both ways and is there once.
	Directed bool
	// Orbits says that vertices stand for all positions that symmetries map to each other.
	Orbits bool
	// Vertices are in the order of their distances from the roots, the roots first.
	Vertices []Vertex
	Edges    []Edge
}

// A Vertex is a position.
type Vertex struct {
	State    statespace.Index
	Distance int  // the least number of moves from a root
	Goal     bool // it, or another of its orbit, solves the puzzle
	Orbit    int  // how many positions it stands for
}

// An Edge is a move, by the places of its ends in Vertices.
type Edge struct {
	From, To int
	// Move is the move from the state of From. Up to symmetry it may lead to another position of
	// the orbit of To.
	Move statespace.Edge
}

// Options choose a part of a graph.
type Options struct {
	// Within, if not negative, keeps only positions at this distance or less.
	Within int
	// Most bounds the vertices; more are a *SizeError. 0 is no bound.
	Most int
	// UpToSymmetry makes one vertex of positions that symmetries of the space map to each other.
	UpToSymmetry bool
	// Member, if not nil, says which positions are part of the graph.
	Member func(x statespace.Index) (bool, error)
}

// ErrNumbers is the error for a space whose positions have no numbers until they are enumerated.
var ErrNumbers = errors.New("its positions have no numbers until they are enumerated")

// A SizeError says that a graph has more vertices than it may have.
type SizeError struct {
	Name  string
	Most  int // vertices that it may have
	Depth int // Kept of them are within this distance; -1 if there are too many roots
	Kept  int
}

func (e *SizeError) Error() string {
	if e.Depth < 0 {
		return fmt.Sprintf("the graph of %s has more than %d positions at distance 0 alone", e.Name, e.Most)
	}
	return fmt.Sprintf("the graph of %s has more than %d positions, of them %d within distance %d", e.Name, e.Most, e.Kept, e.Depth)
}

// A builder builds a graph.
type builder struct {
	*Graph
	Options
	ctx        context.Context
	goals      statespace.Goals
	symmetries []statespace.Symmetry
	index      map[statespace.Index]int
	moves      []statespace.Edge
	share      *memory.Share // never freed: it is for the graph
}

// Build makes the graph of a space by a search from the roots. Its memory is from the account of ctx, see package
// memory. In a space that ends at its nearest goals, so does the search. When ctx ends, Build stops soon and returns
// the cause.
func Build(ctx context.Context, sp statespace.Space, o Options) (*Graph, error) {
	b := &builder{Graph: &Graph{Space: sp, Directed: !sp.Parts().Undirected, Orbits: o.UpToSymmetry}, Options: o, ctx: ctx, goals: sp.Parts().Goals,
		index: make(map[statespace.Index]int), share: memory.For(ctx, "the graph of "+sp.Name()+" so far")}
	b.share.Instead = "keep only the positions near the start"
	if o.UpToSymmetry {
		b.symmetries = statespace.Mirrors(sp)
	}
	if sp.Size() == 0 {
		return nil, fmt.Errorf("%s: %w", sp.Name(), ErrNumbers)
	}
	for x := range statespace.EachRoot(sp) {
		if err := b.visit(x, 0); err != nil {
			return nil, err
		}
	}
	if err := b.search(); err != nil {
		return nil, err
	}
	return b.Graph, b.connect()
}

// visit makes a vertex of a state, if it has none and is wanted.
func (b *builder) visit(x statespace.Index, distance int) error {
	x = statespace.Representative(b.symmetries, x)
	if _, ok := b.index[x]; ok {
		return nil
	}
	if b.Member != nil {
		if ok, err := b.Member(x); err != nil || !ok {
			return err
		}
	}
	if b.Most > 0 && len(b.Vertices) == b.Most {
		kept := slices.IndexFunc(b.Vertices, func(v Vertex) bool { return v.Distance == distance })
		if kept < 0 {
			kept = len(b.Vertices)
		}
		return &SizeError{b.Space.Name(), b.Most, distance - 1, kept}
	}
	goal := b.goals.Has(x)
	for _, s := range b.symmetries { // they need not keep goals
		goal = goal || b.goals.Has(s.Map(x))
	}
	if goal && b.goals.Ends {
		b.Within = distance
	}
	b.index[x] = len(b.Vertices)
	b.Vertices = append(b.Vertices, Vertex{x, distance, goal, statespace.Orbit(b.symmetries, x)})
	return nil
}

// The bytes of a vertex and of an edge, with what finds the vertex and with the room that grows.
const vertexBytes, edgeBytes = 160, 64

// goOn returns an error if ctx has ended, or if the graph takes more memory than is allowed.
func (b *builder) goOn() error {
	if b.ctx.Err() != nil {
		return context.Cause(b.ctx)
	}
	return b.share.Set(vertexBytes*uint64(len(b.Vertices)) + edgeBytes*uint64(len(b.Edges)))
}

// search finds the vertices.
func (b *builder) search() error {
	for i := 0; i < len(b.Vertices); i++ {
		v := b.Vertices[i]
		if i%1024 == 0 {
			if err := b.goOn(); err != nil {
				return err
			}
		}
		if b.Within >= 0 && v.Distance == b.Within {
			break
		}
		b.moves = b.Space.Successors(b.moves[:0], v.State)
		for _, m := range b.moves {
			if err := b.visit(m.To, v.Distance+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// connect finds the edges between the vertices.
func (b *builder) connect() error {
	seen := make(map[int]int) // by vertex: the last one from which an edge leads to it, plus 1
	for i, v := range b.Vertices {
		if i%1024 == 0 {
			if err := b.goOn(); err != nil {
				return err
			}
		}
		b.moves = b.Space.Successors(b.moves[:0], v.State)
		for _, m := range b.moves {
			to, ok := b.index[statespace.Representative(b.symmetries, m.To)]
			if !ok || to == i || seen[to] == i+1 || !b.Directed && to < i {
				continue
			}
			seen[to] = i + 1
			e := Edge{i, to, m}
			if b.Space.Parts().Reversed { // as the move is played
				e = Edge{to, i, statespace.Edge{To: v.State, Move: m.Move}}
			}
			b.Edges = append(b.Edges, e)
		}
	}
	return nil
}

// Start reports whether a vertex is a root.
func (g *Graph) Start(i int) bool { return g.Vertices[i].Distance == 0 }

// Solution returns the vertices on a shortest path from a root to the nearest goal, both included;
// nil if there is no goal.
func (g *Graph) Solution() (path []int) {
	at := slices.IndexFunc(g.Vertices, func(v Vertex) bool { return v.Goal })
	if at < 0 {
		return nil
	}
	before := slices.Repeat([]int{-1}, len(g.Vertices)) // the first vertex that is nearer to a root
	note := func(from, to int) {
		if g.Vertices[to].Distance == g.Vertices[from].Distance+1 && (before[to] < 0 || from < before[to]) {
			before[to] = from
		}
	}
	for _, e := range g.Edges {
		note(e.From, e.To)
		if !g.Directed {
			note(e.To, e.From)
		}
	}
	for ; at >= 0; at = before[at] {
		path = append(path, at)
	}
	slices.Reverse(path)
	return path
}
