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
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/cells"
)

// A Choice picks members of a file. The zero value picks all.
type Choice struct {
	// Pattern, if not empty, picks those that agree with it; ? is a cell with anything in it. The
	// space must have cells.
	Pattern string
	// Layers, if not nil, picks those of a range of layers. In a space without layers, they are
	// distances from the start, which the file must keep whole.
	Layers *cells.Range
}

// rangeOf returns a range of layers, where nil stands for all.
func rangeOf(layers *cells.Range) cells.Range {
	if layers == nil {
		return cells.AllLayers
	}
	return *layers
}

// A Member is a member as it is listed.
type Member struct {
	Pattern string // the state, as Parse reads it
	Layer   *int   // of a space with layers; else nil

	layerName string
}

// MarshalJSON writes an object with the layer under its name, such as "pegs".
func (m Member) MarshalJSON() ([]byte, error) {
	fields := []field{{"pattern", m.Pattern}}
	if m.Layer != nil {
		fields = append(fields, field{m.layerName, *m.Layer})
	}
	return marshalFields(fields...)
}

// NewMember describes a state.
func NewMember(sp statespace.Space, x statespace.Index) Member {
	m := Member{Pattern: sp.Format(x)}
	if l, ok := sp.(statespace.Layered); ok {
		layer := l.Layer(x)
		m.Layer, m.layerName = &layer, l.LayerName()
	}
	return m
}

// checkLayers refuses a range of layers that neither the space nor the file knows, and one that
// lies beyond all of them.
func (f *File) checkLayers(layers cells.Range) error {
	if layers == cells.AllLayers {
		return nil
	}
	if _, ok := f.Space().(statespace.Layered); !ok {
		if d, ok := f.Distances(); !ok || !d.Whole {
			return Questionf("%s keeps no whole distances, so members cannot be picked by layer; convert it to the store distance", f.Path())
		}
	}
	// A layer just beyond may be asked for: in a loop over all numbers of pieces, for example.
	beyond := 0
	for _, l := range f.Meta().Layers {
		beyond = max(beyond, l.Layer)
	}
	if sp, ok := f.Space().(cells.Celled); ok {
		beyond = max(beyond, len(sp.Cells()))
	}
	if why := f.noLayer(layers); why != "" && layers.Least > beyond {
		return Questionf("%s", why)
	}
	return nil
}

