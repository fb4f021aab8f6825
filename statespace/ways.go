package statespace

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"pagoda/bitset"
	"pagoda/internal/mapped"
)

// A Reverser is a space with a fast way to tell from where a state can be reached.
type Reverser interface {
	Layered
	// Between does what the function Between does.
	Between(ctx context.Context, members bitset.Reader, to Index, set *bitset.Set, threads int, progress *Progress) error
}

// Between adds to the empty set those members of another from which a state can be
// reached, and the state itself. All that can be reached from a member must be one;
// a set of what roots reach is so. When ctx ends, it stops soon and returns the
// cause.
func Between(ctx context.Context, sp Layered, members bitset.Reader, to Index, set *bitset.Set, threads int, progress *Progress) error {
	if members.Len() != sp.Size() || set.Len() != sp.Size() {
		return fmt.Errorf("%s has %d numbers, the sets hold %d and %d", sp.Name(), sp.Size(), members.Len(), set.Len())
	}
	if r, ok := sp.(Reverser); ok {
		return r.Between(ctx, members, to, set, threads, progress)
	}
	return BetweenPlain(ctx, sp, members, to, set)
}

// BetweenPlain is Between state by state.
func BetweenPlain(ctx context.Context, sp Layered, members bitset.Reader, to Index, set *bitset.Set) error {
	set.Add(to)
	var edges []Edge
	for todo := []Index{to}; len(todo) > 0; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		edges = sp.Predecessors(edges[:0], x)
		for _, e := range edges {
			member, err := bitset.Has(members, e.To)
			if err != nil {
				return err
			}
			if member && !set.Has(e.To) {
				set.Add(e.To)
				todo = append(todo, e.To)
			}
		}
	}
	return nil
}

// ErrMemory says that a table of the states between would take more memory than is
// allowed.
var ErrMemory = errors.New("too many states lie on the way")

// A Counted tells how many ways there are to a state from each state between.
type Counted struct {
	sp    Layered
	to    Index
	table *table
}

// CountWays counts the ways to a state from those of a set, all of which must lead
// there; Between makes such a set. It takes up to so many bytes of memory besides
// the set, else the error is ErrMemory. When ctx ends, it stops soon and returns the
// cause.
func CountWays(ctx context.Context, sp Layered, between *bitset.Set, to Index, memory uint64, threads int) (*Counted, error) {
	// Most counts fit one word; where one does not, all begin again with more.
	for width := 1; ; width *= 2 {
		one := make([]uint64, width)
		one[0] = 1
		t, err := tabulate(ctx, sp, between, to, one, addCounts, memory, threads)
		if !errors.Is(err, errWide) {
			return &Counted{sp, to, t}, err
		}
	}
}

var errWide = errors.New("a count does not fit")

// addCounts adds the ways of a state to those of one before it.
func addCounts(sum, of []uint64, _ int) error {
	carry := uint64(0)
	for i := range sum {
		sum[i], carry = bits.Add64(sum[i], of[i], carry)
	}
	if carry != 0 {
		return errWide
	}
	return nil
}

// From returns the number of ways from x, which is 0 if it is not between.
func (c *Counted) From(x Index) *big.Int {
	n := new(big.Int)
	for _, w := range slices.Backward(c.table.get(x)) {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(w))
	}
	return n
}

// Total returns the number of ways from the roots.
func (c *Counted) Total() *big.Int {
	sum := new(big.Int)
	for _, root := range c.sp.Roots() {
		sum.Add(sum, c.From(root))
	}
	return sum
}

// Random draws one of the ways from the roots, of which there is one at least; each
// is as likely as any other.
func (c *Counted) Random(rng *rand.Rand) Way {
	var edges []Edge
	for _, root := range c.sp.Roots() {
		edges = append(edges, Edge{To: root})
	}
	way := Way{From: c.draw(edges, rng).To}
	for x := way.From; x != c.to; {
		edges = c.sp.Successors(edges[:0], x)
		e := c.draw(edges, rng)
		x = e.To
		way.Steps = append(way.Steps, Step{e.Move, x})
	}
	return way
}

// draw draws one of the edges, by the ways from where it leads.
func (c *Counted) draw(edges []Edge, rng *rand.Rand) Edge {
	sum := new(big.Int)
	for _, e := range edges {
		sum.Add(sum, c.From(e.To))
	}
	at := randBelow(rng, sum)
	for _, e := range edges {
		n := c.From(e.To)
		if at.Cmp(n) < 0 {
			return e
		}
		at.Sub(at, n)
	}
	panic("statespace: a number below the sum lies beyond it")
}

// randBelow returns a random number from 0 to n-1.
func randBelow(rng *rand.Rand, n *big.Int) *big.Int {
	for {
		x := new(big.Int)
		for range (n.BitLen() + 63) / 64 {
			x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(rng.Uint64()))
		}
		if x.Rsh(x, uint(-n.BitLen())&63).Cmp(n) < 0 {
			return x
		}
	}
}

// A Mover is a space in which a move takes a piece from one place to another. Moves
// of the same piece that follow one another can be counted as one.
type Mover interface {
	Layered
	// Places returns the places, below 64, between which a move takes its piece.
	Places(move int) (from, to int)
}

