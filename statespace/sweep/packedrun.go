package sweep

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"sync"

	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// A PackedRun makes the blocks that a BlockRun makes, in less memory: the blocks that are still needed
// are packed, and only some of them are whole in memory, too. A block is packed as its seeds (see
// Maker), so that it takes a tenth or a twentieth. The time goes to packing each block, and to
// unpacking it each time that it is read after it has left memory.
type PackedRun struct {
	handing
	layers  statespace.Layers
	feeds   statespace.Feeds
	folding *statespace.Folding
	plan    func() uint32
	memory  *mapped.Memory
	store   *packedStore
	threads int

	done   int // stages
	counts statespace.LayerCounts

	making  sync.Mutex             // guards what follows
	stage   statespace.LayerCounts // of the stage that is not done
	failure error
	cancel  context.CancelCauseFunc

	hand *lease // for next
}

// PackedOptions say where a PackedRun keeps its blocks.
type PackedOptions struct {
	// Memory is how many bytes it may take for blocks, packed and whole; see LeastPacked. The tables of
	// the space and the makers come on top of it.
	Memory uint64
	// Scratch is a directory for packed blocks that do not fit. If it is empty, they must fit.
	Scratch string
	// Threads is how many threads a Run has at most.
	Threads int
}

const (
	unitBytes = 256 << 10 // of a packedStore, if blocks are not larger
	leastUnit = 1 << 10
	// A store has some units for chunks and some for the cache, besides those of each thread.
	leastUnits = 16
	// A cache has memory for this many blocks, and bytes, for each thread at least.
	leastBlocks, leastCache = 40, 128 << 10
)

// leastCacheOf returns the least bytes of the cache.
func leastCacheOf(b *statespace.SweepBlocks, threads int) uint64 {
	return uint64(threads+1) * max(leastBlocks*uint64(1)<<b.Bits/8, leastCache)
}

// LeastPacked returns the least PackedOptions.Memory with which a PackedRun is useful, if all packed
// blocks are in a scratch file.
func LeastPacked(b *statespace.SweepBlocks, threads int) uint64 {
	block := uint64(8) << (b.Bits - 6)
	return leastCacheOf(b, threads) + uint64(leastUnits+2*threads)*max(block, leastUnit)
}

// PackedTables returns about how many bytes a PackedRun takes besides PackedOptions.Memory: for makers,
// and to know where each block is.
func PackedTables(b *statespace.SweepBlocks, threads, symmetries int) uint64 {
	const table = 24
	return uint64(threads+1)*uint64(22+symmetries)*8<<(b.Bits-6) + table*b.Representatives
}

// NewPackedRun returns a run of the blocks of a space. The sink is as that of NewBlockRun. End the run by
// Close. Getting the memory can take long: when ctx ends, NewPackedRun gives up and returns the cause.
func NewPackedRun(ctx context.Context, sp statespace.Space, o PackedOptions, sink func(words []uint64) error) (s *PackedRun, err error) {
	blocks := BlocksOf(sp)
	if blocks == nil || blocks.Feeds == nil {
		return nil, fmt.Errorf("%s cannot be made block by block", sp.Name())
	}
	o.Threads = max(1, o.Threads)
	if need := LeastPacked(blocks, o.Threads); o.Memory < need {
		return nil, fmt.Errorf("%w: %s needs %d bytes for blocks at least, and may take %d", ErrRoom, sp.Name(), need, o.Memory)
	}
	block, cache := uint64(8)<<(blocks.Bits-6), leastCacheOf(blocks, o.Threads)
	unit := max(block, min(unitBytes, max(leastUnit, o.Memory/256))/block*block)
	if o.Memory/unit < (cache+unit-1)/unit+uint64(2*o.Threads) {
		unit = max(block, leastUnit) // with LeastPacked, these fit
	}
	units := o.Memory / unit
	// Without a scratch file, the packed blocks may take the memory of the cache.
	least := (cache + unit - 1) / unit
	s = &PackedRun{layers: sp.Parts().Layers, feeds: blocks.Feeds(), folding: blocks.Folding(), threads: o.Threads,
		counts: make(statespace.LayerCounts), stage: make(statespace.LayerCounts)}
	s.sink, s.next = sink, s.nextBlocks
	s.plan = sync.OnceValue(s.sumPlan)
	var file *scratch
	if o.Scratch != "" {
		if file, err = newScratch(o.Scratch, int(unit)); err != nil {
			return nil, err
		}
		least = max(least, units/2)
	}
	if s.memory, err = mapped.Alloc(ctx, units*unit/8, o.Threads); err != nil {
		if file != nil {
			file.close()
		}
		return nil, err
	}
	s.store = newPackedStore(s.feeds, int(block/8), s.memory.Words(), int(unit/8), int(least), file)
	s.hand = s.store.newLease()
	return s, nil
}

