package paths

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// A table keeps some words for each member of a set that is a representative, in their order.
type table struct {
	set        *bitset.Set // of representatives
	symmetries []Symmetry
	before     []uint64 // by line of 8 words of the set: the members before it
	words      []uint64
	width      int // words of a member
}

// get returns the words of the representative of x, and which symmetry takes x there, or -1. The
// words are nil if x is not a member.
func (t *table) get(x statespace.Index) (words []uint64, by int) {
	by = -1
	least := x
	for i := range t.symmetries {
		if y := t.symmetries[i].Map(x); y < least {
			least, by = y, i
		}
	}
	return t.of(least), by
}

// of returns the words of a representative, or nil if it is not a member.
func (t *table) of(x statespace.Index) []uint64 {
	if !t.set.Has(x) {
		return nil
	}
	const line = 8
	at := x / (64 * line)
	rank := t.before[at] + bitset.CountBelow(t.set.Words()[at*line:], x%(64*line))
	return t.words[rank*uint64(t.width):][:t.width:t.width]
}

func newTable(set *bitset.Set, symmetries []Symmetry, members uint64, width int) *table {
	t := &table{set: set, symmetries: symmetries, words: make([]uint64, members*uint64(width)), width: width}
	n := uint64(0)
	for line := range slices.Chunk(set.Words(), 8) {
		t.before = append(t.before, n)
		n += bitset.Count(line)
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

// tabulate makes the table of the states between, one of each orbit of the symmetries. The last state has the given words. Those of any other state are 0 at first, and merge adds the words
// of every state to which a move leads; they are those of its representative, to which symmetry by
// takes it, if that is not -1. If merge returns false because the result does not fit, all states
// get more words.
func tabulate(ctx context.Context, sp statespace.Space, symmetries []Symmetry, between *bitset.Set, to statespace.Index, words []uint64,
	merge func(words, of []uint64, move, by int) bool, memory uint64, threads int, progress *statespace.Progress) (*table, error) {

	states := between.Count()
	check := func(words int) error {
		if bytes := states*8*(1+uint64(words)) + sp.Size()/64; bytes > memory {
			return fmt.Errorf("%w: %d states lie on the paths, for which the table needs %d bytes; %d are allowed", statespace.ErrMemory, states, bytes, memory)
		}
		return nil
	}
	if err := check(len(words)); err != nil {
		return nil, err
	}
	counts, err := sweep.CountLayers(ctx, sp, between, threads)
	if err != nil {
		return nil, err
	}
	layers, err := byLayer(ctx, sp, between, states, counts)
	if err != nil {
		return nil, err
	}
	w := &tabulation{sp: sp, to: to, merge: merge, table: newTable(between, symmetries, states, len(words)), layers: layers}
	copy(w.table.of(to), words)
	for {
		if err := statespace.Do(ctx, w, threads, progress); err != nil {
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
				clear(w.table.of(x))
			}
		}
	}
}

// A tabulation is the work of tabulate: a stage is a layer.
type tabulation struct {
	sp     statespace.Space
	to     statespace.Index
	merge  func(words, of []uint64, move, by int) bool
	table  *table
	layers [][]statespace.Index // in the order against the moves
	full   atomic.Int32         // the layer, from 1, where a result does not fit, or 0
}

const tabulationTask = 1024 // states

// Stages implements statespace.Work.
func (w *tabulation) Stages() int { return len(w.layers) }

// Tasks implements statespace.Work.
func (w *tabulation) Tasks(stage int) int {
	return (len(w.layers[stage]) + tabulationTask - 1) / tabulationTask
}

// NewWorker implements statespace.Work.
func (w *tabulation) NewWorker() statespace.Worker { return &tabulator{tabulation: w} }

type tabulator struct {
	*tabulation
	edges []statespace.Edge
}

// Do implements statespace.Worker.
func (w *tabulator) Do(stage, task int) {
	if w.full.Load() != 0 {
		return
	}
	layer := w.layers[stage]
	for _, x := range layer[task*tabulationTask : min((task+1)*tabulationTask, len(layer))] {
		if x == w.to {
			continue
		}
		words := w.table.of(x)
		w.edges = w.sp.Successors(w.edges[:0], x)
		for _, e := range w.edges {
			if of, by := w.table.get(e.To); of != nil && !w.merge(words, of, e.Move, by) {
				w.full.Store(int32(stage + 1))
				return
			}
		}
	}
}

// byLayer lists the members of a set by layer. The layers come in the order against the moves.
func byLayer(ctx context.Context, sp statespace.Space, set *bitset.Set, n uint64, counts []statespace.Layer) ([][]statespace.Index, error) {
	slices.Reverse(counts) // they are in the order of moves
	all := make([]statespace.Index, n)
	layers := make([][]statespace.Index, len(counts))
	at := make(map[int]int)
	for i, c := range counts {
		layers[i], all = all[:0:c.States], all[c.States:]
		at[c.Layer] = i
	}
	seen, of := 0, sp.Parts().Layers
	for x := range set.All() {
		if seen++; seen%(1<<16) == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		i := at[of.Layer(x)]
		layers[i] = append(layers[i], x)
	}
	return layers, nil
}
