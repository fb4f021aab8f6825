package engine

import (
	"math/bits"
	"slices"

	"pagoda/internal/gf2"
	"pagoda/internal/prefetch"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/layout"
	"pagoda/statespace"
)

// A slabPass is the work of making the blocks of slabs in a ring. It implements statespace.Stream.
//
// Blocks are small here, so that it takes longer to find the sources of a block than to pull from
// them. Whatever is the same for all blocks of a slab in a stage is found once; see slabStage.
type slabPass struct {
	*slabs
	counter
	kernel   *kernel
	pulls    []slabPull
	filter   pullFilter
	programs []program
	folds    []slabFold

	memory    []uint64
	slots     uint64 // the block at a place lies in slot place % slots
	root      uint64
	rootPlace uint64
}

// A slabPull is a jump from one block to another, seen from the block it leads to.
type slabPull struct {
	cells, want uint64   // it leads to the blocks that have these pegs in these cells
	flip        uint64   // source block ^ flip is the block
	loss        int      // of weight
	word        int      // source word ^ word is the word
	turn        int      // which is rotated left by this
	masks       []uint64 // by program and word: where the jump can lead to
}

// A slabFold is a symmetry of the start, compiled for small blocks.
type slabFold struct {
	*board.Symmetry
	*blockMap
	pulls []int          // by pull: its image
	rest  [3][256]uint32 // by byte of a filling of the rest: what it flips in that of the image
	// By program of a block: that of its image, and where its number 0 is taken to.
	programs []uint8
	zeros    []uint64
}

// newSlabPass returns the work of making blocks, in memory for at least those of the window.
func newSlabPass(s *slabs, k *kernel, start board.Position, memory []uint64) *slabPass {
	p := &slabPass{slabs: s, kernel: k, memory: memory}
	p.counter = counter{kinds: newKinds(s.blocks), folds: len(s.symmetries)}
	p.programs = newPrograms(s.blocks, s.layout)
	jumps := s.layout.Leaving()
	weigher := layout.NewWeigher(s.layout.BlockWeights)
	var filtered []blockPull
	for _, j := range jumps {
		pull := slabPull{flip: s.class.Flip(j) >> s.bits, turn: s.class.Turn(j), word: int(s.class.Flip(j) >> 6 & uint64(s.words-1)),
			loss: weigher.Weight(1<<j.From|1<<j.Over) - weigher.Weight(1<<j.To)}
		outside := j.Mask() &^ s.cells
		pull.cells, pull.want = outside, 1<<j.To&outside
		for program := range 1 << len(s.inside) {
			pivots := gf2.Deposit(s.inside, uint64(program))
			for _, first := range s.firsts {
				pull.masks = append(pull.masks, s.masks.Jumped(j, s.cells, first^pivots))
			}
		}
		p.pulls = append(p.pulls, pull)
		filtered = append(filtered, blockPull{cells: pull.cells, want: pull.want})
	}
	p.filter = newPullFilter(filtered)
	of := blocksByProgram(s.blocks)
	for _, f := range s.symmetries {
		p.folds = append(p.folds, p.newFold(f, jumps, of))
	}
	p.slots = min(uint64(len(memory)/s.words), max(1, s.total()))
	p.root, _ = s.class.Number(start)
	p.rootPlace, _, _ = s.place(p.root >> s.bits)
	return p
}

// blocksByProgram returns a block for each program that has any.
func blocksByProgram(b *blocks) map[int]uint64 {
	of := map[int]uint64{b.programOf(0): 0}
	// Each bit of a number flips the same bits of the program in all blocks.
	for bit := range b.class.Dim() - b.bits {
		for _, block := range of {
			block ^= 1 << bit
			if program := b.programOf(block); of[program] == 0 && program != b.programOf(0) {
				of[program] = block
			}
		}
	}
	return of
}

