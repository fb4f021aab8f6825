package peg

import (
	"cmp"
	"math/bits"
	"slices"
)

// A Layout says how the sweep orders a board: which cells make the inside of a
// block and the inside of a group, and the weights that order the blocks, and in
// a block the groups. It depends on the board and on the symmetries that are to take
// blocks to blocks.
type Layout struct {
	// Block is the set of cells inside a block. It is closed: a line whose middle
	// is in it lies wholly in it. The symmetries take it to itself.
	Block uint64
	// Group is a subset of Block, closed under the lines inside Block.
	Group uint64
	// BlockWeights holds a weight for each cell outside Block, 0 for the others.
	// Every jump whose line does not lie wholly in Block loses weight. The symmetries
	// take each cell to one of its weight.
	BlockWeights []int
	// Drop is the most that a jump loses.
	Drop int
	// GroupWeights holds a weight for each cell of Block outside Group, 0 for the
	// others. Every jump whose line lies in Block but not in Group loses weight.
	GroupWeights []int
	// Closing lists jumps in Group. Tried once each, in this order, they close
	// any set of positions under the jumps of Group.
	Closing []Jump
	// Free lists the free cells by bit: those of Group, the others of Block, the
	// rest. Pivots are in Group if they can be, else in Block.
	Free []int
	// Cost estimates the work for a word of 64 positions, in 64ths of a machine
	// instruction: whole numbers, so that every machine takes the same layout.
	Cost int

	blockBits, groupBits int
	programs             int // bytes, at most
	board                *Board
	symmetries           [][]int // with the identity
}

const (
	// A block has at least a word, and at most so many that the four blocks that
	// are worked on at a time, and a source, fit a second-level cache.
	minBlockBits, maxBlockBits = 6, 18
	// Where symmetries leave no other, it may be slower: on 7x7 they move all cells of the
	// border, and its fillings make 21 bits. To compile it takes seconds, so it must be worth it.
	largeBlockBits, minLarge = 21, 12
	// A group is at least a quarter of a word and at most four words.
	minGroupBits, maxGroupBits = 4, 8
	// maxPart bounds the cells that hang together in a group: finding their
	// closing sequence looks at all pairs of their patterns.
	maxPart = 8

	maxBases      = 12        // sets of which all unions are candidates
	maxBlocks     = 48        // candidates for Block with weights that are looked into
	maxWeight     = 1<<16 - 2 // of a position: there is a stage for each weight, and newPlan has 16 bits for it and 1
	maxPrograms   = 16 << 20  // bytes
	largePrograms = 64 << 20  // of large blocks

	maxOrdered = 24 // candidates of which the orders of cells are looked into
	maxChoice  = 14 // cells of which all sets are looked into, for the low six bits
	maxAligned = 64 // sets of low cells that are looked into, where all cost the same
	maxSteady  = 8  // sets of low cells for which steady orders are looked for

	// Weights that make the window smaller make more stages. A stage shall have work
	// for several threads: so many blocks on the average, and so many words; and more
	// stages than maxLevels gain next to nothing.
	maxLevels, stageBlocks, stageWords = 512, 64, 1 << 13
	// maxPlanned bounds the bits that number a block, where a window is looked for.
	maxPlanned = 40
)

// Instructions for a word: of a pull from another block, of a pull from another
// group and of a step of the closing sequence; and for a block, of trying a jump
// and of fetching another block.
const (
	outerCost, innerCost, closingCost, tryCost, fetchCost = 8, 6, 4, 4, 500
)

// Eighths of the cost of a sweep: what it takes to map all blocks by numbers, and by words
// of which each is ordered in its own way. To map words in the same way is counted as 0.
const numbersCost, wordsCost = 6, 1

// NewLayout looks for the layout with the least cost of which the blocks are taken to
// blocks of the same weight by symmetries of the board: permutations of its cells, the
// identity among them, or nil for none. It returns nil when there is no layout: when no
// set of six free cells or more has weights.
func NewLayout(b *Board, symmetries [][]int) *Layout {
	l := newLayoutWithin(b, symmetries, minBlockBits, maxBlockBits, maxPrograms)
	if dim := len(b.cells) - len(b.Invariants()); l != nil || len(symmetries) <= 1 || dim < largeBlockBits+minLarge {
		return l
	}
	return newLayoutWithin(b, symmetries, maxBlockBits+1, largeBlockBits, largePrograms)
}

