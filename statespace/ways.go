package statespace

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"

	"pagoda/internal/mapped"
)

// ErrMemory says that a table of ways would take more memory than was allowed.
var ErrMemory = errors.New("too many states lie on the way")

// A Counted tells how many ways there are to a state from each state that lies on
// one of them.
type Counted struct {
	sp     Layered
	to     Index
	tables tables
}

// CountWays counts the ways from the roots to a member of the set of states that can
// be reached, by way of members. With keep, Random can draw from them; without, only
// Total can be asked. It takes up to so many bytes of memory: ErrMemory says that
// they did not do. When ctx ends, it stops soon and returns the cause.
func CountWays(ctx context.Context, sp Layered, member Member, to Index, keep bool, memory uint64) (*Counted, error) {
	// Most counts fit one word; where one does not, all begin again with more.
	for width := 1; ; width *= 2 {
		b := &backward{sp: sp, member: member, keep: keep, memory: memory, merge: addCounts}
		one := make([]uint64, width)
		one[0] = 1
		tables, err := b.run(ctx, to, one)
		if errors.Is(err, errWide) {
			continue
		}
		return &Counted{sp, to, tables}, err
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

// From returns the number of ways from x, which is 0 if none leads through it.
func (c *Counted) From(x Index) *big.Int {
	n := new(big.Int)
	words := c.tables.get(c.sp, x)
	for _, w := range slices.Backward(words) {
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
		if n := c.From(e.To); at.Cmp(n) < 0 {
			return e
		} else {
			at.Sub(at, n)
		}
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

// FewestMoves returns a way from the roots to a member that takes the fewest moves,
// when moves of the same piece that follow one another count as one, and how many
// those are. For the rest it is like CountWays.
func FewestMoves(ctx context.Context, sp Mover, member Member, to Index, memory uint64) (moves int, way Way, err error) {
	// For each state the tables keep how few moves lead from it to the end, and from
	// which places the first of them can start. What comes before goes on for
	// nothing if it ends at one of these places, else it is a move of its own; to
	// go on from another place can cost no less than that.
	cost := func(of []uint64, move int) (n, start uint64) {
		from, to := sp.Places(move)
		return of[0] + 1 - of[1]>>to&1, 1 << from
	}
	b := &backward{sp: sp, member: member, keep: true, memory: memory}
	b.merge = func(best, of []uint64, move int) error {
		n, start := cost(of, move)
		if isNew := best[1] == 0; isNew || n < best[0] {
			best[0], best[1] = n, start
		} else if n == best[0] {
			best[1] |= start
		}
		return nil
	}
	tables, err := b.run(ctx, to, []uint64{0, 0})
	if err != nil {
		return 0, way, err
	}
	fewest := ^uint64(0)
	for _, root := range sp.Roots() {
		if words := tables.get(sp, root); words != nil && words[0] < fewest {
			fewest, way.From = words[0], root
		}
	}
	place := -1
	for x := way.From; x != to; {
		// Of the best moves, one that goes on with the piece, if there is one.
		best := tables.get(sp, x)[0]
		next := Edge{Move: -1}
		for _, e := range sp.Successors(nil, x) {
			words := tables.get(sp, e.To)
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

// A backward goes from a state back to the roots, layer by layer, through all
// states that lie on a way, with some words for each.
type backward struct {
	sp     Layered
	member Member
	keep   bool   // the tables of all layers
	memory uint64 // bytes
	// merge changes the words of a state, 0 at first, by those of a state to which
	// the move leads.
	merge func(words, of []uint64, move int) error
}

// tables holds a table for each layer.
type tables map[int]*table

func (t tables) get(sp Layered, x Index) []uint64 {
	if layer := t[sp.Layer(x)]; layer != nil {
		return layer.get(x)
	}
	return nil
}

// run returns the tables of the layers, those of the roots only unless all are to be
// kept. The words are those of the state to.
func (b *backward) run(ctx context.Context, to Index, words []uint64) (tables, error) {
	layer := b.sp.Layer(to)
	all := tables{layer: newTable(len(words))}
	copy(all[layer].add(to), words)
	back := 1
	if !b.sp.LayersFall() {
		back = -1
	}
	// Moves lead from one layer to another in one direction, so that a layer is
	// complete when those behind it are.
	err := mapped.Guard(func() error {
		for todo := []int{layer}; len(todo) > 0; {
			slices.SortFunc(todo, func(a, b int) int { return (a - b) * back })
			layer, todo = todo[0], todo[1:]
			had := len(all)
			if err := b.before(ctx, all, all[layer]); err != nil {
				return err
			}
			if len(all) > had {
				for l := range all {
					if (l-layer)*back > 0 && !slices.Contains(todo, l) {
						todo = append(todo, l)
					}
				}
			}
			if !b.keep {
				all[layer] = all[layer].only(b.sp.Roots())
			}
		}
		return nil
	})
	return all, err
}

// before goes from the states of a table to those before them.
func (b *backward) before(ctx context.Context, all tables, t *table) error {
	roots := b.sp.Roots()
	var edges []Edge
	seen := 0
	for x, words := range t.all() {
		if seen++; seen%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if slices.Contains(roots, x) {
			continue
		}
		edges = b.sp.Predecessors(edges[:0], x)
		found := false
		for _, e := range edges {
			ok, err := b.member(e.To)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			found = true
			layer := b.sp.Layer(e.To)
			next := all[layer]
			if next == nil {
				next = newTable(t.width)
				all[layer] = next
			}
			if next.full() {
				if err := b.check(all, next); err != nil {
					return err
				}
			}
			if err := b.merge(next.add(e.To), words, e.Move); err != nil {
				return err
			}
		}
		if !found {
			return fmt.Errorf("%s: %w", b.sp.Format(x), ErrNoPath)
		}
	}
	return nil
}

// check fails when the tables would take too much memory with one of them grown.
func (b *backward) check(all tables, grown *table) error {
	bytes, states := 2*grown.bytes(), 0
	for _, t := range all {
		bytes += t.bytes()
		states += t.n
	}
	if bytes > b.memory {
		return fmt.Errorf("%w: for %d of them and more the table needs %d bytes, and %d are allowed", ErrMemory, states, bytes, b.memory)
	}
	return nil
}

// A table keeps some words for each of some states: a hash table with linear
// probing, at most three quarters full.
type table struct {
	keys  []uint64 // the state + 1; 0: none
	words []uint64
	width int // words of a state
	n     int
}

func newTable(width int) *table {
	return &table{keys: make([]uint64, 16), words: make([]uint64, 16*width), width: width}
}

func (t *table) bytes() uint64 { return 8 * uint64(len(t.keys)+len(t.words)) }

func (t *table) full() bool { return t.n >= len(t.keys)/4*3 }

// slot returns where x is or would be.
func (t *table) slot(x Index) int {
	mask := len(t.keys) - 1
	shift := bits.LeadingZeros64(uint64(mask))
	for i := int(x * 0x9e3779b97f4a7c15 >> shift); ; i = (i + 1) & mask {
		if k := t.keys[i]; k == 0 || k == x+1 {
			return i
		}
	}
}

// get returns the words of x, nil if it is not in the table.
func (t *table) get(x Index) []uint64 {
	i := t.slot(x)
	if t.keys[i] == 0 {
		return nil
	}
	return t.words[i*t.width:][:t.width:t.width]
}

// add returns the words of x, which are 0 if it was not in the table.
func (t *table) add(x Index) []uint64 {
	i := t.slot(x)
	if t.keys[i] == 0 {
		if t.full() {
			t.grow()
			i = t.slot(x)
		}
		t.keys[i] = x + 1
		t.n++
	}
	return t.words[i*t.width:][:t.width:t.width]
}

func (t *table) grow() {
	old := *t
	t.keys, t.words = make([]uint64, 2*len(old.keys)), make([]uint64, 2*len(old.words))
	for i, k := range old.keys {
		if k != 0 {
			j := t.slot(k - 1)
			t.keys[j] = k
			copy(t.words[j*t.width:][:t.width], old.words[i*t.width:])
		}
	}
}

// all yields the states with their words, in the order of the table.
func (t *table) all() iter.Seq2[Index, []uint64] {
	return func(yield func(Index, []uint64) bool) {
		for i, k := range t.keys {
			if k != 0 && !yield(k-1, t.words[i*t.width:][:t.width]) {
				return
			}
		}
	}
}

// only returns a table of those of the states that are in t.
func (t *table) only(states []Index) *table {
	few := newTable(t.width)
	for _, x := range states {
		if words := t.get(x); words != nil {
			copy(few.add(x), words)
		}
	}
	return few
}