// newFold compiles a symmetry.
func (p *slabPass) newFold(s *board.Symmetry, jumps []board.Jump, of map[int]uint64) slabFold {
	f := slabFold{Symmetry: s, blockMap: newBlockMap(s.Columns()[:p.bits]), pulls: jumpImages(jumps, s)}
	for i := range f.rest {
		for x := range f.rest[i] {
			if rest := uint64(x) << (8 * i); rest < 1<<len(p.ofRest.at) {
				f.rest[i][x] = uint32(p.ofRest.of((s.Map(p.ofRest.back(rest)<<p.bits) ^ s.Map(0)) >> p.bits))
			}
		}
	}
	f.programs, f.zeros = make([]uint8, 1<<len(p.inside)), make([]uint64, 1<<len(p.inside))
	for program, block := range of {
		image := s.Map(block << p.bits)
		f.programs[program] = uint8(p.programOf(image >> p.bits))
		f.zeros[program] = image & (1<<p.bits - 1)
	}
	return f
}

// Stages implements statespace.Work.
func (p *slabPass) Stages() int { return p.stages() }

// slabTask is the blocks of a task: it takes about a millisecond.
const slabTask = 1 << 11

// Tasks implements statespace.Work.
func (p *slabPass) Tasks(stage int) int {
	return int((p.begins[stage+1] - p.begins[stage] + slabTask - 1) / slabTask)
}

// taskBegin returns the first block of a task, and taskEnd the one behind its last.
func (s *slabs) taskBegin(stage, task int) uint64 { return s.begins[stage] + uint64(task)*slabTask }

func (s *slabs) taskEnd(stage, task int) uint64 {
	return min(s.taskBegin(stage, task+1), s.begins[stage+1])
}

// taskAt returns the stage and the task that make the block at a place.
func (s *slabs) taskAt(place uint64) (stage, task int) {
	stage = s.stageAt(place)
	return stage, int((place - s.begins[stage]) / slabTask)
}

// Begin implements statespace.Stream.
func (p *slabPass) Begin(stage int) uint64 { return p.begins[stage] }

// Needs implements statespace.Stream.
func (p *slabPass) Needs(stage int) uint64 { return p.needs[stage] }

// Words implements statespace.Stream.
func (p *slabPass) Words(place uint64) []uint64 { return p.blocks.of(p.memory, place%p.slots) }

// Layers implements statespace.Stream.
func (p *slabPass) Layers() []statespace.Layer { return p.layers() }

// SetLayers implements statespace.Stream.
func (p *slabPass) SetLayers(layers []statespace.Layer) error { return p.setLayers(p.class, layers) }

// NewWorker implements statespace.Work.
func (p *slabPass) NewWorker() statespace.Worker {
	w := &slabWorker{slabPass: p, tally: p.newTally(), scratch: make([]uint64, p.words*p.kernel.lanes), arranged: make([]uint64, max(4, p.words))}
	w.sides = make([]slabSide, 1+len(p.folds))
	for i := range w.sides {
		w.sides[i].words = make([]uint64, p.words*p.kernel.lanes)
	}
	w.images = make([]uint32, 1+len(p.folds))
	w.stage.pulls = make([]stagePull, len(p.pulls))
	w.stage.active = make([]uint64, len(p.filter))
	for i := range w.batches {
		most := p.kernel.lanes * len(p.pulls)
		w.batches[i].sources, w.batches[i].at = make([]slabSource, most), make([]uint64, most)
	}
	return w
}

// A slabWorker makes blocks, a batch at a time. It finds the sources of a batch while it makes the
// one before.
type slabWorker struct {
	*slabPass
	tally    *tally
	stage    slabStage
	batches  [2]batch
	sides    []slabSide // by 1 + fold; the first is the blocks themselves
	images   []uint32   // by 1 + fold: the filling of the rest of the image of a block
	scratch  []uint64   // blocks side by side
	arranged []uint64   // scratch memory of a blockMap
	fetched  uint64     // the result of prefetch.Words
}

// A slabStage is what all blocks of a slab in a stage have in common.
type slabStage struct {
	pulls  []stagePull
	active []uint64 // the pulls that can lead to these blocks
	vias   []uint8  // what they use
}

// A stagePull is a pull into the blocks of a slab in a stage. All its sources are in one slab and one
// stage.
type stagePull struct {
	slot  uint64 // of the first block there
	ranks []uint32
	flip  uint32 // image ^ flip is the filling of the rest of the source
	via   uint8  // 1 + the fold that takes the source to the slab that is made; 0 for none
	pull  *slabPull
}