// newLayoutWithin is NewLayout for blocks with so many bits, and programs of so many bytes.
func newLayoutWithin(b *Board, symmetries [][]int, least, most, programs int) *Layout {
	invariants := b.Invariants()
	known := make(map[uint64]int)
	free := func(set uint64) int {
		n, ok := known[set]
		if !ok {
			n = bits.OnesCount64(set) - rank(invariants, set)
			known[set] = n
		}
		return n
	}

	var candidates []*Layout
	closings := make(map[string][]Jump)
	blocks := 0
	for _, block := range closedSets(b.lines, b.Full(), symmetries, free, least, most) {
		blockWeights, ok := weights(b.lines, block, b.Full(), symmetries)
		if !ok || sum(blockWeights) > maxWeight {
			continue
		}
		for _, group := range groups(b, block, symmetries, free) {
			l := &Layout{Block: block, Group: group, BlockWeights: blockWeights,
				blockBits: free(block), groupBits: free(group), board: b, symmetries: symmetries}
			if l.estimate(b, closings) && l.programs <= programs {
				candidates = append(candidates, l)
			}
		}
		if blocks++; blocks == maxBlocks {
			break
		}
	}
	slices.SortStableFunc(candidates, func(l, m *Layout) int {
		return cmp.Or(cmp.Compare(l.Cost, m.Cost), sum(l.BlockWeights)-sum(m.BlockWeights))
	})
	candidates = slices.DeleteFunc(candidates, func(l *Layout) bool {
		var ok bool
		l.GroupWeights, ok = weights(b.linesIn(l.Block), l.Group, l.Block, nil)
		return !ok
	})
	return chooseOrder(candidates)
}

// chooseOrder takes the layout and the order of its cells that cost the least when what
// the symmetries do is counted too. It fills in the rest of the layout.
func chooseOrder(candidates []*Layout) *Layout {
	if len(candidates) == 0 {
		return nil
	}
	kept := func(l *Layout) (n int) {
		for _, s := range l.symmetries {
			if permute(s, l.Group) == l.Group {
				n++
			}
		}
		return n
	}
	first := candidates[0]
	near := slices.DeleteFunc(slices.Clone(candidates), func(l *Layout) bool { return l.Cost > 2*first.Cost })
	slices.SortStableFunc(near, func(l, m *Layout) int { return kept(m) - kept(l) })
	near = append(near[:min(len(near), maxOrdered)], first)
	var layout *Layout
	var order cellOrder
	for _, l := range near {
		if layout != nil && l.Cost >= order.folded(layout) {
			continue
		}
		for _, o := range l.orders() {
			if layout == nil || o.folded(l) < order.folded(layout) {
				layout, order = l, o
			}
		}
	}
	layout.Free, layout.Cost = order.free, order.cost
	layout.chooseWeights()
	return layout
}

// folded estimates the cost of a folded sweep: with a part of the blocks a symmetry has to
// do something, that takes much longer by numbers than by words.
func (o cellOrder) folded(l *Layout) int {
	n := len(l.symmetries)
	if n == 0 {
		return o.cost
	}
	return o.cost + o.cost*(numbersCost*(n-o.aligned)+wordsCost*(o.aligned-o.steady))/(8*n)
}

// chooseWeights takes weights with a small window, and fills in Drop.
func (l *Layout) chooseWeights() {
	dim := len(l.Free)
	p := newWeighing(l.board.lines, l.Block, l.board.Full(), l.symmetries)
	w, _ := p.least()
	blocks := uint64(1) << (dim - l.blockBits) / uint64(max(1, len(l.symmetries)))
	most := min(maxLevels, blocks/stageBlocks, blocks<<(l.blockBits-6)/stageWords)
	if least := uint64(sum(l.BlockWeights)); least > 0 && least < most && dim-l.blockBits <= maxPlanned {
		w = p.narrow(w, int(most))
	}
	l.BlockWeights, l.Drop = p.byCell(w), int(p.drop(w))
}

// Blocks counts by weight, up to that of the start, the blocks of the start's class.
// The sweep goes through no others.
func (l *Layout) Blocks(start Position) []uint64 { return l.fixed(start, nil) }

// KeptBlocks is Blocks for a folded sweep, in which one of the blocks that are images
// of each other is kept. The symmetries must leave the start as it is.
func (l *Layout) KeptBlocks(start Position) []uint64 {
	// By Burnside's lemma: the mean number of blocks that a symmetry leaves as they are.
	if len(l.symmetries) == 0 {
		return l.Blocks(start)
	}
	kept := l.fixed(start, l.symmetries[0])
	for _, s := range l.symmetries[1:] {
		for w, n := range l.fixed(start, s) {
			kept[w] += n
		}
	}
	for w := range kept {
		kept[w] /= uint64(len(l.symmetries))
	}
	return kept
}

