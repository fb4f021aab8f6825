package peg

import (
	"math/bits"
	"slices"
	"sync"
	"unsafe"

	"pagoda/statespace"
)

// sweep enumerates a class in blocks of falling weight; see Layout. The number of
// a position is its block, which is the filling of the cells outside
// Layout.Block, followed by blockBits bits for the filling of the block. A block
// first takes in what jumps into it from other blocks, all of them heavier; then
// it is closed under the jumps inside it; then it is final.
//
// The blocks lie in a whole set, or in a ring: see stream.
type sweep struct {
	*blocks
	kernel *kernel
	layout *Layout
	memory []uint64
	ring   *ring // nil: memory has all blocks, by number

	pulls    []blockPull // the jumps that leave the block
	choice   choice
	programs []program // by the state of the pivots inside
	*plan
}

// A program closes a block under the jumps inside it: a list of runs, each of
// which brings one word up to date.
type program struct {
	runs  []run
	pulls []pull
	steps []step // shared by the runs
}

// A run takes in pulls from other words of the block, then goes through steps
// within its word.
type run struct {
	word        uint32
	pulls       uint32 // how many, following those of the run before
	first, last uint32 // steps
}

// A pull makes a jump from another word.
type pull struct {
	mask uint64 // where the jump can lead to
	turn uint32 // the other word is rotated left by this
	word uint32 // the other word
}

// A step makes a jump within a word.
type step struct {
	mask uint64 // where the jump can lead to
	turn int    // the word is rotated left by this
}

// sweepMemory returns about how many bytes a sweep takes besides the set or the ring.
func sweepMemory(dim int, l *Layout) uint64 {
	return max(maxPrograms, uint64(l.programs)) + 11<<(dim-l.blockBits) // newPlan: 4, 4, 2 and 1 byte a block at most
}

// maxOuterBits bounds the bits that number a block.
const maxOuterBits = 31

// newSweep returns the work of filling a set, in which just the roots are members.
func newSweep(c *Class, l *Layout, k *kernel, roots []uint64, set []uint64) *sweep {
	s := &sweep{blocks: newBlocks(c, l.blockBits, l.Block), kernel: k, layout: l, memory: set}
	s.plan = newPlan(s.blocks, l, roots, false, nil)
	s.compile()
	return s
}

func (s *sweep) compile() {
	for _, j := range s.layout.leaving(s.class.board) {
		s.pulls = append(s.pulls, s.pull(j, s.kernel.pull != nil))
	}
	s.choice = newChoice(s.pulls)
	var within []wordJump // jumps inside the block that leave the group
	for k := range s.class.board.Jumps() {
		if j := s.class.board.Jump(k); j.mask()&^s.layout.Block == 0 && j.mask()&^s.layout.Group != 0 {
			within = append(within, s.wordJump(j))
		}
	}
	var closing []wordJump
	for _, j := range s.layout.Closing {
		closing = append(closing, s.wordJump(j))
	}
	s.programs = make([]program, 1<<len(s.inside))
	var group sync.WaitGroup
	for state := range s.programs {
		group.Go(func() {
			s.programs[state] = s.compileProgram(within, closing, scatter(s.inside, uint64(state)))
		})
	}
	group.Wait()
}

// A wordJump is a jump as it is made on words of a block: from word ^ flip, rotated left by
// turn.
type wordJump struct {
	Jump
	flip uint64
	turn int
}

func (s *sweep) wordJump(j Jump) wordJump {
	return wordJump{j, s.class.flip(j) >> 6, s.class.turn(j)}
}

// compileProgram writes the program for blocks in which the given pivots inside
// have pegs where the block's own bits are 0.
func (s *sweep) compileProgram(within, closing []wordJump, pivots Position) program {
	l, masks := s.layout, s.masks
	first := func(word uint64) Position { return s.firsts[word] ^ pivots }
	groupBits := l.groupBits
	weight := func(group uint32) (w int) {
		x := uint64(group) << groupBits
		for cell := range setBits(l.Block &^ l.Group) {
			w += l.GroupWeights[cell] * int(masks.pegs(cell, first(x>>6))>>(x&63)&1)
		}
		return w
	}
	groups := make([]uint32, 1<<(l.blockBits-groupBits))
	heavy := make([]int, len(groups))
	for g := range groups {
		groups[g], heavy[g] = uint32(g), weight(uint32(g))
	}
	slices.SortStableFunc(groups, func(a, b uint32) int { return heavy[b] - heavy[a] })

	n := uint64(1) << max(0, groupBits-6) // words in a group
	b := programBuilder{known: make(map[string]uint32), pending: make([]pendingRun, n)}
	for _, g := range groups {
		part := ^uint64(0) // of a word that holds several groups
		if groupBits < 6 {
			part = (1<<(1<<groupBits) - 1) << (g << groupBits & 63)
		}
		b.first = uint64(g) << groupBits >> 6
		for w := b.first; w < b.first+n; w++ {
			for _, j := range within {
				from := w ^ j.flip
				if mask := masks.canJump(j.Jump, l.Block, first(from)) & bits.RotateLeft64(part, -j.turn); mask != 0 {
					b.pull(w, from, mask, j.turn)
				}
			}
		}
		for _, j := range closing {
			for from := b.first; from < b.first+n; from++ {
				mask := masks.canJump(j.Jump, l.Block, first(from)) & part
				switch {
				case mask == 0:
				case j.flip == 0:
					b.step(from, mask, j.turn)
				default:
					b.flush(from)
					b.pull(from^j.flip, from, mask, j.turn)
				}
			}
		}
		for w := b.first; w < b.first+n; w++ {
			b.flush(w)
		}
	}
	return b.program
}