// FewestMoves returns a way from the roots to a state with the fewest moves, when
// moves of the same piece that follow one another count as one, and how many those
// are. For the rest it is like CountWays; a root must be between.
func FewestMoves(ctx context.Context, sp Mover, between *bitset.Set, to Index, memory uint64, threads int) (moves int, way Way, err error) {
	// For each state the table keeps how few moves lead from it to the end, and from
	// which places the first of them can start. What comes before goes on for
	// nothing if it ends at one of these places, else it is a move of its own; to
	// go on from another place can cost no less than that.
	cost := func(of []uint64, move int) (n, start uint64) {
		from, to := sp.Places(move)
		return of[0] + 1 - of[1]>>to&1, 1 << from
	}
	least := func(best, of []uint64, move int) error {
		n, start := cost(of, move)
		if isNew := best[1] == 0; isNew || n < best[0] {
			best[0], best[1] = n, start
		} else if n == best[0] {
			best[1] |= start
		}
		return nil
	}
	t, err := tabulate(ctx, sp, between, to, []uint64{0, 0}, least, memory, threads)
	if err != nil {
		return 0, way, err
	}
	fewest := ^uint64(0)
	for _, root := range sp.Roots() {
		if words := t.get(root); words != nil && words[0] < fewest {
			fewest, way.From = words[0], root
		}
	}
	place := -1
	for x := way.From; x != to; {
		// Of the best moves, one that goes on with the piece, if there is one.
		best := t.get(x)[0]
		next := Edge{Move: -1}
		for _, e := range sp.Successors(nil, x) {
			words := t.get(e.To)
			if words == nil {
				continue
			}
			from, _ := sp.Places(e.Move)
			if n, _ := cost(words, e.Move); n == best && (next.Move < 0 || from == place) {
				next = e
			}
		}
		x = next.To
		way.Steps = append(way.Steps, Step{next.Move, x})
		_, place = sp.Places(next.Move)
	}
	return int(fewest), way, nil
}

// A table keeps some words for each member of a set, in the order of the members.
type table struct {
	set    *bitset.Set
	before []uint64 // by line of 8 words of the set: the members before it
	words  []uint64
	width  int // words of a member
}

// get returns the words of x, nil if it is not a member.
func (t *table) get(x Index) []uint64 {
	if !t.set.Has(x) {
		return nil
	}
	const line = 8
	at := x / 64
	rank := t.before[at/line]
	set := t.set.Words()
	for _, w := range set[at/line*line : at] {
		rank += uint64(bits.OnesCount64(w))
	}
	rank += uint64(bits.OnesCount64(set[at] & (1<<(x%64) - 1)))
	return t.words[rank*uint64(t.width):][:t.width:t.width]
}

func newTable(set *bitset.Set, members uint64, width int) *table {
	t := &table{set: set, words: make([]uint64, members*uint64(width)), width: width}
	n := uint64(0)
	for line := range slices.Chunk(set.Words(), 8) {
		t.before = append(t.before, n)
		for _, w := range line {
			n += uint64(bits.OnesCount64(w))
		}
	}
	return t
}

// tabulate makes the table of a set of states between in which the last state has
// the given words, and those of any other, 0 at first, are merged from those of all
// states that its moves lead to.
func tabulate(ctx context.Context, sp Layered, between *bitset.Set, to Index, words []uint64,
	merge func(words, of []uint64, move int) error, memory uint64, threads int) (*table, error) {

	states := between.Count()
	if bytes := states*8*(1+uint64(len(words))) + sp.Size()/64; bytes > memory {
		return nil, fmt.Errorf("%w: %d, for which the table needs %d bytes; %d are allowed", ErrMemory, states, bytes, memory)
	}
	t := newTable(between, states, len(words))
	counts, err := CountLayers(ctx, sp, between, threads)
	if err != nil {
		return nil, err
	}
	layers := byLayer(sp, between, states, counts)
	copy(t.get(to), words)
	for _, layer := range layers {
		var next atomic.Int64
		const claim = 1024
		work := func() error {
			var edges []Edge
			for {
				first := int(next.Add(claim)) - claim
				if first >= len(layer) {
					return nil
				}
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				for _, x := range layer[first:min(first+claim, len(layer))] {
					if x == to {
						continue
					}
					mine := t.get(x)
					edges = sp.Successors(edges[:0], x)
					for _, e := range edges {
						if of := t.get(e.To); of != nil {
							if err := merge(mine, of, e.Move); err != nil {
								return err
							}
						}
					}
				}
			}
		}
		var group errgroup.Group
		for range min(max(1, threads), len(layer)/claim+1) {
			group.Go(func() error { return mapped.Guard(work) })
		}
		if err := group.Wait(); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// byLayer lists the members of a set by layer, those first to which moves lead.
func byLayer(sp Layered, set *bitset.Set, n uint64, counts []Layer) [][]Index {
	slices.Reverse(counts) // they came in the order of moves
	all := make([]Index, n)
	layers := make([][]Index, len(counts))
	at := make(map[int]int)
	for i, c := range counts {
		layers[i], all = all[:0:c.States], all[c.States:]
		at[c.Layer] = i
	}
	for x := range set.All() {
		i := at[sp.Layer(x)]
		layers[i] = append(layers[i], x)
	}
	return layers
}