// Window returns how many blocks a sweep has to hold at a time, if it goes through the
// given numbers of blocks by weight: while those of a weight are made, all that weigh up
// to Drop more are looked at.
func (l *Layout) Window(blocks []uint64) uint64 { return mostWithin(blocks, l.Drop) }

// fixed counts by weight, up to that of the start, the blocks of the start's class that a
// symmetry takes to themselves; nil is the identity.
func (l *Layout) fixed(start Position, symmetry []int) []uint64 {
	b := l.board
	outer := b.Full() &^ l.Block
	// In a class, the parity of the pegs outside Block is fixed for those invariants
	// that have no cell in it. They are the ones whose pivots are outside, when pivots
	// are inside if they can be.
	rows, pivots := reduce(b.Invariants(), slices.Concat(setCells(l.Block), setCells(outer)))
	var parities []uint64
	for i, p := range pivots {
		if outer>>p&1 == 1 {
			parities = append(parities, rows[i])
		}
	}
	odd := func(set uint64) (odd uint64) {
		for i, v := range parities {
			odd |= uint64(bits.OnesCount64(v&set)&1) << i
		}
		return odd
	}
	weigh := newWeigher(l.BlockWeights)
	heaviest := weigh.weight(start)

	// By parities and weight. The cells that the symmetry takes to each other hold all
	// a peg or all none.
	count := make([][]uint64, 1<<len(parities))
	for i := range count {
		count[i] = make([]uint64, heaviest+1)
	}
	count[0][0] = 1
	for left := outer; left != 0; {
		cycle := uint64(0)
		for cell := bits.TrailingZeros64(left); cycle>>cell&1 == 0; {
			cycle |= 1 << cell
			if symmetry != nil {
				cell = symmetry[cell]
			}
		}
		left &^= cycle
		more := make([][]uint64, len(count))
		for i := range more {
			more[i] = slices.Clone(count[i])
			from := count[uint64(i)^odd(cycle)]
			for w := weigh.weight(cycle); w <= heaviest; w++ {
				more[i][w] += from[w-weigh.weight(cycle)]
			}
		}
		count = more
	}
	return count[odd(start)]
}

// estimate fills in Closing, Cost and programs, and reports whether the layout can be used
// at all.
func (l *Layout) estimate(b *Board, closings map[string][]Jump) bool {
	var in []Jump
	var outer, fetches, inner, tries int // in 64ths; a condition on a cell halves
	for k := range b.Jumps() {
		j := b.Jump(k)
		m := j.mask()
		out, mid := bits.OnesCount64(m&^l.Block), bits.OnesCount64(m&l.Block&^l.Group)
		switch {
		case out > 0:
			outer += 64 >> (out + mid)
			fetches += 64 >> out
			tries += 64
		case mid > 0:
			inner += 64 >> mid
		default:
			in = append(in, j)
		}
	}
	l.Closing = nil
	for _, part := range components(in, l.Group) {
		closing, ok := closePart(part, closings)
		if !ok {
			return false
		}
		l.Closing = append(l.Closing, closing...)
	}
	// A word that holds several groups is gone through once for each.
	groups := 1 << max(0, 6-l.groupBits)
	words := 1 << (l.blockBits - 6)
	inside := bits.OnesCount64(l.Block) - l.blockBits // pivots: there is a program for each of their states
	if inside > 24 {
		return false
	}
	l.programs = words * groups * (inner/64 + 2) * 16 << inside
	l.Cost = outer*outerCost + groups*(inner*innerCost+64*len(l.Closing)*closingCost) +
		(tries*tryCost+fetches*fetchCost)/words
	return true
}

// leaving lists the jumps that leave the block, by number.
func (l *Layout) leaving(b *Board) (jumps []Jump) {
	for k := range b.Jumps() {
		if j := b.Jump(k); j.mask()&^l.Block != 0 {
			jumps = append(jumps, j)
		}
	}
	return jumps
}

// groups lists the sets that can be Group, those that the symmetries keep first.
func groups(b *Board, block uint64, symmetries [][]int, free func(uint64) int) []uint64 {
	lines := b.linesIn(block)
	sets := closedSets(lines, block, symmetries, free, minGroupBits, maxGroupBits)
	if len(symmetries) <= 1 {
		return sets
	}
	for _, s := range closedSets(lines, block, nil, free, minGroupBits, maxGroupBits) {
		if !slices.Contains(sets, s) {
			sets = append(sets, s)
		}
	}
	return sets
}

