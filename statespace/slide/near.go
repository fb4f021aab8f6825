package slide

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// A Pattern says of each cell of the tray what is wished for there: a piece of a kind,
// nothing, or anything at all.
type Pattern []int8

// What a cell of a Pattern is, but for the kinds of pieces, from 1 on.
const (
	anything = -1
	nothing  = 0
)

// Open reports whether the pattern says nothing of any cell.
func (w Pattern) Open() bool {
	return !slices.ContainsFunc(w, func(c int8) bool { return c != anything })
}

// OpenPattern returns the pattern that says nothing of any cell.
func (p *Puzzle) OpenPattern() Pattern {
	return slices.Repeat(Pattern{anything}, len(p.cells))
}

// ParseWeights reads a weight for each cell: see statespace.ParseWeights.
func (p *Puzzle) ParseWeights(text string) (*statespace.Weights, error) {
	return statespace.ParseWeights(text, p.cellRows())
}

// ParsePattern reads a pattern: rows as those of a position, in which ? may stand for
// anything. Names of pieces that are not told apart mean the same, and pieces need not be
// whole. A fault is a *SyntaxError.
func (p *Puzzle) ParsePattern(text string) (Pattern, error) {
	w := make(Pattern, len(p.cells))
	names := p.Pieces()
	err := p.readCells(text, func(cell int, ch rune, at origin) error {
		i := strings.IndexRune(names, ch)
		switch {
		case ch == '?':
			w[cell] = anything
		case ch == '.':
			w[cell] = nothing
		case i < 0:
			return at.errorf("unexpected %q: the tray has no such piece; ? may be anything", ch)
		default:
			w[cell] = int8(1 + p.pieces[i].kind)
		}
		return nil
	})
	return w, err
}

// A Target tells how far a position is from what is wished for: the sum over all cells of
// what it costs that a piece of this kind, or none, is there.
type Target struct {
	cost [][]uint64 // by cell and content: 0 for none, then the kinds
	most uint64     // no position is farther away
}

// NewTarget returns the target from which the distance is the sum of the weighted Hamming
// distances to the patterns, one at least: a cell whose content differs from a pattern's
// costs its weight. Without weights each cell weighs 1.
func (p *Puzzle) NewTarget(weights []uint64, patterns ...Pattern) (*Target, error) {
	if weights != nil && len(weights) != len(p.cells) {
		return nil, fmt.Errorf("the tray has %d cells, there are %d weights", len(p.cells), len(weights))
	}
	t := &Target{cost: make([][]uint64, len(p.cells))}
	for cell := range p.cells {
		t.cost[cell] = make([]uint64, 1+len(p.kinds))
		weight := uint64(1)
		if weights != nil {
			weight = weights[cell]
		}
		over, all := bits.Mul64(weight, uint64(len(patterns)))
		if t.most += all; over > 0 || all > statespace.MaxDistance || t.most > statespace.MaxDistance {
			return nil, fmt.Errorf("the weights are too large: distances are at most %d", uint64(statespace.MaxDistance))
		}
		for _, w := range patterns {
			for content := range t.cost[cell] {
				if w[cell] != anything && int(w[cell]) != content {
					t.cost[cell][content] += weight
				}
			}
		}
	}
	return t, nil
}

// Farthest returns a distance that no position exceeds.
func (t *Target) Farthest() uint64 { return t.most }

// Distance returns the distance of a position from the target.
func (p *Puzzle) Distance(t *Target, pos Position) (d uint64) {
	var taken uint64
	for i := range pos {
		mask := p.mask(pos, i)
		taken |= mask
		for m := mask; m != 0; m &= m - 1 {
			d += t.cost[anchor(m)][1+p.pieces[i].kind]
		}
	}
	for cell := range p.cells {
		if taken>>cell&1 == 0 {
			d += t.cost[cell][0]
		}
	}
	return d
}

// A NearQuery asks which members of a set are near to a target.
type NearQuery struct {
	// Targets are alternatives: the distance is that from the nearest of them.
	Targets []*Target
	// Within asks for all members at most so far away; Nearest for those that no other is
	// nearer than.
	Within uint64
	// Limit bounds the number of matches: the first ones count. 0 means no bound; then
	// more than MaxMatches are ErrMatches.
	Limit int
}