// Close gives back the memory and the scratch file.
func (s *PackedRun) Close() {
	if s.memory == nil {
		return
	}
	s.memory.Free()
	s.memory = nil
	if s.store.scratch != nil {
		s.store.scratch.close()
	}
}

// Plan returns a checksum of the stages and of the order of the blocks: see Run.Plan.
func (s *PackedRun) Plan() uint32 { return s.plan() }

func (s *PackedRun) sumPlan() uint32 {
	sum := crc32.NewIEEE()
	fmt.Fprintln(sum, "packed blocks of", s.folding.Bits)
	for stage := range s.feeds.Stages() {
		fmt.Fprintln(sum, s.feeds.Begin(stage))
	}
	sumOrder(sum, s.folding)
	return sum.Sum32()
}

// Done returns how many stages are done.
func (s *PackedRun) Done() int { return s.done }

// Layers returns the layers of the blocks of the stages that are done.
func (s *PackedRun) Layers() []statespace.Layer { return s.counts.List(s.layers) }

// Stats returns what the run has done.
func (s *PackedRun) Stats() PackedStats {
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	return s.store.stats
}

// Window returns the first block that Restore needs to continue this run.
func (s *PackedRun) Window() uint64 { return s.window(s.done) }

func (s *PackedRun) window(done int) uint64 {
	if done == s.feeds.Stages() {
		return s.feeds.Begin(done)
	}
	return min(s.feeds.Needs(done), s.feeds.Begin(done))
}