// A programBuilder collects the jumps into the words of a group, and makes runs of
// them.
type programBuilder struct {
	program
	first   uint64            // word of the group
	pending []pendingRun      // by word of the group
	known   map[string]uint32 // where a list of steps begins, by its bytes
}

type pendingRun struct {
	pulls []pull
	steps []step
}

// pull adds a jump from a word that is up to date. The mask is where the jump can be
// made.
func (b *programBuilder) pull(to, from, mask uint64, turn int) {
	p := &b.pending[to-b.first]
	if len(p.steps) > 0 {
		b.flush(to) // pulls come first in a run
	}
	p.pulls = append(p.pulls, pull{bits.RotateLeft64(mask, turn), uint32(turn), uint32(from)})
}

// step adds a jump within a word. The mask is where it can be made.
func (b *programBuilder) step(word, mask uint64, turn int) {
	p := &b.pending[word-b.first]
	p.steps = append(p.steps, step{bits.RotateLeft64(mask, turn), turn})
}

// flush brings a word up to date: it ends its run.
func (b *programBuilder) flush(word uint64) {
	p := &b.pending[word-b.first]
	if len(p.pulls) == 0 && len(p.steps) == 0 {
		return
	}
	r := run{word: uint32(word), pulls: uint32(len(p.pulls))}
	b.pulls = append(b.pulls, p.pulls...)
	if len(p.steps) > 0 {
		bytes := unsafe.Slice((*byte)(unsafe.Pointer(&p.steps[0])), len(p.steps)*int(unsafe.Sizeof(step{})))
		first, ok := b.known[string(bytes)]
		if !ok {
			first = uint32(len(b.steps))
			b.steps = append(b.steps, p.steps...)
			b.known[string(bytes)] = first
		}
		r.first, r.last = first, first+uint32(len(p.steps))
	}
	b.runs = append(b.runs, r)
	p.pulls, p.steps = p.pulls[:0], p.steps[:0]
}

// A weigher sums the weights of the pegs of a position.
type weigher [8][256]int

func newWeigher(weights []int) *weigher {
	var t weigher
	for cell, w := range weights {
		row, b := &t[cell/8], 1<<(cell%8)
		for x := range row {
			if x&b != 0 {
				row[x] += w
			}
		}
	}
	return &t
}

func (t *weigher) weight(p Position) int {
	return t[0][byte(p)] + t[1][byte(p>>8)] + t[2][byte(p>>16)] + t[3][byte(p>>24)] +
		t[4][byte(p>>32)] + t[5][byte(p>>40)] + t[6][byte(p>>48)] + t[7][byte(p>>56)]
}

// Stages implements statespace.Work: a stage is the blocks of one weight.
func (s *sweep) Stages() int { return len(s.stages) - 1 }

// Tasks implements statespace.Work: a task is a few blocks that lie together.
func (s *sweep) Tasks(stage int) int {
	return (int(s.stages[stage+1]-s.stages[stage]) + s.taskBlocks() - 1) / s.taskBlocks()
}

// taskBlocks makes a task some 100 us long. It does not depend on the kernel, so that
// a checkpoint does not.
func (s *sweep) taskBlocks() int { return max(maxLanes, 1<<14/s.words) }

// NewWorker implements statespace.Work.
func (s *sweep) NewWorker() statespace.Worker {
	w := &sweeper{sweep: s, lanes: make([][]uint64, s.kernel.lanes), scratch: make([]uint64, s.words*s.kernel.lanes), empty: make([]uint64, s.words)}
	if s.ring != nil {
		w.sides, w.arranged, w.tally = s.newSides(), make([]uint64, max(4, s.words)), s.ring.newTally()
	}
	return w
}

type sweeper struct {
	*sweep
	lanes    [][]uint64 // the blocks that are closed side by side
	scratch  []uint64   // their words, word by word
	empty    []uint64   // a block for a lane without one
	sources  []source   // of the block at hand
	ahead    []source   // of the block after it
	chosen   []chosen   // for the block after that
	fetched  uint64     // see prefetch
	sides    []side     // by fold and 1
	arranged []uint64   // see blockMap
	tally    *tally
}

// A source is a block that a blockPull comes from.
type source struct {
	words []uint64
	pull  *blockPull
	state uint64 // of its pivots
	via   uint8  // 0, or 1 more than the fold that has taken the source there
}

