package layout

import (
	"cmp"
	"math/bits"
	"slices"

	"pagoda/internal/gf2"
	"pagoda/internal/lists"
	"pagoda/puzzle/peg/board"
)

// A Layout says which cells are inside a block and inside a group, and how blocks, and
// groups in a block, are ordered and numbered; see the package comment.
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
	// Drop is the most weight that a jump loses.
	Drop int
	// GroupWeights holds a weight for each cell of Block outside Group, 0 for the
	// others. Every jump whose line lies in Block but not in Group loses weight.
	GroupWeights []int
	// Closing lists jumps in Group. Each tried once, in this order, they close
	// any set of positions under the jumps of Group.
	Closing []board.Jump
	// Free lists the free cells by bit: those of Group, the others of Block, the
	// rest. Pivots are in Group if they can be, else in Block.
	Free []int
	// Cost estimates the work for a word of 64 positions, in 64ths of a machine
	// instruction. It is a whole number, so that every machine takes the same layout.
	Cost int
	// BlockBits and GroupBits are the numbers of free cells in Block and in Group.
	BlockBits, GroupBits int

	board      *board.Board
	symmetries []board.Permutation // with the identity, or none
	programs   int                 // a bound of the bytes of compiled programs
}

const (
	// A block has a word at least. At most, the four blocks that are worked on at a
	// time, and a source, fit a second-level cache.
	minBlockBits, maxBlockBits = 6, 18
	// Larger blocks are slower, but symmetries may leave no others: on 7x7 they move
	// all cells of the border, whose fillings make 21 bits. It takes seconds to compile
	// them, which a class must be worth: it has 2^minLarge blocks at least.
	largeBlockBits, minLarge = 21, 12
	// A group is at least a quarter of a word and at most four words.
	minGroupBits, maxGroupBits = 4, 8

	maxBlocks     = 48        // candidates for Block, with weights, that are tried
	maxWeight     = 1<<16 - 2 // of a position: a sweep has a stage for each weight, and 16 bits to note weight+1
	maxPrograms   = 16 << 20  // bytes
	largePrograms = 64 << 20  // bytes, for large blocks

	maxOrdered = 24 // candidates whose orders of cells are tried

	// Weights that make the window smaller make more stages. There are at most
	// maxLevels stages, as more gain next to nothing. A stage has work for several
	// threads: on average at least this many blocks, and this many words.
	maxLevels, stageBlocks, stageWords = 512, 64, 1 << 13
	// maxScheduled bounds the bits that number a block for which a small window is
	// looked for.
	maxScheduled = 40
)

// Machine instructions for a word: of a pull from another block, of a pull from another
// group, and of a step of the closing sequence. And for a block: to find out whether a
// jump leads to it, and to fetch another block.
const (
	outerCost, innerCost, closingCost, tryCost, fetchCost = 8, 6, 4, 4, 500
)

// What a symmetry adds to the cost of a sweep, in eighths: if it mixes the numbers of
// words, and if it maps words to words but permutes the bits of each in its own way. To
// permute the bits of all words alike counts as 0.
const numbersCost, wordsCost = 6, 1

// New looks for the layout with the least cost whose blocks the symmetries take to blocks
// of the same weight. The symmetries have the identity among them, or are none. New
// returns nil when there is no layout: when no set with six free cells or more has
// weights. The search is bounded; see work.
func New(b *board.Board, symmetries []board.Permutation) *Layout {
	w := newWork()
	l := newWithin(b, symmetries, minBlockBits, maxBlockBits, w)
	if dim := len(b.Cells()) - len(b.Invariants()); l != nil || len(symmetries) <= 1 || dim < largeBlockBits+minLarge {
		return l
	}
	return newWithin(b, symmetries, maxBlockBits+1, largeBlockBits, w)
}

// NewWithin is New for blocks with a number of bits in a range: from 6 to 18, or of large blocks from 19 to 21.
func NewWithin(b *board.Board, symmetries []board.Permutation, least, most int) *Layout {
	return newWithin(b, symmetries, least, most, newWork())
}

