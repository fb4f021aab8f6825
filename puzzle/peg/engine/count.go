package engine

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"sync/atomic"

	"pagoda/internal/gf2"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
	"pagoda/statespace/paths"
)

// ways is the work of counting the paths to the members of a set: its stages are those of the
// sweep. Counts are kept in limbs: the lowest words of all members of a block, then the next
// ones. A block has as many limbs as its largest count needs.
type ways struct {
	*representativeSet
	whole   bool     // the members are all that the start reaches
	first   []uint64 // the paths to the start; 1, but in tests
	layers  bool
	stage   int // there is nothing to count in this stage and later ones
	pulls   []blockPull
	filter  pullFilter
	back    []insideMap // by fold: its inverse
	program []atomic.Pointer[insideProgram]
	kinds   [][]blockKind
	lines   []board.Line

	kept    []blockCounts // of the block at place i: kept[i%len]
	memory  *arena
	to      map[int][]destination // by place
	paths   [][]uint64            // by destination
	tallies []*waysTally
	fault   atomic.Pointer[error]
}

// A blockCounts is the counts of a block. Without members there are none.
type blockCounts struct {
	counts []uint64 // limbs
	limbs  int
}

// A destination is a position whose paths are asked for.
type destination struct {
	inside uint64 // its number in the block
	number int    // in the question
}

// An insideMap is a fold inside blocks: it flips bits of the number of the image.
type insideMap struct {
	*fold
	word []uint32   // by word
	bit  [64]uint32 // by bit of a word
}

// newWays returns the work. The root counts as the given number of paths, lowest word
// first.
func newWays(r *representativeSet, q statespace.WaysQuestion, first []uint64, whole bool, b *budget) *ways {
	w := &ways{representativeSet: r, whole: whole, first: first, layers: q.Layers, stage: len(r.stages) - 1, kinds: newKinds(r.blocks),
		lines: r.class.Board().Lines(), to: make(map[int][]destination), paths: make([][]uint64, len(q.To))}
	for _, j := range r.layout.Leaving() {
		w.pulls = append(w.pulls, r.newPull(j, false))
	}
	w.filter = newPullFilter(w.pulls)
	w.program = make([]atomic.Pointer[insideProgram], 1<<len(r.inside))
	inside := uint64(1)<<r.bits - 1
	for _, k := range inverses(symmetriesOf(r.folds)) {
		m := insideMap{fold: r.folds[k-1]}
		zero := m.Map(0)
		for i := range r.blocks.words {
			m.word = append(m.word, uint32((m.Map(uint64(i)<<6)^zero)&inside))
		}
		for i := range m.bit {
			m.bit[i] = uint32((m.Map(uint64(i)) ^ zero) & inside)
		}
		w.back = append(w.back, m)
	}
	last := 0
	for i, x := range q.To {
		place, in, ok := r.find(x)
		if ok {
			w.to[place] = append(w.to[place], destination{in, i})
			last = max(last, place+1)
		}
	}
	if !q.Layers {
		for w.stage > 0 && int(r.stages[w.stage-1]) >= last {
			w.stage--
		}
	}
	window := uint32(1)
	for stage := range w.stage {
		window = max(window, r.stages[stage+1]-r.needs[stage])
	}
	w.kept = make([]blockCounts, window)
	w.memory = &arena{budget: b, size: max(1<<14, 4<<r.bits)}
	return w
}

// find returns where the representative of a position is: the place of its block, and its number
// there. It returns false if it is not a member.
func (r *representativeSet) find(x uint64) (place int, inside uint64, ok bool) {
	entry := r.places[x>>r.bits]
	if entry == 0 {
		return 0, 0, false
	}
	if via := entry & (1<<r.viaBits - 1); via != 0 {
		x = r.folds[via-1].Map(x)
	}
	place, inside = int(entry>>r.viaBits)-1, x&(1<<r.bits-1)
	return place, inside, r.of(r.set, uint64(place))[inside/64]>>(inside%64)&1 == 1
}

