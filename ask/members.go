package ask

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/internal/memory"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/cells"
	"pagoda/statespace/patterns"
)

// A Pick picks members of a file. The zero value picks all.
type Pick struct {
	// Pattern, if not empty, picks those that agree with it; ? is a cell with anything in it. The
	// space must have cells.
	Pattern string
	// Layers, if not nil, picks those of a range of layers. In a space without layers, they are
	// distances from the start; if the file does not keep them whole, the states are searched again.
	Layers *cells.Range
	// Where, if not empty, is an expression of fields that picks those for which it is true:
	// "moves > 20 && branching <= 3". File.Fields lists the fields; package formula has the
	// syntax.
	Where string
	// Complement picks the numbers of the space that are not in the file, instead of its members.
	Complement bool
	// Sort, if not empty, is the order of List and Export: expressions with commas between. Each is
	// a key; those with a minus before them fall. Members that have all keys in common come in
	// the order of their numbers, which is also the order without keys.
	Sort string
	// Limit is how many members List and Export have at most: the first in the order. 0 is all.
	Limit uint64
	// Options has the threads that compute fields; the memory that sorting may take, where 0 is as
	// much as the file may, see layers.File.Memory; and the Meter for counts with Where and for
	// sorting. What is picked does not depend on them.
	Options run.Options
}

// rangeOf returns a range of layers, where nil stands for all.
func rangeOf(layers *cells.Range) cells.Range {
	if layers == nil {
		return cells.AllLayers
	}
	return *layers
}

// wholeDistances returns the distances of states, if the file keeps them whole.
func (f *File) wholeDistances() (d bfs.Distances, ok bool) {
	d, ok = f.Distances()
	return d, ok && d.Whole
}

// checkLayers refuses a range of layers that states have not, and one that lies beyond all of them.
func (f *File) checkLayers(c Pick) error {
	layers := rangeOf(c.Layers)
	if layers == cells.AllLayers {
		return nil
	}
	layered := f.Space().Parts().Layers != nil
	if c.Complement && layered {
		return nil
	}
	if c.Complement {
		return Questionf("states that are not in %s have no distances, so they cannot be picked by layer", f.Path())
	}
	// A layer just beyond may be asked for: in a loop over all numbers of pieces, for example.
	beyond := 0
	for _, l := range f.Meta().Layers {
		beyond = max(beyond, l.Layer)
	}
	if drawn := f.Space().Parts().Cells; drawn != nil {
		beyond = max(beyond, len(drawn.Cells()))
	}
	if why := f.noLayer(layers); why != "" && layers.Least > beyond {
		return Questionf("%s", why)
	}
	return nil
}

// None says that there is no answer among the members that are picked, and adds if none are in the
// layers at all.
func (f *File) None(c Pick) string {
	if why := f.noLayer(rangeOf(c.Layers)); why != "" && !c.Complement {
		return "none: " + why
	}
	return "none"
}

// noLayer says that no members are in a range of layers. If there are some, or none in any layer,
// the text is empty.
func (f *File) noLayer(r cells.Range) string {
	least, most := math.MaxInt, -1
	for _, l := range f.Meta().Layers {
		if r.Holds(l.Layer) {
			return ""
		}
		least, most = min(least, l.Layer), max(most, l.Layer)
	}
	if most < 0 {
		return ""
	}
	return fmt.Sprintf("no position of %s is in layer %s: its layers are %d to %d (%s)", f.Path(), r, least, most, f.Meta().Layer)
}

// of returns the states to pick from: members in a range of layers, or all of them if the space knows
// the layer of a state by itself.
func (f *File) of(ctx context.Context, c Pick) (bitset.Reader, error) {
	if err := f.checkLayers(c); err != nil {
		return nil, err
	}
	members, err := f.Members(), error(nil)
	layers := rangeOf(c.Layers)
	if layered := f.Space().Parts().Layers != nil; c.Complement {
		members, err = f.complement()
	} else if !layered && layers != cells.AllLayers {
		if d, whole := f.wholeDistances(); whole {
			members = atDistances(members, d, layers)
		} else {
			members = f.searched(ctx, members, layers, c.Options)
		}
	}
	if f.Space().Parts().Symmetry.Quotient != nil && c.Pattern != "" && err == nil {
		return newMatching(members, f.Space(), c.Pattern)
	}
	return members, err
}