func newWithin(b *board.Board, symmetries []board.Permutation, least, most int, w *work) *Layout {
	programs := maxPrograms
	if least > maxBlockBits {
		programs = largePrograms
	}
	free := freeCounter(b)
	var candidates []candidate
	closings := newClosings(b, &w.trying)
	blocks := 0
	for _, block := range closedSets(b.Lines(), b.Full(), symmetries, free, least, most) {
		if w.trying.done() {
			break
		}
		blockWeights, ok := leastWeights(b.Lines(), block, b.Full(), symmetries, &w.trying)
		if !ok || lists.Sum(blockWeights) > maxWeight {
			continue
		}
		of := &Layout{Block: block, BlockWeights: blockWeights, BlockBits: free(block), board: b, symmetries: symmetries}
		for _, group := range groups(b, block, symmetries, free, &w.trying) {
			if w.trying.done() {
				break
			}
			l := of.with(group, free(group))
			if l.estimate(closings) && l.programs <= programs {
				candidates = append(candidates, candidate{of, group, l.GroupBits, l.Cost, l.programs})
			}
		}
		if blocks++; blocks == maxBlocks {
			break
		}
	}
	slices.SortStableFunc(candidates, func(l, m candidate) int {
		return cmp.Or(cmp.Compare(l.cost, m.cost), lists.Sum(l.of.BlockWeights)-lists.Sum(m.of.BlockWeights))
	})
	return choose(candidates, closings, w)
}

// A candidate is a layout that is not filled in yet. There can be very many of them.
type candidate struct {
	of              *Layout // without a group
	group           uint64
	groupBits, cost int
	programs        int
}

// with returns the layout with a group.
func (l *Layout) with(group uint64, bits int) *Layout {
	return &Layout{Block: l.Block, Group: group, BlockWeights: l.BlockWeights, BlockBits: l.BlockBits, GroupBits: bits,
		board: l.board, symmetries: l.symmetries}
}

// weighGroups fills in GroupWeights, and reports whether there are any.
func (l *Layout) weighGroups(e *effort) (ok bool) {
	l.GroupWeights, ok = leastWeights(l.board.LinesIn(l.Block), l.Group, l.Block, nil, e)
	return ok
}

// freeCounter returns a function that counts the free cells of a set, when as many cells
// as possible of the set are pivots.
func freeCounter(b *board.Board) func(set uint64) int {
	invariants := b.Invariants()
	known := make(map[uint64]int)
	return func(set uint64) int {
		n, ok := known[set]
		if !ok {
			n = bits.OnesCount64(set) - gf2.Rank(invariants, set)
			known[set] = n
		}
		return n
	}
}

// estimate fills in Cost and programs, and reports whether the layout can be used at all.
func (l *Layout) estimate(closings *closings) bool {
	// In 64ths: a jump leads only to blocks, or groups, with a given peg or hole in each
	// of its cells outside, so each such cell halves their share.
	var outer, fetches, inner, tries int
	closings.effort.spend(20 * l.board.Jumps())
	for k := range l.board.Jumps() {
		j := l.board.Jump(k)
		m := j.Mask()
		out, mid := bits.OnesCount64(m&^l.Block), bits.OnesCount64(m&l.Block&^l.Group)
		switch {
		case out > 0:
			outer += 64 >> (out + mid)
			fetches += 64 >> out
			tries += 64
		case mid > 0:
			inner += 64 >> mid
		}
	}
	closing, ok := closings.length(l.Group)
	if !ok {
		return false
	}
	// A word that holds several groups is gone through once for each.
	groups := 1 << max(0, 6-l.GroupBits)
	words := 1 << (l.BlockBits - 6)
	inside := bits.OnesCount64(l.Block) - l.BlockBits // pivots: each of their states has a program
	if inside > 24 {
		return false
	}
	l.programs = words * groups * (inner/64 + 2) * 16 << inside
	l.Cost = outer*outerCost + groups*(inner*innerCost+64*closing*closingCost) +
		(tries*tryCost+fetches*fetchCost)/words
	return true
}

