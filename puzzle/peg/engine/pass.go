package engine

import (
	"slices"
	"sync"

	"pagoda/internal/gf2"
	"pagoda/puzzle/peg/layout"
	"pagoda/statespace"
)

// A pass is the work of making the blocks of a schedule, once each. The memory holds a
// whole set, in which the roots are members, or it is a ring.
type pass struct {
	*blocks
	*schedule
	kernel   *kernel
	pulls    []blockPull // the jumps from one block to another
	filter   pullFilter
	programs []program // by the state of the pivots inside a block

	memory []uint64
	ring   *ring // nil: memory has all blocks, by number
}

// maxCompilers bounds the goroutines that compile programs. Boards of odd shapes have 2^17 of
// these.
const maxCompilers = 64

// newPass compiles what a pass does to each block. The caller gives it a schedule and
// memory.
func newPass(b *blocks, l *layout.Layout, k *kernel) *pass {
	p := &pass{blocks: b, kernel: k}
	for _, j := range l.Leaving() {
		p.pulls = append(p.pulls, p.newPull(j, k.pull != nil))
	}
	p.filter = newPullFilter(p.pulls)
	p.programs = newPrograms(b, l)
	return p
}

// newPrograms compiles the programs of blocks, by the state of the pivots inside.
func newPrograms(b *blocks, l *layout.Layout) []program {
	c := newCompiler(b, l)
	programs := make([]program, 1<<len(b.inside))
	used := b.used()
	var group sync.WaitGroup
	for states := range slices.Chunk(used, 1+len(used)/maxCompilers) {
		group.Go(func() {
			for _, state := range states {
				programs[state] = c.compile(gf2.Deposit(b.inside, uint64(state)))
			}
		})
	}
	group.Wait()
	return programs
}

// Stages implements statespace.Work: a stage is the blocks of one weight.
func (p *pass) Stages() int { return len(p.stages) - 1 }

// Tasks implements statespace.Work: a task is a few blocks that follow one another.
func (p *pass) Tasks(stage int) int {
	return (int(p.stages[stage+1]-p.stages[stage]) + p.taskBlocks() - 1) / p.taskBlocks()
}

// taskBlocks makes a task some 100 us long, so that many threads share a stage. It does not depend on the kernel, so that
// a checkpoint does not.
func (p *pass) taskBlocks() int { return max(maxLanes, 1<<10/p.words) }

// NewWorker implements statespace.Work.
func (p *pass) NewWorker() statespace.Worker {
	w := &worker{pass: p, lanes: make([][]uint64, p.kernel.lanes), scratch: make([]uint64, p.words*p.kernel.lanes), empty: make([]uint64, p.words)}
	if p.ring != nil {
		w.sides, w.arranged, w.tally = p.newSides(), make([]uint64, max(4, p.words)), p.ring.newTally()
	}
	return w
}

// A worker makes blocks. It finds the sources of a block while it makes the one before;
// see lookAhead.
type worker struct {
	*pass
	lanes   [][]uint64 // the blocks that are closed side by side
	scratch []uint64   // their words, interleaved
	empty   []uint64   // a block for a lane without one

	sources    []source    // of the current block
	ahead      []source    // of the block after it
	candidates []candidate // of the block after that
	fetched    uint64      // the result of prefetch.Words

	// With a ring:
	sides    []side   // by 1 + fold
	arranged []uint64 // scratch memory of a blockMap
	tally    *tally
	given    *callerBlocks // what a maker has instead of memory for the ring, or nil
}

// Do implements statespace.Worker.
func (w *worker) Do(stage, task int) {
	first := int(w.stages[stage]) + task*w.taskBlocks()
	w.makeBlocks(first, min(first+w.taskBlocks(), int(w.stages[stage+1])))
}

// makeBlocks makes the blocks of one stage from a place in order to another.
func (w *worker) makeBlocks(first, last int) {
	w.listCandidates(first, last)
	w.lookAhead(first, last)
	for at := first; at < last; {
		program, n := w.program(w.order[at]), 1
		for n < min(len(w.lanes), last-at) && w.program(w.order[at+n]) == program {
			n++
		}
		w.fill(at, n, last, program)
		at += n
	}
}

// fill makes n blocks, from a place in order on, that have the same program. The task
// goes on to last.
func (w *worker) fill(at, n, last, program int) {
	for lane := range w.lanes {
		if lane >= n {
			w.lanes[lane] = w.empty // and it stays empty
			continue
		}
		w.sources, w.ahead = w.ahead, w.sources
		w.lookAhead(at+lane+1, last)
		w.lanes[lane] = w.targetAt(at + lane)
		if w.ring != nil {
			w.begin(w.lanes[lane], at+lane)
		}
		for i := range w.sources {
			from := &w.sources[i]
			words := w.lanes[lane]
			if from.via != 0 {
				words = w.sides[from.via].open()
			}
			w.pull(words, from)
		}
		if w.ring != nil {
			w.mapSidesBack(w.lanes[lane], w.order[at+lane])
		}
	}
	w.kernel.interleave(w.scratch, w.lanes)
	w.kernel.close(&w.programs[program], w.scratch)
	w.kernel.separate(w.scratch, w.lanes)
	if w.ring != nil {
		w.count(w.lanes[:n], at, program)
	}
}

// pull makes the jump from a source into the words of a block.
func (w *worker) pull(words []uint64, from *source) {
	if w.kernel.pull != nil {
		pulls := from.pull.byVectors[from.state]
		for k := range pulls {
			w.kernel.pull(words, from.words, &pulls[k])
		}
		return
	}
	pulls := from.pull.byWords[from.state]
	for k := range pulls {
		pulls[k].pull(words, from.words)
	}
}

// wordsAt returns the words of the block at a place in order.
func (p *pass) wordsAt(place int) []uint64 {
	if p.ring != nil {
		return p.inRing(uint32(place))
	}
	return p.of(p.memory, uint64(p.order[place]))
}

// inRing returns the words of the block at a place in order, if there is a ring.
func (p *pass) inRing(place uint32) []uint64 { return p.of(p.memory, uint64(place%p.ring.slots)) }