// List yields what is picked, in order. An error is the last that it yields.
func (f *File) List(ctx context.Context, c Pick) iter.Seq2[statespace.Index, error] {
	all := Numbers(func(take func(first, members uint64) bool) error { return f.Visit(ctx, c, take) })
	if c.Sort != "" {
		all = f.sortedList(ctx, c)
	}
	if c.Limit == 0 {
		return all
	}
	return func(yield func(statespace.Index, error) bool) {
		n := uint64(0)
		for x, err := range all {
			if n++; !yield(x, err) || n == c.Limit {
				return
			}
		}
	}
}

// Numbers yields the numbers that a visit comes by, as Visit does, and then its error.
func Numbers(visit func(take func(first, members uint64) bool) error) iter.Seq2[statespace.Index, error] {
	return mapped.List(func(yield func(statespace.Index) bool) error {
		return visit(func(first, members uint64) bool {
			for ; members != 0; members &= members - 1 {
				if !yield(first + uint64(bits.TrailingZeros64(members))) {
					return false
				}
			}
			return true
		})
	})
}

// NoErrors yields what a sequence yields, each without an error.
func NoErrors[T any](all iter.Seq[T]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		all(func(x T) bool { return yield(x, nil) })
	}
}

// Visit calls take for what is picked, in the order of the numbers and up to 64 at a time, until it
// returns false. first is a multiple of 64, and bit i of members is number first+i. Sort and Limit of
// the pick do not matter.
func (f *File) Visit(ctx context.Context, c Pick, take func(first, members uint64) bool) error {
	if c.Where == "" {
		return f.visit(ctx, c, take)
	}
	return f.visitWhere(ctx, c, take)
}

// VisitAll is Visit for all members. A small program that asks for no more has no reader of expressions.
func (f *File) VisitAll(ctx context.Context, take func(first, members uint64) bool) error {
	return f.visit(ctx, Pick{}, take)
}

// visit is Visit without Where.
func (f *File) visit(ctx context.Context, c Pick, take func(first, members uint64) bool) error {
	return f.pick(ctx, c, func(p cells.Pattern, layers cells.Range, members bitset.Reader) error {
		return patterns.Visit(ctx, f.Space(), members, p, layers, take)
	})
}

// pick calls do with a pattern, which is nil if the space has no cells, and with the members that belong to the layers.
func (f *File) pick(ctx context.Context, c Pick, do func(p cells.Pattern, layers cells.Range, members bitset.Reader) error) error {
	members, err := f.of(ctx, c)
	if err != nil {
		return err
	}
	layers := cells.AllLayers
	if f.Space().Parts().Layers != nil {
		layers = rangeOf(c.Layers)
	}
	var p cells.Pattern
	switch drawn := f.Space().Parts().Cells; {
	case drawn == nil && c.Pattern != "" && f.Space().Parts().Symmetry.Quotient == nil:
		return Questionf("%s has no cells, so a pattern cannot pick its states: --where picks them by their fields", f.Space().Name())
	case drawn != nil && c.Pattern != "":
		if p, err = drawn.ParsePattern(c.Pattern); err != nil {
			return BadPattern(c.Pattern, err)
		}
	case drawn != nil:
		p = cells.Open(len(drawn.Cells()))
	}
	return f.Read(func() error { return do(p, layers, members) })
}

// Count returns how many states are picked. When ctx ends, it stops soon and returns the cause. Sort
// and Limit of the pick do not matter.
func (f *File) Count(ctx context.Context, c Pick) (n uint64, err error) {
	if c.Where != "" {
		return f.countWhere(ctx, c)
	}
	err = f.pick(ctx, c, func(p cells.Pattern, layers cells.Range, members bitset.Reader) error {
		open := c.Pattern == "" || p != nil && p.IsOpen()
		switch all := rangeOf(c.Layers) == cells.AllLayers; {
		case open && c.Complement && all:
			n, err = f.countComplement(ctx, members)
		case open && !c.Complement:
			for _, l := range f.Meta().Layers { // the file says it
				if rangeOf(c.Layers).Holds(l.Layer) {
					n += l.States
				}
			}
		default:
			n, err = patterns.Count(ctx, f.Space(), members, p, layers)
		}
		return err
	})
	return n, err
}