// Do implements statespace.Worker.
func (s *sweeper) Do(stage, task int) {
	first := int(s.stages[stage]) + task*s.taskBlocks()
	last := min(first+s.taskBlocks(), int(s.stages[stage+1]))
	s.choose(first, last)
	s.lookAhead(first, last)
	for at := first; at < last; {
		program, n := s.program(s.order[at]), 1
		for n < min(len(s.lanes), last-at) && s.program(s.order[at+n]) == program {
			n++
		}
		s.fill(at, n, last, program)
		at += n
	}
}

// fill makes n blocks final, which have the same program. They are at this place in order;
// the task goes on to last.
func (s *sweeper) fill(at, n, last, program int) {
	for lane := range s.lanes {
		if lane >= n {
			s.lanes[lane] = s.empty // and it stays empty
			continue
		}
		s.sources, s.ahead = s.ahead, s.sources
		s.lookAhead(at+lane+1, last)
		s.lanes[lane] = s.place(at + lane)
		if s.ring != nil {
			s.begin(s.lanes[lane], at+lane)
		}
		for i := range s.sources {
			from := &s.sources[i]
			words := s.lanes[lane]
			if from.via != 0 {
				words = s.sides[from.via].open()
			}
			s.pull(words, from)
		}
		if s.ring != nil {
			s.foldSides(s.lanes[lane], s.order[at+lane])
		}
	}
	s.kernel.interleave(s.scratch, s.lanes)
	s.kernel.run(&s.programs[program], s.scratch)
	s.kernel.separate(s.scratch, s.lanes)
	if s.ring != nil {
		s.count(s.lanes[:n], at, program)
	}
}

// pull makes the jumps from a source to the words of a block.
func (s *sweeper) pull(words []uint64, from *source) {
	if s.kernel.pull != nil {
		parts := from.pull.vectors[from.state]
		for k := range parts {
			s.kernel.pull(words, from.words, &parts[k])
		}
		return
	}
	parts := from.pull.parts[from.state]
	for k := range parts {
		parts[k].pull(words, from.words)
	}
}

// place returns the words of the block at a place in order.
func (s *sweep) place(i int) []uint64 {
	if s.ring != nil {
		return s.of(s.memory, uint64(uint32(i)%s.ring.slots))
	}
	return s.of(s.memory, uint64(s.order[i]))
}

// lookAhead finds the sources of the block at a place in order, if that is before last.
// They are scattered over memory: asked for now, they are there when the block's turn
// comes. So are the places where they lie: they are asked for a block earlier.
func (s *sweeper) lookAhead(at, last int) {
	s.ahead = s.ahead[:0]
	if at < last {
		block := s.order[at]
		outside := s.outside(uint64(block))
		for _, c := range s.chosen {
			from := source{pull: &s.pulls[c.pull]}
			switch {
			case s.ring == nil:
				from.words, from.state = s.of(s.memory, uint64(block)^from.pull.flip), gather(from.pull.pivots, outside)
			case c.place == 0:
				continue
			default:
				s.find(&from, c, block, outside)
			}
			s.fetched |= prefetch(from.words[:min(len(from.words), maxPrefetch)])
			s.ahead = append(s.ahead, from)
		}
	}
	s.choose(at+1, last)
}

// A chosen is a pull that leads to a block, and where its source is; see plan.places.
type chosen struct{ pull, place uint32 }

// choose lists the pulls that lead to the block at a place in order, if that is before last.
func (s *sweeper) choose(at, last int) {
	s.chosen = s.chosen[:0]
	if at >= last {
		return
	}
	block := s.order[at]
	outside := s.outside(uint64(block))
	for i := 0; i < len(s.pulls); i += 64 {
		for which := s.choice.of(i, outside); which != 0; which &= which - 1 {
			c := chosen{pull: uint32(i + bits.TrailingZeros64(which))}
			if s.ring != nil {
				c.place = s.places[s.entry(block^uint32(s.pulls[c.pull].flip))]
			}
			s.chosen = append(s.chosen, c)
		}
	}
}

// A choice tells which of some pulls lead to a block. To ask each of them takes longer
// than to make them, where blocks are small.
type choice [][8][256]uint64 // of 64 pulls each: by a byte of a position, which do as far as it tells

func newChoice(pulls []blockPull) choice {
	c := make(choice, (len(pulls)+63)/64)
	for i, p := range pulls {
		for k := range 8 {
			cells, want := byte(p.cells>>(8*k)), byte(p.want>>(8*k))
			for x := range 256 {
				if byte(x)&cells == want {
					c[i/64][k][x] |= 1 << (i % 64)
				}
			}
		}
	}
	return c
}

// of returns a bit for each of the 64 pulls from i on that leads to a block, whose first
// position is given.
func (c choice) of(i int, p Position) uint64 {
	t := &c[i/64]
	return t[0][byte(p)] & t[1][byte(p>>8)] & t[2][byte(p>>16)] & t[3][byte(p>>24)] &
		t[4][byte(p>>32)] & t[5][byte(p>>40)] & t[6][byte(p>>48)] & t[7][byte(p>>56)]
}

// maxPrefetch bounds the words that are fetched ahead of each source, so that all
// fit a second-level cache. In longer ones the processor sees the sequence itself.
const maxPrefetch = 1024