// closedSets lists the closed sets among cells with a number of free cells in
// the given range, those with the most first. They are unions of the closures
// of single cells and of their images by symmetries; where there are many of these, the
// smallest are joined first.
func closedSets(lines []Line, cells uint64, symmetries [][]int, free func(uint64) int, least, most int) []uint64 {
	var bases []uint64
	for _, c := range setCells(cells) {
		if s := closed(lines, imagesOf(symmetries, 1<<c)); free(s) <= most && !slices.Contains(bases, s) {
			bases = append(bases, s)
		}
	}
	for len(bases) > maxBases {
		slices.SortStableFunc(bases, func(s, t uint64) int { return bits.OnesCount64(s) - bits.OnesCount64(t) })
		bases = append(bases[2:], bases[0]|bases[1])
	}
	seen := make(map[uint64]bool)
	var sets []uint64
	for pick := range 1 << len(bases) {
		var s uint64
		for i, b := range bases {
			if pick>>i&1 == 1 {
				s |= b
			}
		}
		if n := free(s); n >= least && n <= most && !seen[s] {
			seen[s] = true
			sets = append(sets, s)
		}
	}
	slices.SortFunc(sets, func(s, t uint64) int {
		return cmp.Or(free(t)-free(s), cmp.Compare(s, t))
	})
	return sets
}

// linesIn returns the lines that lie wholly within a set of cells.
func (b *Board) linesIn(cells uint64) (lines []Line) {
	for _, l := range b.lines {
		if l.mask()&^cells == 0 {
			lines = append(lines, l)
		}
	}
	return lines
}

// freeCells chooses the pivots, the first cells of an order that can be, and
// returns the other cells in this order.
func (b *Board) freeCells(order []int) []int {
	_, pivots := reduce(b.Invariants(), order)
	return slices.DeleteFunc(slices.Clone(order), func(c int) bool { return slices.Contains(pivots, c) })
}

// byLines sorts a set of cells by the number of lines that they are in, the fewest
// first.
func (b *Board) byLines(set uint64) []int {
	lines := make([]int, len(b.cells))
	for _, l := range b.lines {
		for c := range setBits(l.mask()) {
			lines[c]++
		}
	}
	cells := setCells(set)
	slices.SortStableFunc(cells, func(c, d int) int { return lines[c] - lines[d] })
	return cells
}

// A cellOrder is a way to number the free cells.
type cellOrder struct {
	free []int
	cost int // of the layout with it
	// aligned counts the symmetries that take a word of 64 numbers to a word in the block
	// that its block is taken to, and steady those of them that order the numbers of all
	// words of a block alike: what they do to a block is then done by words, or vectors.
	aligned, steady int
}

// orders lists ways to number the free cells, among them one of the least cost.
//
// Pivots are taken from the group as far as possible, then from the block: then a
// condition on a pivot depends on no cell further in. Cells in few lines come first, or
// last, so that conditions on pivots are rare. Where a group is several words, the cells
// that tell them apart are chosen so that the closing sequence makes few jumps from word
// to word.
//
// The 64 fillings in a word change the six low cells and pivots. When these pivots are
// taken first, they are all in a set of cells, low, that has six free ones; and a symmetry
// that takes this set to itself takes words to words.
func (l *Layout) orders() (all []cellOrder) {
	b := l.board
	invariants := b.Invariants()
	ranked := b.byLines(b.Full())
	in := func(set uint64) (cells []int) {
		for _, c := range ranked {
			if set>>c&1 == 1 {
				cells = append(cells, c)
			}
		}
		return cells
	}
	outer := slices.Concat(in(l.Block&^l.Group), in(b.Full()&^l.Block))
	try := func(start, cells, group []int) {
		for range 2 {
			order := firsts(slices.Concat(start, cells, group, outer))
			// Where low has cells beyond the group, those of the group are still first.
			slices.SortStableFunc(order, func(c, d int) int { return int(l.Group>>d&1) - int(l.Group>>c&1) })
			all = append(all, l.order(order, invariants))
			slices.Reverse(cells)
			slices.Reverse(group)
		}
	}
	try(nil, nil, in(l.Group))
	lows := l.lowSets(ranked)
	for i, low := range lows {
		starts := [][]int{nil}
		if low.kept > 1 && low.kept == lows[0].kept && i < maxSteady {
			// Pivots that the symmetries take to each other make it steady.
			var orbits [][]int
			for left := low.cells; left != 0; {
				orbit := left & -left
				for _, s := range l.symmetries {
					if permute(s, low.cells) == low.cells {
						orbit |= permute(s, left&-left)
					}
				}
				orbits = append(orbits, setCells(orbit))
				left &^= orbit
			}
			for _, o := range orbits {
				for _, p := range orbits {
					starts = append(starts, slices.Concat(o, p))
				}
			}
		}
		for _, start := range starts {
			try(start, in(low.cells), in(l.Group&^low.cells))
		}
	}
	return all
}