// between gives up the counts that no later stage reads.
func (w *ways) between(done int) error {
	if fault := w.fault.Load(); fault != nil {
		return *fault
	}
	w.memory.release(int(w.needs[done]))
	return nil
}

// answer returns what was asked for, after the work is done.
func (w *ways) answer() *statespace.Ways {
	a := new(statespace.Ways)
	for _, n := range w.paths {
		a.To = append(a.To, paths.Number(n))
	}
	if !w.layers {
		return a
	}
	for pegs := board.MaxCells; pegs >= 0; pegs-- {
		l := statespace.WaysLayer{Layer: pegs, Paths: new(big.Int), Games: new(big.Int)}
		for _, t := range w.tallies {
			for images := range t {
				s := &t[images][pegs]
				n := big.NewInt(int64(images))
				l.States += uint64(images) * s.states
				l.DeadEnds += uint64(images) * s.dead
				l.Paths.Add(l.Paths, new(big.Int).Mul(n, paths.Number(s.paths[:])))
				l.Games.Add(l.Games, new(big.Int).Mul(n, paths.Number(s.games[:])))
			}
		}
		if l.States > 0 {
			a.Layers = append(a.Layers, l)
		}
	}
	return a
}

// An insideProgram says in which order the members of a block are counted, and which jumps lead
// to them from within.
type insideProgram struct {
	levels [][]levelWord  // by number of pegs inside
	jumps  [][]insideJump // by word: those that lead to it
}

// A levelWord is the numbers of a word that have some number of pegs inside.
type levelWord struct {
	mask uint64
	word uint32
}

// An insideJump is a jump within a block, as a pull.
type insideJump struct {
	mask uint64 // where the jump can lead to
	turn int32  // the other word is rotated left by this
	from uint32 // the other word
}