// Sample draws n different states of those that are picked, or all if there are fewer: each set of
// n is as likely as any other, and so is each order, unless the pick has Sort, which orders them.
func (f *File) Sample(ctx context.Context, c Pick, n int, rng *rand.Rand) (drawn []statespace.Index, err error) {
	if n < 0 {
		return nil, Questionf("the number of members to draw is %d, expected 0 or more", n)
	}
	all, err := f.Count(ctx, c)
	if err != nil {
		return nil, err
	}
	share := memory.For(ctx, "the sample")
	share.Instead = "draw fewer"
	defer share.Free()
	if err := share.Set(sampleBytes * min(all, uint64(n))); err != nil {
		return nil, err
	}
	if drawn, err = f.at(ctx, c, all, sampleRanks(all, n, rng)); err != nil {
		return nil, err
	}
	if c.Sort != "" {
		return f.sorted(c, drawn)
	}
	rng.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	return drawn, nil
}

// at returns the states at some places among all that are picked. The places are in increasing
// order.
func (f *File) at(ctx context.Context, c Pick, all uint64, ranks []uint64) (found []statespace.Index, err error) {
	if r, ok := f.Members().(bitset.Ranker); ok && !c.Complement && all == f.Meta().States && len(ranks) <= fewRanks {
		err = f.Read(func() error {
			for _, i := range ranks {
				x, err := r.Select(i)
				if err != nil {
					return err
				}
				found = append(found, x)
			}
			return nil
		})
		return found, err
	}
	before := uint64(0)
	found = make([]statespace.Index, 0, len(ranks))
	err = f.Visit(ctx, c, func(first, members uint64) bool {
		after := before + uint64(bits.OnesCount64(members))
		for i := before; len(ranks) > 0 && ranks[0] < after; ranks = ranks[1:] {
			for ; i < ranks[0]; i++ {
				members &= members - 1
			}
			found = append(found, first+uint64(bits.TrailingZeros64(members)))
		}
		before = after
		return len(ranks) > 0
	})
	return found, err
}

// fewRanks is how many members it is quicker to find one by one, in a store that knows
// ranks, than by going through all.
const fewRanks = 32

// sampleBytes is about what a state takes in a sample: in the set of the ranks, their list and that of the states.
const sampleBytes = 64

// sampleRanks draws n different numbers below all, or all if there are no more, in increasing
// order (Floyd's way: Bentley, Programming Pearls, CACM 30, 1987).
func sampleRanks(all uint64, n int, rng *rand.Rand) []uint64 {
	n = int(min(all, uint64(n)))
	drawn := make(map[uint64]bool, n)
	ranks := make([]uint64, 0, n)
	for i := all - uint64(n); i < all; i++ {
		r := rng.Uint64N(i + 1)
		if drawn[r] {
			r = i
		}
		drawn[r] = true
		ranks = append(ranks, r)
	}
	slices.Sort(ranks)
	return ranks
}

// Nth returns the member that has i members before it in the order of numbers. It is an
// ErrQuestion if the file has no more than i members.
func (f *File) Nth(ctx context.Context, i uint64) (x statespace.Index, err error) {
	if i >= f.Meta().States {
		return 0, Questionf("%s has %d members, counted from 0: expected 0 to %d, found %d", f.Path(), f.Meta().States, f.Meta().States-1, i)
	}
	err = f.Read(func() error {
		x, err = bitset.Select(stoppable(ctx, f.Members()), i)
		return err
	})
	if errors.Is(err, bitset.ErrRank) {
		err = f.Damaged(err.Error())
	}
	return x, err
}

// Rank returns how many members come before a state in the order of numbers. If the state is a
// member, Nth returns it for this i.
func (f *File) Rank(ctx context.Context, x statespace.Index) (i uint64, err error) {
	err = f.Read(func() error {
		i, err = bitset.Rank(stoppable(ctx, f.Members()), x)
		return err
	})
	return i, err
}

// stoppable returns a set that cannot be read any more when ctx has ended, unless it knows
// ranks at once.
func stoppable(ctx context.Context, r bitset.Reader) bitset.Reader {
	if _, ok := r.(bitset.Ranker); ok {
		return r
	}
	return stoppableReader{r, ctx}
}

type stoppableReader struct {
	bitset.Reader
	ctx context.Context
}

// Block implements bitset.Reader.
func (s stoppableReader) Block(i uint64) ([]uint64, error) {
	if s.ctx.Err() != nil {
		return nil, context.Cause(s.ctx)
	}
	return s.Reader.Block(i)
}