// Near returns the members that the query asks for, ordered by distance, then by number.
// They are complete if there are no others, beyond the limit. When ctx ends, Near stops
// soon and returns the cause.
//
// It goes through the graph of the numbering, in which the least cost from each node to
// the end is known, with a bound that grows.
func (s *Space) Near(ctx context.Context, members bitset.Reader, q NearQuery) (matches []statespace.Match, complete bool, err error) {
	want := q.Limit + 1 // one more tells whether there are others
	if q.Limit <= 0 {
		want = statespace.MaxMatches + 1
	}
	var all []statespace.Match
	for i, t := range q.Targets {
		d, err := newDescent(ctx, s, members, t)
		if err != nil {
			return nil, false, err
		}
		n := near{descent: d, want: want}
		most := min(q.Within, t.most)
		for bound := min(n.rest[0], most); ; bound = n.wider(bound, most) {
			if err := mapped.Guard(func() error { return n.collect(bound) }); err != nil {
				return nil, false, err
			}
			if bound == most || len(n.found) == want || q.Within == statespace.Nearest && len(n.found) > 0 {
				break
			}
		}
		for _, m := range n.found {
			m.Target = i
			all = append(all, m)
		}
	}
	slices.SortFunc(all, statespace.Match.Compare)
	seen := make(map[statespace.Index]bool)
	for _, m := range all {
		if q.Within == statespace.Nearest && m.Distance > all[0].Distance {
			break
		}
		if !seen[m.State] {
			seen[m.State] = true
			matches = append(matches, m)
		}
	}
	if q.Limit <= 0 && len(matches) > statespace.MaxMatches {
		return nil, false, fmt.Errorf("%w: more than %d", statespace.ErrMatches, statespace.MaxMatches)
	}
	if q.Limit <= 0 || len(matches) <= q.Limit {
		return matches, true, nil
	}
	return matches[:q.Limit], false, nil
}

// near collects what is near to a target.
type near struct {
	*descent
	want  int
	found []statespace.Match // in order, so many at most
}

// wider returns the next bound: the least that lets more in, and not much less than
// half as much again, so that the walks together take little more time than the last.
func (n *near) wider(bound, most uint64) uint64 {
	return min(max(n.over, bound+(bound-n.rest[0])/2), most)
}

// collect finds the first members within a bound.
func (n *near) collect(bound uint64) error {
	n.found = n.found[:0]
	first := func() {
		slices.SortFunc(n.found, statespace.Match.Compare)
		n.found = n.found[:min(n.want, len(n.found))]
	}
	err := n.within(bound, func(x, cost uint64) (uint64, bool) {
		n.found = append(n.found, statespace.Match{State: x, Distance: cost})
		if len(n.found) < 2*n.want {
			return bound, true
		}
		first()
		last := n.found[n.want-1].Distance
		if !n.ordered {
			bound = last
			return bound, true
		}
		// Of those that follow, which have higher numbers, only nearer ones count.
		bound = max(1, last) - 1
		return bound, last > 0
	})
	first()
	return err
}

// Visit calls take for the members that agree with a pattern, in the order of their
// numbers, until it returns false: bit i of members is number first+i. When ctx ends,
// Visit stops soon and returns the cause.
func (s *Space) Visit(ctx context.Context, members bitset.Reader, pattern Pattern, take func(first, members uint64) bool) error {
	t, err := s.puzzle.NewTarget(nil, pattern)
	if err != nil {
		return err
	}
	if _, ok := s.numbers.(*Packing); !ok || pattern.Open() {
		return mapped.Guard(func() error { return s.visitAll(ctx, members, pattern, t, take) })
	}
	w, err := newDescent(ctx, s, members, t)
	if err != nil {
		return err
	}
	return mapped.Guard(func() error {
		return w.within(0, func(x, _ uint64) (uint64, bool) { return 0, take(x&^63, 1<<(x%64)) })
	})
}

