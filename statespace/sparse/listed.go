package sparse

import (
	"fmt"

	"pagoda/internal/mapped"
	"pagoda/sorted"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// newListed returns a space with other numbers: ranks in a table of its numbers. It has the
// layers and the cells of the space.
func newListed(n numbers, t Table) (statespace.Space, error) {
	d, err := Renumber(n.Definition())
	if err != nil {
		return nil, err
	}
	if states := t.Len(); states > 0 { // the last code is the greatest
		last, err := t.At(nil, states-1)
		if err != nil {
			return nil, err
		}
		if size := n.Space.Size(); last[0] >= size {
			return nil, fmt.Errorf("the codes of %s are its numbers: they should be below %d, and there is %d", n.Name(), size, last[0])
		}
	}
	l := &listed{numbers: n, table: t, definition: d}
	for _, x := range n.Roots() {
		rank, ok := l.rank(x)
		if !ok {
			return nil, errRoot
		}
		l.roots = append(l.roots, rank)
	}
	layered, hasLayers := n.Space.(statespace.Layered)
	celled, hasCells := n.Space.(cells.Celled)
	switch {
	case hasLayers && hasCells:
		return &struct {
			*listed
			withLayers
			withCells
		}{l, withLayers{l, layered}, withCells{l, celled}}, nil
	case hasLayers:
		return &struct {
			*listed
			withLayers
		}{l, withLayers{l, layered}}, nil
	case hasCells:
		return &struct {
			*listed
			withCells
		}{l, withCells{l, celled}}, nil
	}
	return l, nil
}

// listed is a space whose numbers are ranks in a table of the numbers of another.
type listed struct {
	numbers
	table      Table
	roots      []statespace.Index
	definition statespace.Definition
}

// at returns the number of a rank in the other space.
func (l *listed) at(x statespace.Index) statespace.Index {
	var code [1]uint64
	at, err := l.table.At(code[:0], x)
	if err != nil {
		mapped.Throw(err)
	}
	return at[0]
}

// rank returns the rank of a number of the other space, if it has one.
func (l *listed) rank(x statespace.Index) (rank statespace.Index, ok bool) {
	rank, ok, err := l.table.Rank([]uint64{x})
	if err != nil {
		mapped.Throw(err)
	}
	return rank, ok
}

// ranks turns the numbers of edges from i on into ranks. It drops those that have none.
func (l *listed) ranks(edges []statespace.Edge, i int) []statespace.Edge {
	kept := edges[:i]
	for _, e := range edges[i:] {
		if rank, ok := l.rank(e.To); ok {
			kept = append(kept, statespace.Edge{To: rank, Move: e.Move})
		}
	}
	return kept
}

// Unlisted implements Listed.
func (l *listed) Unlisted() Coded { return l.numbers }

// Size implements statespace.Space.
func (l *listed) Size() uint64 { return l.table.Len() }

// Roots implements statespace.Space.
func (l *listed) Roots() []statespace.Index { return append([]statespace.Index(nil), l.roots...) }

// Successors implements statespace.Space.
func (l *listed) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return l.ranks(l.Space.Successors(dst, l.at(x)), len(dst))
}

// Predecessors implements statespace.Space.
func (l *listed) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return l.ranks(l.Space.Predecessors(dst, l.at(x)), len(dst))
}

// Parse implements statespace.Space.
func (l *listed) Parse(text string) (statespace.Index, error) {
	x, err := l.Space.Parse(text)
	if err != nil {
		return 0, err
	}
	rank, ok := l.rank(x)
	if !ok {
		return 0, errNotListed
	}
	return rank, nil
}

// Format implements statespace.Space.
func (l *listed) Format(x statespace.Index) string { return l.Space.Format(l.at(x)) }

// FormatMove implements statespace.Space.
func (l *listed) FormatMove(from statespace.Index, move statespace.Edge) string {
	return l.Space.FormatMove(l.at(from), statespace.Edge{To: l.at(move.To), Move: move.Move})
}

// Definition implements statespace.Space.
func (l *listed) Definition() statespace.Definition { return l.definition }