// A lowSet is a set of cells that six free low cells, and pivots, can make up.
type lowSet struct {
	cells uint64
	kept  int // by so many symmetries
}

// lowSets lists the sets that can be low; see orders. Those that more symmetries keep come
// first, and cells that rank before others are tried before them.
func (l *Layout) lowSets(ranked []int) (lows []lowSet) {
	least, most := uint64(0), l.Group
	if l.groupBits < 6 {
		least, most = l.Group, l.Block
	}
	invariants := l.board.Invariants()
	choice := slices.DeleteFunc(slices.Clone(ranked), func(c int) bool { return (most&^least)>>c&1 == 0 })
	choice = choice[:min(len(choice), maxChoice)]
	for pick := range uint64(1) << len(choice) {
		low := least | scatter(choice, pick)
		if n := bits.OnesCount64(low); n < 6 || n > 6+len(invariants) || n-rank(invariants, low) != 6 {
			continue
		}
		kept := 0
		for _, s := range l.symmetries {
			if permute(s, low) == low {
				kept++
			}
		}
		lows = append(lows, lowSet{low, kept})
	}
	slices.SortStableFunc(lows, func(x, y lowSet) int { return y.kept - x.kept })
	if l.groupBits <= 6 {
		lows = lows[:min(len(lows), maxAligned)] // all cost the same
	}
	return lows
}

// firsts removes what comes again.
func firsts(order []int) []int {
	var seen uint64
	return slices.DeleteFunc(order, func(c int) bool {
		again := seen>>c&1 == 1
		seen |= 1 << c
		return again
	})
}

// order numbers the free cells in a given order, in which the pivots come first.
func (l *Layout) order(cells []int, invariants []uint64) cellOrder {
	rows, pivots := reduce(invariants, cells)
	var o cellOrder
	o.free = slices.DeleteFunc(cells, func(c int) bool { return slices.Contains(pivots, c) })
	// Of the cells outside the block those in many lines come first: jumps then change high
	// bits of a block's number rarely, so that most lead from kept blocks to kept ones.
	slices.Reverse(o.free[l.blockBits:])
	o.cost = l.Cost
	if l.groupBits > 6 {
		o.cost += l.crossing(o.free[6:l.groupBits]) - 64*len(l.Closing)*closingCost
	}
	var inside, low uint64
	for bit, c := range o.free[:l.blockBits] {
		inside |= 1 << c
		if bit < 6 {
			low |= 1 << c
		}
	}
	flips := make([]uint64, l.blockBits) // the cells that a bit of a number flips
	for bit, c := range o.free[:l.blockBits] {
		flips[bit] = 1 << c
		for i, p := range pivots {
			flips[bit] |= rows[i] >> c & 1 << p
		}
	}
	for _, s := range l.symmetries {
		aligned, steady := true, true
		for bit, f := range flips {
			if image := permute(s, f) & inside; bit < 6 {
				aligned = aligned && image&^low == 0
			} else {
				steady = steady && image&low == 0
			}
		}
		if aligned {
			o.aligned++
			if steady {
				o.steady++
			}
		}
	}
	return o
}

// crossing estimates the cost of the closing sequence when the given cells tell the
// words of a group apart: a jump that moves them is made from word to word, in the
// fewer words the more of them it moves.
func (l *Layout) crossing(words []int) (cost int) {
	const pullAndRuns = innerCost + 8
	for _, j := range l.Closing {
		moved := 0
		for _, c := range words {
			moved += int(j.mask() >> c & 1)
		}
		if moved == 0 {
			cost += 64 * closingCost
		} else {
			cost += 64 * pullAndRuns >> moved
		}
	}
	return cost
}

func sum(w []int) (s int) {
	for _, x := range w {
		s += x
	}
	return s
}