// Count returns how many members agree with a pattern. When ctx ends, it stops soon and
// returns the cause.
func (s *Space) Count(ctx context.Context, members bitset.Reader, pattern Pattern) (n uint64, err error) {
	t, err := s.puzzle.NewTarget(nil, pattern)
	if err != nil {
		return 0, err
	}
	w, err := newDescent(ctx, s, members, t)
	if err != nil {
		return 0, err
	}
	err = mapped.Guard(func() error {
		return w.within(0, func(uint64, uint64) (uint64, bool) {
			n++
			return 0, true
		})
	})
	return n, err
}

// visitAll is Visit by looking at all members.
func (s *Space) visitAll(ctx context.Context, members bitset.Reader, pattern Pattern, t *Target, take func(first, members uint64) bool) error {
	for b := range bitset.Blocks(members) {
		words, err := members.Block(b)
		if err != nil {
			return err
		}
		for i, word := range words {
			if i%1024 == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			first := b<<bitset.BlockBits + 64*uint64(i)
			if !pattern.Open() {
				for left := word; left != 0; left &= left - 1 {
					bit := left & -left
					if s.puzzle.Distance(t, s.numbers.Unrank(first+uint64(bits.TrailingZeros64(bit)))) > 0 {
						word &^= bit
					}
				}
			}
			if word != 0 && !take(first, word) {
				return nil
			}
		}
	}
	return nil
}

// A descent goes through the placements that are near to a target.
type descent struct {
	ctx     context.Context
	space   *Space
	pk      *Packing
	ordered bool // the numbers are those of the packing
	members bitset.Reader
	place   [][]uint64 // by choice and cell: what it costs
	rest    []uint64   // by node: the least cost of what follows
	over    uint64     // the least cost found beyond the bound
	nodes   int
}

func newDescent(ctx context.Context, s *Space, members bitset.Reader, t *Target) (*descent, error) {
	pk, err := s.packing()
	if err != nil {
		return nil, err
	}
	p := s.puzzle
	w := &descent{ctx: ctx, space: s, pk: pk, members: members, place: make([][]uint64, pk.choices), rest: make([]uint64, len(pk.cell))}
	_, w.ordered = s.numbers.(*Packing)
	for choice := range w.place {
		w.place[choice] = make([]uint64, len(p.cells))
		for cell := range p.cells {
			if choice == 0 {
				w.place[0][cell] = t.cost[cell][0]
				continue
			}
			for m := p.kinds[choice-1].mask[cell]; m != 0; m &= m - 1 {
				w.place[choice][cell] += t.cost[anchor(m)][choice]
			}
		}
	}
	for node := len(pk.cell) - 2; node >= 0; node-- { // the last one is the end
		least := ^uint64(0)
		for choice, e := range pk.edges(uint32(node))[:pk.choices] {
			if e.node() != noNode {
				least = min(least, w.place[choice][pk.cell[node]]+w.rest[e.node()])
			}
		}
		w.rest[node] = least
	}
	return w, nil
}

// within calls take for the members whose cost is at most the bound, in the order of
// their numbers if that is the one of the packing. It returns the bound from there on, and whether to go on.
func (w *descent) within(bound uint64, take func(x, cost uint64) (uint64, bool)) error {
	w.over = ^uint64(0)
	more := true
	var visit func(node uint32, x, cost uint64) error
	visit = func(node uint32, x, cost uint64) error {
		if w.nodes++; w.nodes%(1<<16) == 0 && w.ctx.Err() != nil {
			return context.Cause(w.ctx)
		}
		cell := w.pk.cell[node]
		if int(cell) == len(w.pk.puzzle.cells) {
			if !w.ordered {
				var ok bool
				if x, ok = w.space.numbers.number(w.pk.Unrank(x)); !ok {
					return nil
				}
			}
			member, err := bitset.Has(w.members, x)
			if member {
				bound, more = take(x, cost)
			}
			return err
		}
		for choice, e := range w.pk.edges(node)[:w.pk.choices] {
			if !more || e.node() == noNode {
				continue
			}
			after := cost + w.place[choice][cell]
			if least := after + w.rest[e.node()]; least > bound {
				w.over = min(w.over, least)
				continue
			}
			if err := visit(e.node(), x+e.add(), after); err != nil {
				return err
			}
		}
		return nil
	}
	if w.rest[0] > bound {
		return nil
	}
	return visit(0, 0, 0)
}
