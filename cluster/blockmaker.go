package cluster

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"pagoda/cluster/storage"
	"pagoda/internal/mapped"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// A blockWorker is what a worker needs for a run by blocks.
type blockWorker struct {
	*schedule
	*frameStore

	mu   sync.Mutex
	idle []*blockThread
}

func newBlockWorker(w *worker) (*blockWorker, error) {
	if !canBlocks(w.sp) {
		return nil, fmt.Errorf("%s has no blocks, and the plan of the run has: all workers should be the same program", w.sp.Name())
	}
	blocks := sweep.BlocksOf(w.sp)
	s := newSchedule(blocks.Feeds(), w.plan.Blocks)
	if err := s.Order.Check(); err != nil || len(s.Order) > 0 && len(s.Order) != s.Bits {
		return nil, fmt.Errorf("the plan of the run has the bits of blocks of 2^%d numbers in the order %v, expected each bit once", s.Bits, s.Order)
	}
	if found := s.sum(); uint64(len(s.chains)) != s.Count || blocks.Bits != s.Bits || found != s.Sum {
		return nil, fmt.Errorf("%s should have %d blocks of 2^%d numbers, in stages with the checksum %08x, and has %d of 2^%d, %08x: the plan of the run is of another version of this program",
			w.sp.Name(), s.Count, s.Bits, s.Sum, len(s.chains), blocks.Bits, found)
	}
	return &blockWorker{schedule: s, frameStore: newFrameStore(w, s)}, nil
}

// A blockThread is what one goroutine needs to make blocks.
type blockThread struct {
	*blockWorker
	maker   statespace.Maker
	sources []uint64
	at      map[uint64][]uint64 // the words of blocks
}

// beginBlocks begins a bundle that makes or reads blocks.
func beginBlocks(ctx context.Context, s setting) (*bundle[*blockThread], error) {
	w, err := s.worker(ctx)
	if err != nil {
		return nil, err
	}
	threads := w.blocks.take(s.Threads)
	return newBundle(w, threads, func() {}, func() { w.blocks.giveBack(threads) }), nil
}

// take returns some threads, which are given back after use.
func (w *blockWorker) take(n int) []*blockThread {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.idle) < n {
		w.idle = append(w.idle, &blockThread{blockWorker: w, maker: w.feeds.NewMaker(), at: make(map[uint64][]uint64)})
	}
	threads := slices.Clone(w.idle[:n])
	w.idle = slices.Delete(w.idle, 0, n)
	return threads
}

func (w *blockWorker) giveBack(threads []*blockThread) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle = append(w.idle, threads...)
}

// make makes a group of blocks and writes it.
func (t *blockThread) make(ctx context.Context, stage, group int) (*record, error) {
	blocks := t.group(stage, group)
	t.sources = t.sources[:0]
	for _, block := range blocks {
		t.sources = t.feeds.Sources(t.sources, block)
	}
	slices.Sort(t.sources)
	t.sources = slices.Compact(t.sources)
	if err := t.gather(ctx, t.sources); err != nil {
		return nil, err
	}
	var frames [][]uint64
	n := t.words()
	for part := range slices.Chunk(blocks, t.Frame) {
		words := make([]uint64, n*len(part))
		for i, block := range part {
			t.at[block] = words[n*i:][:n]
		}
		frames = append(frames, words)
	}
	layers, err := t.maker.Make(blocks, func(block uint64) []uint64 { return t.at[block] })
	if err != nil {
		return nil, err
	}
	data, err := t.encode(frames)
	if err != nil {
		return nil, err
	}
	r := &record{Level: stage, Shard: group, Bytes: int64(len(data)), Sum: storage.Sum(data), Layers: layers}
	for _, l := range layers {
		r.States, r.Orbits = r.States+l.States, r.Orbits+l.Orbits
	}
	if err := t.place.Put(ctx, t.plan.object(r), data); err != nil {
		return nil, err
	}
	for i, words := range frames {
		t.keep(frameKey{stage, group, i}, words)
	}
	return r, nil
}

// gather fills at with the words of some blocks.
func (t *blockThread) gather(ctx context.Context, blocks []uint64) error {
	clear(t.at)
	var keys []frameKey
	for _, block := range blocks {
		key, _ := t.find(block)
		keys = append(keys, key)
	}
	slices.SortFunc(keys, frameKey.compare)
	frames, err := t.get(ctx, slices.Compact(keys))
	if err != nil {
		return err
	}
	n := t.words()
	for _, block := range blocks {
		key, at := t.find(block)
		t.at[block] = frames[key][n*at:][:n]
	}
	return nil
}

// read reads the words of blocks, from a word on, in their order.
func (t *blockThread) read(ctx context.Context, first, words uint64) ([]byte, error) {
	n := uint64(t.words())
	all := make([]uint64, 0, words)
	var blocks []uint64
	for block := first / n; block < (first+words)/n; block++ {
		blocks = append(blocks, block)
	}
	for part := range slices.Chunk(blocks, t.Group) {
		if err := t.gather(ctx, part); err != nil {
			return nil, err
		}
		for _, block := range part {
			all = append(all, t.at[block]...)
		}
	}
	return mapped.Bytes(all), nil
}