// choose takes the candidate, and the order of its cells, that cost least with the work
// of the symmetries counted in. It fills in the rest of the layout. Candidates come by
// cost. Those whose groups have no weights are left out. It returns nil if there are no
// others.
func choose(candidates []candidate, closings *closings, w *work) *Layout {
	var near []candidate
	for _, c := range candidates {
		if len(near) > 0 && c.cost > 2*near[0].cost || w.weighing.done() {
			break
		}
		if c.of.with(c.group, c.groupBits).weighGroups(&w.weighing) {
			near = append(near, c)
		}
	}
	if len(near) == 0 {
		return nil
	}
	cheapest := near[0]
	keeps := make(map[uint64]int) // by group
	for _, c := range near {
		keeps[c.group] = keeping(c.of.symmetries, c.group)
	}
	slices.SortStableFunc(near, func(c, d candidate) int { return keeps[d.group] - keeps[c.group] })
	near = append(near[:min(len(near), maxOrdered)], cheapest)
	var best *Layout
	var order cellOrder
	for _, c := range near {
		if best != nil && c.cost >= order.foldedCost(best) {
			continue
		}
		l := c.of.with(c.group, c.groupBits)
		l.Cost, l.programs, l.Closing = c.cost, c.programs, closings.of(c.group)
		l.weighGroups(nil)
		for _, o := range l.orders(&w.ordering) {
			if best == nil || o.foldedCost(l) < order.foldedCost(best) {
				best, order = l, o
			}
		}
	}
	best.Free, best.Cost = order.free, order.cost
	best.chooseWeights(&w.narrowing)
	return best
}

// keeping returns how many of the symmetries take a set of cells to itself.
func keeping(symmetries []board.Permutation, set uint64) (n int) {
	for _, s := range symmetries {
		if s.Image(set) == set {
			n++
		}
	}
	return n
}

// chooseWeights takes weights with a small window, and fills in Drop.
func (l *Layout) chooseWeights(e *effort) {
	dim := len(l.Free)
	p := newWeighing(l.board.Lines(), l.Block, l.board.Full(), l.symmetries, nil)
	w, _ := p.least()
	blocks := uint64(1) << (dim - l.BlockBits) / uint64(max(1, len(l.symmetries)))
	most := min(maxLevels, blocks/stageBlocks, blocks<<(l.BlockBits-6)/stageWords)
	if least := uint64(lists.Sum(l.BlockWeights)); least > 0 && least < most && dim-l.BlockBits <= maxScheduled {
		p.effort = e
		w = p.narrow(w, int(most))
	}
	l.BlockWeights, l.Drop = p.byCell(w), int(p.drop(w))
}

// ProgramMemory bounds the bytes of the programs that a sweep compiles.
func (l *Layout) ProgramMemory() int { return max(maxPrograms, l.programs) }

// Folds reports whether a sweep from a start can be folded: whether the layout was made for
// symmetries that leave the start as it is. A layout for none folds only what has none.
func (l *Layout) Folds(start board.Position) bool {
	if len(l.symmetries) == 0 {
		return len(l.board.Stabilizer(start)) == 1
	}
	return !slices.ContainsFunc(l.symmetries, func(s board.Permutation) bool { return s.Image(start) != start })
}

// Keeps reports whether a symmetry of the board takes blocks to blocks of the same weight.
func (l *Layout) Keeps(s board.Permutation) bool {
	for cell, image := range s {
		if l.BlockWeights[cell] != l.BlockWeights[image] || l.Block>>cell&1 != l.Block>>image&1 {
			return false
		}
	}
	return true
}

// Leaving lists the jumps that lead from one block to another, by number.
func (l *Layout) Leaving() (jumps []board.Jump) {
	for k := range l.board.Jumps() {
		if j := l.board.Jump(k); j.Mask()&^l.Block != 0 {
			jumps = append(jumps, j)
		}
	}
	return jumps
}
