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

	"pagoda/bitset"
)

// A Reverser is a space with a fast way to tell from where a state can be reached.
type Reverser interface {
	Layered
	// Between does what the function Between does.
	Between(ctx context.Context, members bitset.Reader, to Index, set *bitset.Set, threads int, progress *Progress) error
}

// Between adds to the empty set those members of another from which one of them, to,
// can be reached, and to itself. All that can be reached from a member must be one;
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
// the set, else the error is ErrMemory; it is ErrNoPath if there is no way from a
// root. When ctx ends, it stops soon and returns the cause.
func CountWays(ctx context.Context, sp Layered, between *bitset.Set, to Index, memory uint64, threads int, progress *Progress) (*Counted, error) {
	t, err := tabulate(ctx, sp, between, to, []uint64{1}, addCounts, memory, threads, progress)
	if err != nil {
		return nil, err
	}
	c := &Counted{sp, to, t}
	if c.Total().Sign() == 0 {
		return nil, fmt.Errorf("%s: %w", sp.Format(to), ErrNoPath)
	}
	return c, nil
}

// addCounts adds the ways of a state to those of one before it. It reports false
// when the sum does not fit.
func addCounts(sum, of []uint64, _ int) bool {
	carry := uint64(0)
	for i := range sum {
		sum[i], carry = bits.Add64(sum[i], of[i], carry)
	}
	return carry == 0
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
// are. For the rest it is like CountWays.
func FewestMoves(ctx context.Context, sp Mover, between *bitset.Set, to Index, memory uint64, threads int, progress *Progress) (moves int, way Way, err error) {
	// For each state the table keeps 1 more than how few moves lead from it to the end,
	// 0 if none do, and from which places the first of them can start. What comes before
	// goes on for nothing if it ends at one of these places, else it is a move of its
	// own; to go on from another place can cost no less than that.
	cost := func(of []uint64, move int) (n, start uint64) {
		from, to := sp.Places(move)
		return of[0] + 1 - of[1]>>to&1, 1 << from
	}
	least := func(best, of []uint64, move int) bool {
		if of[0] == 0 {
			return true
		}
		n, start := cost(of, move)
		if best[0] == 0 || n < best[0] {
			best[0], best[1] = n, start
		} else if n == best[0] {
			best[1] |= start
		}
		return true
	}
	t, err := tabulate(ctx, sp, between, to, []uint64{1, 0}, least, memory, threads, progress)
	if err != nil {
		return 0, way, err
	}
	fewest := ^uint64(0)
	for _, root := range sp.Roots() {
		if words := t.get(root); words != nil && words[0] > 0 && words[0] < fewest {
			fewest, way.From = words[0], root
		}
	}
	if fewest == ^uint64(0) {
		return 0, way, fmt.Errorf("%s: %w", sp.Format(to), ErrNoPath)
	}
	place := -1
	for x := way.From; x != to; {
		// Of the best moves, one that goes on with the piece, if there is one.
		best := t.get(x)[0]
		next := Edge{Move: -1}
		for _, e := range sp.Successors(nil, x) {
			words := t.get(e.To)
			if words == nil || words[0] == 0 {
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
	return int(fewest) - 1, way, nil
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

// widen gives each member twice as many words; the new ones are 0.
func (t *table) widen() {
	words := make([]uint64, 2*len(t.words))
	for i := 0; i < len(t.words); i += t.width {
		copy(words[2*i:], t.words[i:i+t.width])
	}
	t.words, t.width = words, 2*t.width
}

// tabulate makes the table of a set of states between in which the last state has
// the given words, and those of any other, 0 at first, are merged from those of all
// states that its moves lead to. When merge reports that a result does not fit, all
// states get more words.
func tabulate(ctx context.Context, sp Layered, between *bitset.Set, to Index, words []uint64,
	merge func(words, of []uint64, move int) bool, memory uint64, threads int, progress *Progress) (*table, error) {

	states := between.Count()
	check := func(words int) error {
		if bytes := states*8*(1+uint64(words)) + sp.Size()/64; bytes > memory {
			return fmt.Errorf("%w: %d, for which the table needs %d bytes; %d are allowed", ErrMemory, states, bytes, memory)
		}
		return nil
	}
	if err := check(len(words)); err != nil {
		return nil, err
	}
	counts, err := CountLayers(ctx, sp, between, threads)
	if err != nil {
		return nil, err
	}
	layers, err := byLayer(ctx, sp, between, states, counts)
	if err != nil {
		return nil, err
	}
	w := &tabulation{sp: sp, to: to, merge: merge, table: newTable(between, states, len(words)), layers: layers}
	copy(w.table.get(to), words)
	for {
		if err := Do(ctx, w, threads, progress); err != nil {
			return nil, err
		}
		layer := int(w.full.Swap(0)) - 1
		if layer < 0 {
			return w.table, nil
		}
		if err := check(3 * w.table.width); err != nil { // the old words and the new ones
			return nil, err
		}
		w.table.widen()
		w.layers = w.layers[layer:]
		for _, x := range w.layers[0] {
			if x != to {
				clear(w.table.get(x))
			}
		}
	}
}

// A tabulation is the work of tabulate: a stage is a layer.
type tabulation struct {
	sp     Layered
	to     Index
	merge  func(words, of []uint64, move int) bool
	table  *table
	layers [][]Index    // those first to which moves lead
	full   atomic.Int32 // the layer, from 1, where a result did not fit
}

const tabulationTask = 1024 // states

// Stages implements Work.
func (w *tabulation) Stages() int { return len(w.layers) }

// Tasks implements Work.
func (w *tabulation) Tasks(stage int) int {
	return (len(w.layers[stage]) + tabulationTask - 1) / tabulationTask
}

// NewWorker implements Work.
func (w *tabulation) NewWorker() Worker { return &tabulator{tabulation: w} }

type tabulator struct {
	*tabulation
	edges []Edge
}

// Do implements Worker.
func (w *tabulator) Do(stage, task int) {
	if w.full.Load() != 0 {
		return
	}
	layer := w.layers[stage]
	for _, x := range layer[task*tabulationTask : min((task+1)*tabulationTask, len(layer))] {
		if x == w.to {
			continue
		}
		words := w.table.get(x)
		w.edges = w.sp.Successors(w.edges[:0], x)
		for _, e := range w.edges {
			if of := w.table.get(e.To); of != nil && !w.merge(words, of, e.Move) {
				w.full.Store(int32(stage + 1))
				return
			}
		}
	}
}

// byLayer lists the members of a set by layer, those first to which moves lead.
func byLayer(ctx context.Context, sp Layered, set *bitset.Set, n uint64, counts []Layer) ([][]Index, error) {
	slices.Reverse(counts) // they came in the order of moves
	all := make([]Index, n)
	layers := make([][]Index, len(counts))
	at := make(map[int]int)
	for i, c := range counts {
		layers[i], all = all[:0:c.States], all[c.States:]
		at[c.Layer] = i
	}
	seen := 0
	for x := range set.All() {
		if seen++; seen%(1<<16) == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		i := at[sp.Layer(x)]
		layers[i] = append(layers[i], x)
	}
	return layers, nil
}
