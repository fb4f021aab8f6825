package ask

import (
	"slices"

	"pagoda/bitset"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/cells"
)

// A wholeReader is the set of the states of a whole space whose quotient has some members.
type wholeReader struct {
	bitset.Reader
	quotient statespace.Quotient
	size     uint64
}

// Len implements bitset.Reader.
func (r wholeReader) Len() uint64 { return r.size }

// Has implements bitset.Finder.
func (r wholeReader) Has(x uint64) (bool, error) {
	y := r.quotient.For(x)
	if y >= r.Reader.Len() {
		return false, nil
	}
	return bitset.Has(r.Reader, y)
}

// Word implements bitset.Finder.
func (r wholeReader) Word(i uint64) (uint64, error) { return bitset.WordByHas(r, i) }

// Block implements bitset.Reader.
func (r wholeReader) Block(i uint64) ([]uint64, error) { return bitset.BlockByWord(r, i) }

// wholeCells returns the whole space of a quotient, if its states are drawn cell by cell.
func wholeCells(sp statespace.Space, q statespace.Quotient) (statespace.Space, error) {
	whole := q.Whole()
	if whole.Parts().Cells == nil {
		return nil, Questionf("%s has no cells, so a pattern cannot pick its states", sp.Name())
	}
	return whole, nil
}

// newMatching returns the states of a quotient that stand for a state that agrees with a pattern.
func newMatching(members bitset.Reader, sp statespace.Space, pattern string) (bitset.Reader, error) {
	q := sp.Parts().Symmetry.Quotient
	whole, err := wholeCells(sp, q)
	if err != nil {
		return nil, err
	}
	drawn := whole.Parts().Cells
	p, err := drawn.ParsePattern(pattern)
	if err != nil {
		return nil, BadPattern(pattern, err)
	}
	symmetries := statespace.Mirrors(whole)
	return picked{members, func() func(x uint64) (bool, error) {
		state := make(cells.Pattern, len(p))
		return func(x uint64) (bool, error) {
			member, _ := q.StandsFor(x)
			drawn.State(state, member)
			return p.Matches(state) || slices.ContainsFunc(symmetries, func(s statespace.Symmetry) bool {
				drawn.State(state, s.Map(member))
				return p.Matches(state)
			}), nil
		}
	}}, nil
}

// inWhole makes the paths those of the whole space of a quotient: so they begin and end in the very
// states that are asked for, and not in others that these stand for.
func (p *Paths) inWhole(q statespace.Quotient) error {
	name := p.space.Name()
	switch {
	case p.From != "" && p.space.Parts().Reversed:
		return Questionf("paths of %s begin in the pattern that is asked for, expected no other start", name)
	case p.From != "":
		return Questionf("paths of %s begin at its roots, expected no other start", name)
	case !p.measured():
		return Questionf("%s keeps no distances, which paths need; convert it to the store %s", p.file.Path(), layers.DistanceStore)
	}
	p.space = q.Whole()
	p.members = wholeReader{p.file.Members(), q, p.space.Size()}
	return nil
}

// measured reports whether the file keeps distances or needs none.
func (p *Paths) measured() bool {
	layered := p.space.Parts().Layers != nil
	_, ok := p.file.Distances()
	return ok || layered
}

// inQuotient returns the distances in a whole space, from those in its quotient, which has size numbers.
func inQuotient(q statespace.Quotient, size uint64, d bfs.Distances) bfs.Distances {
	return bfs.Distances{Whole: d.Whole, At: func(x uint64) (uint16, error) {
		y := q.For(x)
		if y >= size {
			return 0, nil
		}
		return d.At(y)
	}}
}

// valued returns the space of the paths with its distances and what the file keeps of its states; nil
// if that is nothing. It is the same one for all paths.
func (p *Paths) valued() *bfs.ValuedGraph {
	if p.graph != nil || p.file == nil {
		return p.graph
	}
	values, has := p.file.Values()
	if !has || !p.space.Parts().Values.Any() {
		return nil
	}
	get := values.Get
	if q := p.file.Space().Parts().Symmetry.Quotient; q != nil {
		get = func(dst []uint64, x uint64) error { return values.Get(dst, q.For(x)) }
	}
	p.graph = &bfs.ValuedGraph{Space: p.space, Distances: p.distances, Get: get}
	return p.graph
}

// best finds best paths, by the values that the file keeps.
func (p *Paths) best(s *Solution, g *bfs.ValuedGraph, to statespace.Index) (err error) {
	if s.Path, err = g.BestPath(to); err != nil {
		return err
	}
	s.length = len(s.Path.Steps)
	if !p.All && !p.Random {
		return nil
	}
	all, err := bfs.FindBest(p.ctx, g, to, p.left())
	if err != nil {
		return err
	}
	return p.answer(s, enumeration{all.Total, all.All(), func() (statespace.Path, error) { return all.Random(p.Rand) }})
}
