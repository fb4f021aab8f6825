package sparse

import (
	"context"
	"fmt"

	"pagoda/internal/mapped"
	"pagoda/sorted"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// newListed returns a space with other numbers: ranks in a table of its numbers.
func newListed(sp statespace.Space, t statespace.Table) (statespace.Space, error) {
	d, err := Renumber(sp.Definition())
	if err != nil {
		return nil, err
	}
	if states := t.Len(); states > 0 { // the last code is the greatest
		last, err := t.At(nil, states-1)
		if err != nil {
			return nil, err
		}
		if size := sp.Size(); last[0] >= size {
			return nil, fmt.Errorf("the codes of %s are its numbers: they should be below %d, and there is %d", sp.Name(), size, last[0])
		}
	}
	l := &listed{Space: sp, table: t, definition: d}
	for _, x := range sp.Roots() {
		rank, ok := l.rank(x)
		if !ok {
			return nil, errRoot
		}
		l.roots = append(l.roots, rank)
	}
	return l, nil
}

// listed is a space whose numbers are ranks in a table of the numbers of another.
type listed struct {
	statespace.Space
	table      statespace.Table
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
		return 0, statespace.ErrUnlisted
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

// Parts implements statespace.Space: those of the other space, in ranks.
func (l *listed) Parts() statespace.Parts {
	p := l.Space.Parts()
	p.EachRoot = nil // there is a list
	p.StartAt = l.startAt
	p.Bounds = statespace.Bounds{} // they are of the other numbers
	if p.Layers != nil {
		p.Layers = listedLayers{p.Layers, l}
	}
	p.Goals = l.goals(p.Goals)
	if p.Cells != nil {
		p.Cells = listedCells{p.Cells, l}
	}
	p.Finder = nil // it knows the other numbers only
	p.Symmetry = l.symmetry(p.Symmetry)
	p.Values = statespace.Values{} // a list keeps none
	p.Codes = statespace.Codes{Of: l.Space, Number: l.at}
	p.Graph, p.Proof = nil, nil // the moves of many states at a time are of the other numbers
	if sweep := p.Sweep; sweep != nil {
		p.Sweep = &statespace.Sweep{Places: sweep.Places} // moves are the same; the kernels are of the other numbers
	}
	p.Texts = l.texts(p.Texts)
	return p
}

// startAt is the StartAt of the Parts. A state that is listed keeps its number, unless there may be others
// beyond the list that count then.
func (l *listed) startAt(ctx context.Context, text string) (statespace.Space, error) {
	if l.Space.Parts().Layers != nil {
		if x, err := l.Parse(text); err == nil {
			return statespace.From(l, x), nil
		}
	}
	return statespace.StartAt(ctx, l.Space, text)
}

// listedLayers are layers by rank.
type listedLayers struct {
	statespace.Layers
	ranks *listed
}

// Layer implements statespace.Layers.
func (y listedLayers) Layer(x statespace.Index) int { return y.Layers.Layer(y.ranks.at(x)) }

// goals returns goals by rank. Those that are not listed have none.
func (l *listed) goals(g statespace.Goals) statespace.Goals {
	is, all := g.Is, g.All
	if is != nil {
		g.Is = func(x statespace.Index) bool { return is(l.at(x)) }
	}
	if all != nil {
		g.All = func() (ranks []statespace.Index) {
			for _, x := range all() {
				if rank, ok := l.rank(x); ok {
					ranks = append(ranks, rank)
				}
			}
			return ranks
		}
	}
	return g
}

// listedCells are cells by rank.
type listedCells struct {
	cells.Celled
	ranks *listed
}

// State implements cells.Celled.
func (c listedCells) State(dst cells.Pattern, x statespace.Index) { c.Celled.State(dst, c.ranks.at(x)) }

// symmetry returns symmetries by rank. Each step looks into the table, so only counts up to symmetry use
// them.
func (l *listed) symmetry(s statespace.Symmetric) (by statespace.Symmetric) {
	if s.Mirrors != nil || s.Fixed != nil {
		by.Mirrors = func() (all []statespace.Symmetry) {
			for _, s := range statespace.Mirrors(l.Space) {
				all = append(all, listedSymmetry{l, s})
			}
			return all
		}
	}
	if s.Quotient != nil {
		by.Quotient = listedQuotient{s.Quotient, l}
	}
	return by
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

// A listedQuotient is a quotient by rank.
type listedQuotient struct {
	statespace.Quotient
	ranks *listed
}

// StandsFor implements statespace.Quotient.
func (q listedQuotient) StandsFor(x statespace.Index) (member statespace.Index, states int) {
	return q.Quotient.StandsFor(q.ranks.at(x))
}

// For implements statespace.Quotient.
func (q listedQuotient) For(member statespace.Index) statespace.Index {
	if rank, ok := q.ranks.rank(q.Quotient.For(member)); ok {
		return rank
	}
	return q.ranks.Size()
}

// texts returns what is said of ranks. How the other space is numbered does not matter here.
func (l *listed) texts(t statespace.Texts) (by statespace.Texts) {
	by.Narrate = func(path statespace.Path) (moves []fmt.Stringer, states []string, err error) {
		return statespace.Narrate(l.Space, renumbered(path, l.at))
	}
	if t.Follow != nil {
		by.Follow = func(length int, on func(x statespace.Index, moves int) bool) (statespace.Path, []fmt.Stringer, []string, error) {
			path, moves, states, err := t.Follow(length, func(x statespace.Index, moves int) bool {
				r, ok := l.rank(x)
				return ok && on(r, moves)
			})
			return renumbered(path, func(x statespace.Index) statespace.Index {
				r, _ := l.rank(x)
				return r
			}), moves, states, err
		}
	}
	if t.WhyNot != nil {
		by.WhyNot = func(x statespace.Index) string { return t.WhyNot(l.at(x)) }
	}
	if t.Features != nil {
		by.Features = func() []statespace.Feature { return l.features(t.Features()) }
	}
	return by
}

// features returns features by rank.
func (l *listed) features(all []statespace.Feature) []statespace.Feature {
	for i, f := range all {
		if f.New != nil { // not of the values in a file
			all[i].New = func() func(x statespace.Index) int64 {
				value := f.New()
				return func(x statespace.Index) int64 { return value(l.at(x)) }
			}
		}
	}
	return all
}