// Restore is BlockRun.Restore.
func (s *PackedRun) Restore(done int, layers []statespace.Layer, read func(i uint64, words []uint64) error) error {
	return s.restore(done, layers, func(l *lease, first, end uint64) error {
		words := make([]uint64, s.store.words)
		for i := first; i < end; i++ {
			if err := read(i, words); err != nil {
				return err
			}
			if err := l.pack(i, words); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *PackedRun) restore(done int, layers []statespace.Layer, read func(l *lease, first, end uint64) error) error {
	if done < 0 || done > s.feeds.Stages() {
		return fmt.Errorf("a run of %d stages cannot continue after stage %d", s.feeds.Stages(), done)
	}
	end := s.feeds.Begin(done)
	l := s.store.newLease()
	err := read(l, s.window(done), end)
	l.closeChunk()
	if err != nil {
		return err
	}
	clear(s.counts)
	s.counts.Add(layers)
	s.note(done)
	s.handed.Store(end)
	return nil
}

// note records how many stages are done.
func (s *PackedRun) note(done int) {
	s.done = done
	s.made.Store(s.feeds.Begin(done))
}

// Save writes the packed blocks from Window to Blocks, as RestorePacked reads them: the number of those that
// are not empty, then of each its number, its length and its bytes. These numbers are varints. Write is called
// with pieces of it.
func (s *PackedRun) Save(write func([]byte) error) error {
	first, end := s.Window(), s.Blocks()
	n := uint64(0)
	for i := first; i < end; i++ {
		if s.store.records[i].length > 0 {
			n++
		}
	}
	if err := write(binary.AppendUvarint(nil, n)); err != nil {
		return err
	}
	return s.store.eachChunk(func(number uint32, c *chunk, data []byte) error {
		var out []byte
		for _, i := range c.blocks {
			if r := s.store.records[i]; r.chunk == number && r.length > 0 && uint64(i) >= first && uint64(i) < end {
				out = binary.AppendUvarint(out, uint64(i))
				out = binary.AppendUvarint(out, uint64(r.length))
				out = append(out, data[r.offset:][:r.length]...)
			}
		}
		return write(out)
	})
}

// PackedBytes returns about how many bytes Save writes.
func (s *PackedRun) PackedBytes() uint64 {
	n := uint64(0)
	for i := s.Window(); i < s.Blocks(); i++ {
		n += 8 + uint64(s.store.records[i].length)
	}
	return n
}

var errSaved = errors.New("the packed blocks are damaged")

// RestorePacked is Restore from what Save has written.
func (s *PackedRun) RestorePacked(done int, layers []statespace.Layer, saved []byte) error {
	from := bytes.NewReader(saved)
	return s.restore(done, layers, func(l *lease, first, end uint64) error {
		n, err := binary.ReadUvarint(from)
		if err != nil || n > end-first {
			return errSaved
		}
		words := make([]uint64, s.store.words)
		for range n {
			i, err1 := binary.ReadUvarint(from)
			length, err2 := binary.ReadUvarint(from)
			if err := errors.Join(err1, err2); err != nil || i < first || i >= end || length == 0 || length > uint64(s.store.unitBytes()) || s.store.records[i].length > 0 {
				return errSaved
			}
			l.packed = slices.Grow(l.packed[:0], int(length))[:length]
			if _, err := io.ReadFull(from, l.packed); err != nil {
				return errSaved
			}
			if err := unpack(words, l.packed); err != nil {
				return errSaved
			}
			if err := l.put(i, l.packed); err != nil {
				return err
			}
		}
		return nil
	})
}

// Run is BlockRun.Run.
func (s *PackedRun) Run(ctx context.Context, between func(done int) error, threads int, progress *statespace.Progress) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer func() {
		if err != nil { // HandOn must not wait for blocks that nobody makes any more
			s.store.reset()
		}
	}()
	s.failure, s.cancel = nil, cancel
	clear(s.stage)
	more, stop := s.aside(ctx, cancel)
	defer stop()

	work := &packedWork{PackedRun: s, threads: max(1, min(threads, s.threads))}
	end := func(done int) {
		s.counts.Add(s.stage.List(s.layers))
		clear(s.stage)
		s.note(done)
	}
	stages := s.feeds.Stages()
	done, err := statespace.DoFrom(ctx, work, s.done, func(done int) error {
		end(done)
		// At most two stages wait for the sink.
		if err := s.handOn(ctx, s.feeds.Begin(done-1)); err != nil {
			return err
		}
		more()
		first := s.Window()
		if s.sink != nil {
			first = min(first, s.handed.Load())
		}
		s.store.forget(first)
		if err := s.store.settle(); err != nil || between == nil {
			return err
		}
		return between(done)
	}, work.threads, progress)
	for _, l := range work.leases {
		l.closeChunk()
	}
	if s.failure != nil {
		err = s.failure
	}
	if done == stages && err == nil {
		end(done)
		err = s.handOn(ctx, s.made.Load())
	}
	if err != nil {
		cancel(err)
	}
	return err
}

// nextBlocks is next of handing.
func (s *PackedRun) nextBlocks(first, end uint64, hand func(words []uint64) error) error {
	var blocks []uint64
	for i := first; i < min(end, first+leastBlocks); i++ {
		blocks = append(blocks, i)
	}
	defer s.hand.giveBack(0)
	if err := s.hand.take(blocks, nil); err != nil {
		s.store.fail(err)
		return err
	}
	for _, i := range blocks {
		if err := hand(s.hand.at(i)); err != nil {
			return err
		}
	}
	return nil
}

// packedWork is the work of a Run.
type packedWork struct {
	*PackedRun
	threads int
	leases  []*lease
}

// Stages implements statespace.Work.
func (w *packedWork) Stages() int { return w.feeds.Stages() }

// group returns how many blocks of a stage a task has. Neighbours share sources.
func (w *packedWork) group(stage int) int {
	const groupBytes, leastGroup, mostGroup = 4 << 20, 64, 1024
	blocks := int(w.feeds.Begin(stage+1) - w.feeds.Begin(stage))
	most := max(leastGroup, min(mostGroup, groupBytes/(8*w.store.words)))
	return max(1, min(most, blocks/(4*w.threads)))
}

// Tasks implements statespace.Work.
func (w *packedWork) Tasks(stage int) int {
	group := w.group(stage)
	return (int(w.feeds.Begin(stage+1)-w.feeds.Begin(stage)) + group - 1) / group
}

// Weight implements statespace.WeightedWork: what it takes to make and to pack the blocks of a task, and to
// unpack their sources, as run/blocks.go predicts it. It looks at the task in the middle of the stage.
func (w *packedWork) Weight(stage int) int64 {
	const pack, unpack = 150, 32
	first, end, group := w.feeds.Begin(stage), w.feeds.Begin(stage+1), uint64(w.group(stage))
	middle := packedWorker{packedWork: w}
	at := first + (end-first)/2/group*group
	middle.list(at, min(group, end-at))
	return int64(pack*len(middle.blocks)+unpack*len(middle.sources)) * int64(group) / int64(len(middle.blocks))
}

// NewWorker implements statespace.Work.
func (w *packedWork) NewWorker() statespace.Worker {
	l := w.store.newLease()
	w.leases = append(w.leases, l)
	return &packedWorker{packedWork: w, lease: l, most: 16}
}

type packedWorker struct {
	*packedWork
	lease   *lease
	sources []uint64
	blocks  []uint64
	most    uint64 // blocks for which there was room last
}

// Do implements statespace.Worker.
func (w *packedWorker) Do(stage, task int) {
	group := uint64(w.group(stage))
	at := w.feeds.Begin(stage) + uint64(task)*group
	last := min(at+group, w.feeds.Begin(stage+1))
	room := w.store.room() / (w.threads + 1)
	for at < last {
		w.making.Lock()
		failed := w.failure != nil
		w.making.Unlock()
		if failed {
			return
		}
		n := min(last-at, 2*w.most)
		for w.list(at, n); len(w.sources)+len(w.blocks) > room && n > 1; {
			n = (n + 1) / 2
			w.list(at, n)
		}
		w.most = n
		if err := w.make(); err != nil {
			w.fail(err)
			return
		}
		at += n
	}
}

// list lists n blocks and their sources.
func (w *packedWorker) list(at, n uint64) {
	w.sources, w.blocks = w.sources[:0], w.blocks[:0]
	for i := at; i < at+n; i++ {
		w.sources, w.blocks = w.feeds.Sources(w.sources, i), append(w.blocks, i)
	}
	slices.Sort(w.sources)
	w.sources = slices.Compact(w.sources)
}

// make makes the blocks that are listed.
func (w *packedWorker) make() error {
	l := w.lease
	defer l.giveBack(w.blocks[len(w.blocks)-1] + 1)
	if err := l.take(w.sources, w.blocks); err != nil {
		return err
	}
	layers, err := l.maker.Make(w.blocks, l.at)
	if err != nil {
		return err
	}
	for _, i := range w.blocks {
		if err := l.pack(i, l.at(i)); err != nil {
			return err
		}
	}
	l.ready(w.blocks)
	w.making.Lock()
	defer w.making.Unlock()
	w.stage.Add(layers)
	return nil
}

// fail ends the run.
func (s *PackedRun) fail(err error) {
	s.making.Lock()
	defer s.making.Unlock()
	if s.failure == nil {
		s.failure = err
		s.cancel(err)
		s.store.fail(err)
	}
}