// insideOf returns the program of a number; see blocks.program. It is made when it is needed first.
func (w *ways) insideOf(program int) (*insideProgram, error) {
	if p := w.program[program].Load(); p != nil {
		return p, nil
	}
	p := &insideProgram{levels: make([][]levelWord, bits.OnesCount64(w.cells)+1), jumps: make([][]insideJump, w.blocks.words)}
	for _, k := range w.kinds[program] {
		for n, mask := range k.masks {
			for _, word := range k.words {
				if mask != 0 {
					p.levels[k.common+n] = append(p.levels[k.common+n], levelWord{mask, uint32(word)})
				}
			}
		}
	}
	pivots := gf2.Deposit(w.blocks.inside, uint64(program))
	all := w.class.Board()
	for k := range all.Jumps() {
		j := all.Jump(k)
		if j.Mask()&^w.cells != 0 {
			continue
		}
		flip, turn := w.class.Flip(j)>>6, w.class.Turn(j)
		for word, first := range w.firsts {
			if mask := w.masks.Jumped(j, w.cells, first^pivots); mask != 0 {
				p.jumps[word] = append(p.jumps[word], insideJump{mask, int32(turn), uint32(word) ^ uint32(flip)})
			}
		}
	}
	if w.program[program].CompareAndSwap(nil, p) {
		const bytes = 16 // of a levelWord and of an insideJump
		n := 0
		for _, level := range p.levels {
			n += len(level)
		}
		for _, jumps := range p.jumps {
			n += 2 + len(jumps)
		}
		if err := w.memory.take(uint64(bytes * n)); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// A waysTally is what a worker has summed up: by images of the block, and number of pegs.
type waysTally [maxImages + 1][board.MaxCells + 1]struct {
	states, dead uint64
	paths, games wideSum
}

// maxLimbs bounds the words of a count. A position of 64 cells has at most 256 jumps, one for
// each line of the diagonal lattice, and a game at most 62 of them: that is at most 2^496
// games. With a word more for their sum, nothing overflows.
const maxLimbs = 8

type wideSum [maxLimbs + 1]uint64

// add adds a count. Its word k is at limbs[k][i].
func (s *wideSum) add(limbs [][]uint64, i int) {
	carry := uint64(0)
	for k, p := range limbs {
		s[k], carry = bits.Add64(s[k], p[i], carry)
	}
	for k := len(limbs); carry != 0 && k < len(s); k++ {
		s[k], carry = bits.Add64(s[k], 0, carry)
	}
}

// Stages implements statespace.Work.
func (w *ways) Stages() int { return w.stage }

// Tasks implements statespace.Work: a task is a few blocks that follow one another.
func (w *ways) Tasks(stage int) int {
	return (int(w.stages[stage+1]-w.stages[stage]) + w.taskBlocks() - 1) / w.taskBlocks()
}

func (w *ways) taskBlocks() int { return max(1, 1<<8/w.blocks.words) }

// NewWorker implements statespace.Work.
func (w *ways) NewWorker() statespace.Worker {
	c := &pathCounter{ways: w, tally: new(waysTally), ranks: make([]uint32, w.blocks.words), sourceRanks: make([]uint32, w.blocks.words)}
	w.tallies = append(w.tallies, c.tally)
	return c
}

// A pathCounter counts the paths to the members of blocks.
type pathCounter struct {
	*ways
	tally *waysTally
	chunk *chunk

	// The current block: its words, the members before each, and the limbs of their counts.
	words  []uint64
	ranks  []uint32
	n      int
	counts [][]uint64
	spare  [][]uint64 // limbs of earlier blocks

	// The current source, in the same way.
	source       []uint64
	sourceRanks  []uint32
	sourceCounts [][]uint64
}

// Do implements statespace.Worker.
func (c *pathCounter) Do(stage, task int) {
	first := int(c.stages[stage]) + task*c.taskBlocks()
	for place := first; place < min(first+c.taskBlocks(), int(c.stages[stage+1])); place++ {
		if c.fault.Load() != nil {
			return
		}
		if err := c.count(place); err != nil {
			c.fault.CompareAndSwap(nil, &err)
		}
	}
}

// rank fills in how many members come before each word, and returns their number.
func rank(ranks []uint32, words []uint64) int {
	n := 0
	for i, w := range words {
		ranks[i] = uint32(n)
		n += bits.OnesCount64(w)
	}
	return n
}

// widen adds a limb.
func (c *pathCounter) widen() {
	k := len(c.counts)
	if k == len(c.spare) {
		c.spare = append(c.spare, make([]uint64, 1<<c.bits))
	}
	limb := c.spare[k][:c.n]
	clear(limb)
	c.counts = append(c.counts, limb)
}

// count counts the paths to the members of the block at a place.
func (c *pathCounter) count(place int) error {
	block := c.order[place]
	c.words = c.of(c.set, uint64(place))
	kept := &c.kept[place%len(c.kept)]
	*kept = blockCounts{}
	if c.n = rank(c.ranks, c.words); c.n == 0 {
		return nil
	}
	c.counts = c.counts[:0]
	c.widen()
	if block == uint32(c.root>>c.bits) {
		in := c.root & (1<<c.bits - 1)
		for len(c.counts) < len(c.first) {
			c.widen()
		}
		for k, word := range c.first {
			c.counts[k][c.at(in)] = word
		}
	}
	outside := c.outside(uint64(block))
	for i := 0; i < len(c.pulls); i += 64 {
		for which := c.filter.leading(i, outside); which != 0; which &= which - 1 {
			k := i + bits.TrailingZeros64(which)
			if entry := c.places[block^uint32(c.pulls[k].flip)]; entry != 0 {
				if err := c.pull(k, block, outside, entry); err != nil {
					return err
				}
			}
		}
	}
	if err := c.close(place, block, outside); err != nil {
		return err
	}
	for _, g := range c.to[place] {
		for _, limb := range c.counts {
			c.paths[g.number] = append(c.paths[g.number], limb[c.at(g.inside)])
		}
	}
	return c.keep(place, kept)
}

// at returns which member of the block a number in it is.
func (c *pathCounter) at(inside uint64) int {
	word := inside / 64
	return int(c.ranks[word]) + bits.OnesCount64(c.words[word]&(1<<(inside%64)-1))
}

// pull adds the counts from which a jump leads into the block. The source is where an entry of
// schedule.places says.
func (c *pathCounter) pull(k int, block uint32, outside board.Position, entry uint32) error {
	from := int(entry>>c.viaBits) - 1
	kept := &c.kept[from%len(c.kept)]
	if kept.limbs == 0 {
		return nil
	}
	c.source = c.of(c.set, uint64(from))
	n := rank(c.sourceRanks, c.source)
	c.sourceCounts = c.sourceCounts[:0]
	for i := range kept.limbs {
		c.sourceCounts = append(c.sourceCounts, kept.counts[i*n:][:n])
	}
	for len(c.counts) < kept.limbs {
		c.widen()
	}
	// If the source is not a representative, the jump is made from its representative, into an
	// image of the block; each number is then mapped back.
	var back *insideMap
	side := uint64(0)
	if via := entry & (1<<c.viaBits - 1); via != 0 {
		f := c.folds[via-1]
		image := f.image(block)
		back = &c.back[via-1]
		side = back.Map(uint64(image)<<c.bits) & (1<<c.bits - 1)
		k, outside = f.pulls[k], c.outside(uint64(image))
	}
	pull := &c.pulls[k]
	pulls := pull.byWords[gf2.Extract(pull.pivots, outside)]
	for i := range pulls {
		p := &pulls[i]
		span := uint16(1)
		if p.quads {
			span = 4
		}
		for at := range p.listed(len(c.words)) {
			first := at
			if p.words != nil {
				first = int(p.words[at])
			}
			for word := first; word < first+int(span); word++ {
				m := bits.RotateLeft64(c.source[word^int(p.flip)]&p.mask, p.turn)
				if m == 0 {
					continue
				}
				if back != nil {
					if err := c.addMapped(m, side^uint64(back.word[word]), &back.bit, word^int(p.flip), p.turn); err != nil {
						return err
					}
				} else if err := c.add(m, word, c.source, c.sourceRanks, c.sourceCounts, word^int(p.flip), p.turn); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// listed returns how many words, or fours of them, a part lists; a block has the given number.
func (p *wordPull) listed(block int) int {
	if p.words == nil {
		return block
	}
	return len(p.words)
}

// errMissing says that a jump leads to what is not a member of a whole set.
var errMissing = fmt.Errorf("a jump leads out of the set: %w", statespace.ErrNoPath)

// add adds counts to those of numbers in a word, from numbers in a word of a source.
func (c *pathCounter) add(m uint64, word int, source []uint64, ranks []uint32, counts [][]uint64, from, turn int) error {
	to, of := c.words[word], source[from]
	if m&^to != 0 {
		if c.whole {
			return errMissing
		}
		m &= to
	}
	toRank, ofRank := int(c.ranks[word]), int(ranks[from])
	low, sourceLow := c.counts[0], counts[0]
	if len(counts) > 1 {
		for ; m != 0; m &= m - 1 {
			bit := m & -m
			i := toRank + bits.OnesCount64(to&(bit-1))
			j := ofRank + bits.OnesCount64(of&(bits.RotateLeft64(bit, -turn)-1))
			if err := c.addWide(i, counts, j); err != nil {
				return err
			}
		}
		return nil
	}
	for ; m != 0; m &= m - 1 {
		bit := m & -m
		i := toRank + bits.OnesCount64(to&(bit-1))
		j := ofRank + bits.OnesCount64(of&(bits.RotateLeft64(bit, -turn)-1))
		sum, carry := bits.Add64(low[i], sourceLow[j], 0)
		low[i] = sum
		if carry != 0 {
			if err := c.carry(i, 1); err != nil {
				return err
			}
		}
	}
	return nil
}

// addMapped adds counts to those of numbers to which a map takes the numbers in a word of an image
// of the block. Base is where it takes the first of them, and flips is what their bits flip.
func (c *pathCounter) addMapped(m, base uint64, flips *[64]uint32, from, turn int) error {
	of, ofRank := c.source[from], int(c.sourceRanks[from])
	for ; m != 0; m &= m - 1 {
		bit := bits.TrailingZeros64(m)
		inside := base ^ uint64(flips[bit])
		if c.words[inside/64]>>(inside%64)&1 == 0 {
			if c.whole {
				return errMissing
			}
			continue
		}
		j := ofRank + bits.OnesCount64(of&(bits.RotateLeft64(1<<bit, -turn)-1))
		if err := c.addWide(c.at(inside), c.sourceCounts, j); err != nil {
			return err
		}
	}
	return nil
}

// addWide adds a count to that of member i of the block.
func (c *pathCounter) addWide(i int, counts [][]uint64, j int) error {
	carry := uint64(0)
	for k, limb := range counts {
		p := c.counts[k]
		p[i], carry = bits.Add64(p[i], limb[j], carry)
	}
	if carry != 0 {
		return c.carry(i, len(counts))
	}
	return nil
}

// carry adds 1 to the words of a count from limb k on. There is a new limb if they overflow.
func (c *pathCounter) carry(i, k int) error {
	for carry := uint64(1); carry != 0; k++ {
		if k == maxLimbs {
			return fmt.Errorf("a position of %s has too many paths to count", c.class.Board().FormatPosition(c.class.Position(c.root)))
		}
		if k == len(c.counts) {
			c.widen()
		}
		c.counts[k][i], carry = bits.Add64(c.counts[k][i], 0, carry)
	}
	return nil
}

// close adds what jumps inside the block bring: numbers with more pegs come first. Then a number
// is done, and is summed up.
func (c *pathCounter) close(place int, block uint32, outside board.Position) error {
	program, err := c.insideOf(c.blocks.program(block))
	if err != nil {
		return err
	}
	tally := c.tally[c.images[place]][bits.OnesCount64(outside&^c.cells):]
	for pegs := len(program.levels) - 1; pegs >= 0; pegs-- {
		sum := &tally[pegs]
		for _, l := range program.levels[pegs] {
			members := c.words[l.word] & l.mask
			if members == 0 && !c.whole {
				continue
			}
			jumps := program.jumps[l.word]
			for i := range jumps {
				j := &jumps[i]
				if m := bits.RotateLeft64(c.words[j.from], int(j.turn)) & j.mask & l.mask; m != 0 {
					if err := c.add(m, int(l.word), c.words, c.ranks, c.counts, int(j.from), int(j.turn)); err != nil {
						return err
					}
				}
			}
			if members == 0 || !c.layers {
				continue
			}
			sum.states += uint64(bits.OnesCount64(members))
			first := int(c.ranks[l.word])
			for m := members; m != 0; m &= m - 1 {
				sum.paths.add(c.counts, first+bits.OnesCount64(c.words[l.word]&(m&-m-1)))
			}
			for m := c.masks.Stuck(c.lines, members, outside^c.firsts[l.word]); m != 0; m &= m - 1 {
				sum.dead++
				sum.games.add(c.counts, first+bits.OnesCount64(c.words[l.word]&(m&-m-1)))
			}
		}
	}
	return nil
}

// keep keeps the counts of the block. Each member of a set has a path.
func (c *pathCounter) keep(place int, r *blockCounts) error {
	for i := range c.n {
		any := uint64(0)
		for _, limb := range c.counts {
			any |= limb[i]
		}
		if any == 0 {
			return fmt.Errorf("no jump leads to a position of the set: %w", statespace.ErrNoPath)
		}
	}
	for last := len(c.counts) - 1; last > 0 && !slices.ContainsFunc(c.counts[last], func(w uint64) bool { return w != 0 }); last-- {
		c.counts = c.counts[:last]
	}
	counts, err := c.memory.alloc(&c.chunk, c.n*len(c.counts), place)
	if err != nil {
		return err
	}
	for k, limb := range c.counts {
		copy(counts[k*c.n:], limb)
	}
	r.counts, r.limbs = counts, len(c.counts)
	return nil
}