// None says that there is no answer among the members of a range of layers, and adds if no members
// are there at all; nil stands for all layers.
func (f *File) None(layers *cells.Range) string {
	if why := f.noLayer(rangeOf(layers)); why != "" {
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

// layersOf returns the members in a range of layers: all of them, if the space tells layers by
// itself.
func (f *File) layersOf(layers cells.Range) bitset.Reader {
	if _, ok := f.Space().(statespace.Layered); ok || layers == cells.AllLayers {
		return f.Members()
	}
	d, _ := f.Distances()
	return distanceRange{f.Members(), d, layers}
}

// distanceRange is the members at some distances.
type distanceRange struct {
	bitset.Reader
	distances bfs.Distances
	layers    cells.Range
}

// Block implements bitset.Reader.
func (r distanceRange) Block(i uint64) ([]uint64, error) {
	words, err := r.Reader.Block(i)
	if err != nil {
		return nil, err
	}
	words = slices.Clone(words)
	for w := range words {
		for left := words[w]; left != 0; left &= left - 1 {
			bit := left & -left
			e, err := r.distances.At(i<<bitset.BlockBits + uint64(w)*64 + uint64(bits.TrailingZeros64(bit)))
			if err != nil {
				return nil, err
			}
			if !r.layers.Holds(int(e) - 1) {
				words[w] &^= bit
			}
		}
	}
	return words, nil
}

// List yields the members that are picked, in the order of their numbers. An error is the last
// that it yields.
func (f *File) List(ctx context.Context, c Choice) iter.Seq2[statespace.Index, error] {
	return func(yield func(statespace.Index, error) bool) {
		more := true
		err := f.Visit(ctx, c, func(first, members uint64) bool {
			for ; members != 0 && more; members &= members - 1 {
				more = yield(first+uint64(bits.TrailingZeros64(members)), nil)
			}
			return more
		})
		if err != nil && more {
			yield(0, err)
		}
	}
}

// Visit is List by words: it calls take for the members that are picked, in the order of their
// numbers, until it returns false. first is a multiple of 64, and bit i of members is number
// first+i.
func (f *File) Visit(ctx context.Context, c Choice, take func(first, members uint64) bool) error {
	return f.pick(c, func(sp cells.Celled, p cells.Pattern, layers cells.Range, members bitset.Reader) error {
		if sp == nil {
			return visitLayers(ctx, f.Space(), members, layers, take)
		}
		return cells.Visit(ctx, sp, members, p, layers, take)
	})
}

// pick calls do with a pattern of a space with cells, or without a space where there are no
// cells, and with the members that belong to the layers.
func (f *File) pick(c Choice, do func(sp cells.Celled, p cells.Pattern, layers cells.Range, members bitset.Reader) error) error {
	layers := rangeOf(c.Layers)
	if err := f.checkLayers(layers); err != nil {
		return err
	}
	members := f.layersOf(layers)
	if _, ok := f.Space().(statespace.Layered); !ok {
		layers = cells.AllLayers
	}
	sp, ok := f.Space().(cells.Celled)
	if !ok {
		if c.Pattern != "" {
			return Questionf("a pattern with open cells is for spaces with cells; %s has none", f.Space().Name())
		}
		return f.Read(func() error { return do(nil, nil, layers, members) })
	}
	p := cells.Open(len(sp.Cells()))
	if c.Pattern != "" {
		var err error
		if p, err = sp.ParsePattern(c.Pattern); err != nil {
			return BadPattern(c.Pattern, err)
		}
	}
	return f.Read(func() error { return do(sp, p, layers, members) })
}

// visitLayers visits members by their layers alone.
func visitLayers(ctx context.Context, sp statespace.Space, members bitset.Reader, layers cells.Range, take func(first, members uint64) bool) error {
	l, ok := sp.(statespace.Layered)
	return cells.EachWord(ctx, members, func(first, word uint64) bool {
		if ok && layers != cells.AllLayers {
			for left := word; left != 0; left &= left - 1 {
				if bit := left & -left; !layers.Holds(l.Layer(first + uint64(bits.TrailingZeros64(bit)))) {
					word &^= bit
				}
			}
		}
		return word == 0 || take(first, word)
	})
}

// Count returns how many members are picked. When ctx ends, it stops soon and returns the cause.
func (f *File) Count(ctx context.Context, c Choice) (n uint64, err error) {
	err = f.pick(c, func(sp cells.Celled, p cells.Pattern, layers cells.Range, members bitset.Reader) error {
		if sp == nil || p.IsOpen() {
			for _, l := range f.Meta().Layers { // the file says it
				if rangeOf(c.Layers).Holds(l.Layer) {
					n += l.States
				}
			}
			return nil
		}
		n, err = cells.Count(ctx, sp, members, p, layers)
		return err
	})
	return n, err
}

// Sample draws n different members that are picked, or all if there are fewer: each set of n
// is as likely as any other, and so is each order.
func (f *File) Sample(ctx context.Context, c Choice, n int, rng *rand.Rand) (drawn []statespace.Index, err error) {
	if n < 0 {
		return nil, Questionf("the number of members to draw is %d, expected 0 or more", n)
	}
	all, err := f.Count(ctx, c)
	if err != nil {
		return nil, err
	}
	ranks := sampleRanks(all, n, rng)
	defer func() { rng.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] }) }()
	if r, ok := f.Members().(bitset.Ranker); ok && all == f.Meta().States && n <= fewRanks {
		err = f.Read(func() error {
			for _, i := range ranks {
				x, err := r.Select(i)
				if err != nil {
					return err
				}
				drawn = append(drawn, x)
			}
			return nil
		})
		return drawn, err
	}
	before := uint64(0)
	err = f.Visit(ctx, c, func(first, members uint64) bool {
		after := before + uint64(bits.OnesCount64(members))
		for i := before; len(ranks) > 0 && ranks[0] < after; ranks = ranks[1:] {
			for ; i < ranks[0]; i++ {
				members &= members - 1
			}
			drawn = append(drawn, first+uint64(bits.TrailingZeros64(members)))
		}
		before = after
		return len(ranks) > 0
	})
	return drawn, err
}

// fewRanks is how many members it is quicker to find one by one, in a store that knows
// ranks, than by going through all.
const fewRanks = 32

// sampleRanks draws n different numbers below all, or all if there are no more, in increasing
// order (Floyd's way: Bentley, Programming Pearls, CACM 30, 1987).
func sampleRanks(all uint64, n int, rng *rand.Rand) []uint64 {
	drawn := make(map[uint64]bool)
	ranks := []uint64{}
	for i := all - min(all, uint64(n)); i < all; i++ {
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