// Undirected implements statespace.Undirected.
func (l *listed) Undirected() bool { return statespace.IsUndirected(l.Space) }

// Goal implements statespace.Goaled.
func (l *listed) Goal(x statespace.Index) bool { return statespace.IsGoal(l.Space, l.at(x)) }

// HasGoal implements statespace.Ending.
func (l *listed) HasGoal() bool { return statespace.HasGoals(l.Space) }

// EndsAtGoal implements statespace.Ending.
func (l *listed) EndsAtGoal() bool { return statespace.EndsAtGoal(l.Space) }

// Mirrors implements statespace.Mirrored: the symmetries of the other space.
func (l *listed) Mirrors() (all []statespace.Symmetry) {
	for _, s := range statespace.Mirrors(l.Space) {
		all = append(all, listedSymmetry{l, s})
	}
	return all
}

// Features implements statespace.Featured: what the other space knows.
func (l *listed) Features() (all []statespace.Feature) {
	featured, ok := l.Space.(statespace.Featured)
	if !ok {
		return nil
	}
	for _, f := range featured.Features() {
		of := f.New
		if of == nil { // it is of the values in the file
			all = append(all, f)
			continue
		}
		f.New = func() func(x statespace.Index) int64 {
			value := of()
			return func(x statespace.Index) int64 { return value(l.at(x)) }
		}
		all = append(all, f)
	}
	return all
}

// A listedSymmetry maps ranks.
type listedSymmetry struct {
	*listed
	symmetry statespace.Symmetry
}

// Map implements statespace.Symmetry.
func (s listedSymmetry) Map(x statespace.Index) statespace.Index {
	y, ok := s.rank(s.symmetry.Map(s.at(x)))
	if !ok {
		mapped.Throw(fmt.Errorf("%w: %s is in the list, and its image under a symmetry is not", sorted.ErrDamaged, s.Format(x)))
	}
	return y
}

// Narrate implements statespace.Narrator.
func (l *listed) Narrate(path statespace.Path) (moves []fmt.Stringer, states []string, err error) {
	return statespace.Narrate(l.Space, l.path(path))
}

// Original returns the space whose numbers are the codes of a Listed space, and a path in these
// numbers. Any other space and its paths stay as they are.
func Original(sp statespace.Space, path statespace.Path) (statespace.Space, statespace.Path) {
	if l, ok := sp.(interface{ original() *listed }); ok {
		return l.original().Space, l.original().path(path)
	}
	return sp, path
}

func (l *listed) original() *listed { return l }

// path returns a path in the numbers of the other space.
func (l *listed) path(path statespace.Path) statespace.Path {
	other := statespace.Path{From: l.at(path.From)}
	for _, s := range path.Steps {
		other.Steps = append(other.Steps, statespace.Step{Move: s.Move, State: l.at(s.State)})
	}
	return other
}

// withLayers is the layers of a listed space.
type withLayers struct {
	ranks  *listed
	layers statespace.Layered
}

// LayerName implements statespace.Layered.
func (w withLayers) LayerName() string { return w.layers.LayerName() }

// Layer implements statespace.Layered.
func (w withLayers) Layer(x statespace.Index) int { return w.layers.Layer(w.ranks.at(x)) }

// LayersFall implements statespace.Layered.
func (w withLayers) LayersFall() bool { return w.layers.LayersFall() }

// withCells is the cells of a listed space.
type withCells struct {
	ranks *listed
	cells cells.Celled
}

// Cells implements cells.Celled.
func (w withCells) Cells() []cells.Cell { return w.cells.Cells() }

// Contents implements cells.Celled.
func (w withCells) Contents() int { return w.cells.Contents() }

// State implements cells.Celled.
func (w withCells) State(dst cells.Pattern, x statespace.Index) { w.cells.State(dst, w.ranks.at(x)) }

// ParsePattern implements cells.Celled.
func (w withCells) ParsePattern(text string) (cells.Pattern, error) {
	return w.cells.ParsePattern(text)
}

// FormatPattern implements cells.Celled.
func (w withCells) FormatPattern(p cells.Pattern) string { return w.cells.FormatPattern(p) }