// A batch is blocks of a slab and a stage that lie side by side and have the same program.
type batch struct {
	slab, program int
	place         uint64 // of the first
	lanes         int
	pegs          [maxLanes]uint8 // outside the blocks
	sources       []slabSource
	at            []uint64 // by source: its first word in memory
}

// A slabSource is a block that is pulled from.
type slabSource struct {
	pull *slabPull
	via  uint8
	lane uint8
}

// A slabSide collects the jumps into images of the blocks of a batch.
type slabSide struct {
	words []uint64
	used  uint8 // the lanes
}

// Do implements statespace.Worker.
func (w *slabWorker) Do(stage, task int) {
	place, last := w.taskBegin(stage, task), w.taskEnd(stage, task)
	slab, begin := w.slabAt(stage, place)
	before := &w.batches[0] // a batch whose sources are found
	before.lanes = 0
	for next := 1; place < last; slab++ {
		fillings := w.slabs.fillings(slab, w.stages()-1-stage)
		end := min(last, begin+uint64(len(fillings)))
		if place >= end {
			continue
		}
		w.begin(stage, slab)
		for left := fillings[place-begin : end-begin]; len(left) > 0; {
			n := 1
			for n < min(w.kernel.lanes, len(left)) && left[n].program == left[0].program {
				n++
			}
			b := &w.batches[next]
			b.slab, b.program, b.place, b.lanes = slab, w.representatives[slab].program^int(left[0].program), place, n
			w.find(b, left[:n])
			w.make(before)
			before, next = b, next^1
			left, place = left[n:], place+uint64(n)
		}
		begin = place
	}
	w.make(before)
}

// begin makes the worker ready for a slab in a stage.
func (w *slabWorker) begin(stage, slab int) {
	s := &w.representatives[slab]
	clear(w.stage.active)
	w.stage.vias = w.stage.vias[:0]
	var vias uint64
	for k := range w.pulls {
		pull := &w.pulls[k]
		if (s.first^pull.want)&pull.cells&w.slabCells != 0 || pull.loss > stage {
			continue
		}
		w.stage.active[k/64] |= 1 << (k % 64)
		block := s.block ^ pull.flip
		to := w.madeFor[w.ofSlab.of(block)]
		of := stagePull{via: to.via, pull: pull}
		if to.via > 0 {
			f := &w.folds[to.via-1]
			of.pull = &w.pulls[f.pulls[k]]
			block = f.Map(block<<w.bits) >> w.bits
			vias |= 1 << to.via
		}
		of.flip = uint32(w.ofRest.of(block))
		of.ranks = w.orders[w.representatives[to.slab].order].ranks
		of.slot = w.slabBegins[(stage-pull.loss)*len(w.representatives)+int(to.slab)] % w.slots
		w.stage.pulls[k] = of
	}
	for ; vias != 0; vias &= vias - 1 {
		w.stage.vias = append(w.stage.vias, uint8(bits.TrailingZeros64(vias)))
	}
}

// find finds the sources of a batch, and fetches them.
func (w *slabWorker) find(b *batch, fillings []filling) {
	first, active, filter, slots, words := w.representatives[b.slab].first, w.stage.active, w.filter, w.slots, uint64(w.words)
	sources, at := b.sources[:cap(b.sources)], b.at[:cap(b.at)]
	pulls, images := w.stage.pulls, w.images
	n := 0
	for lane := range fillings {
		f := &fillings[lane]
		position := first ^ f.flips
		b.pegs[lane] = uint8(bits.OnesCount64(position &^ w.cells))
		images[0] = f.rest
		for _, via := range w.stage.vias {
			rest := &w.folds[via-1].rest
			images[via] = rest[0][byte(f.rest)] ^ rest[1][byte(f.rest>>8)] ^ rest[2][byte(f.rest>>16)]
		}
		for i := range active {
			for which := filter.leading(64*i, position) & active[i]; which != 0; which &= which - 1 {
				p := &pulls[64*i+bits.TrailingZeros64(which)]
				slot := p.slot + uint64(p.ranks[images[p.via]^p.flip])
				if slot >= slots {
					slot -= slots
				}
				at[n], sources[n] = slot*words, slabSource{p.pull, p.via, uint8(lane)}
				n++
			}
		}
	}
	b.sources, b.at = sources[:n], at[:n]
	w.fetched |= prefetch.At(w.memory, b.at)
}

// make makes the blocks of a batch.
func (w *slabWorker) make(b *batch) {
	if b.lanes == 0 {
		return
	}
	words := w.sides[0].words[:b.lanes*w.words]
	clear(words)
	w.sides[0].used = 1<<b.lanes - 1
	w.pull(b)
	if b.place <= w.rootPlace && w.rootPlace < b.place+uint64(b.lanes) {
		in := w.root & (1<<w.bits - 1)
		words[uint64(w.words)*(w.rootPlace-b.place)+in/64] |= 1 << (in % 64)
	}
	for i := range w.folds {
		side, f := &w.sides[i+1], &w.folds[i]
		for ; side.used != 0; side.used &= side.used - 1 {
			at := bits.TrailingZeros8(side.used) * w.words
			f.collect(&genericKernel, words[at:at+w.words], side.words[at:at+w.words], w.arranged, f.zeros[b.program])
		}
	}
	if slices.ContainsFunc(words, func(w uint64) bool { return w != 0 }) {
		w.closeAndCount(b, words)
	}
	for lane := range b.lanes {
		copy(w.Words(b.place+uint64(lane)), words[lane*w.words:][:w.words])
	}
}

// pull makes the jumps from the sources of a batch.
func (w *slabWorker) pull(b *batch) {
	n := w.words
	var programs [1 + maxImages]int // by via: where the masks begin
	programs[0] = b.program * n
	for i := range w.folds {
		programs[i+1] = int(w.folds[i].programs[b.program]) * n
	}
	for i := range b.sources {
		s := &b.sources[i]
		from := w.memory[b.at[i]:][:n]
		masks, turn, word := s.pull.masks[programs[s.via]:][:n], s.pull.turn, s.pull.word
		if n == 4 {
			from, masks := (*[4]uint64)(from), (*[4]uint64)(masks)
			if from[0]|from[1]|from[2]|from[3] == 0 {
				continue
			}
			to := (*[4]uint64)(w.open(s))
			to[0] |= bits.RotateLeft64(from[word&3], turn) & masks[0]
			to[1] |= bits.RotateLeft64(from[word&3^1], turn) & masks[1]
			to[2] |= bits.RotateLeft64(from[word&3^2], turn) & masks[2]
			to[3] |= bits.RotateLeft64(from[word&3^3], turn) & masks[3]
			continue
		}
		to := w.open(s)
		for i := range to {
			to[i] |= bits.RotateLeft64(from[i^word], turn) & masks[i]
		}
	}
}

// open returns the words that a source is pulled into.
func (w *slabWorker) open(s *slabSource) []uint64 {
	side := &w.sides[s.via]
	to := side.words[int(s.lane)*w.words:][:w.words]
	if side.used>>s.lane&1 == 0 {
		side.used |= 1 << s.lane
		clear(to)
	}
	return to
}

// closeAndCount closes the blocks of a batch under the jumps inside them, and counts them.
func (w *slabWorker) closeAndCount(b *batch, words []uint64) {
	n, lanes := w.words, w.kernel.lanes
	clear(w.scratch)
	for lane := range b.lanes {
		for i := range n {
			w.scratch[i*lanes+lane] = words[lane*n+i]
		}
	}
	w.kernel.close(&w.programs[b.program], w.scratch)
	for lane := range b.lanes {
		for i := range n {
			words[lane*n+i] = w.scratch[i*lanes+lane]
		}
	}
	sums := &w.tally.sums
	pegs := bits.OnesCount64(w.cells) + 1
	clear(sums[:pegs])
	w.kernel.count(sums, w.kinds[b.program], w.scratch)
	s := &w.representatives[b.slab]
	for lane := range b.lanes {
		totals := w.tally.byImages[s.images][b.pegs[lane]:]
		for i := range pegs {
			totals[i] += sums[i][lane]
		}
		if len(s.stabilizer) > 0 {
			first := w.blockAt(b.place+uint64(lane)) * uint64(n)
			least := w.tally.begin(words[lane*n:][:n])
			for _, f := range s.stabilizer {
				keepLeast(least, w.folds[f].Symmetry, first)
			}
			w.tally.addLeast(w.kinds[b.program], int(b.pegs[lane]))
		}
	}
}
