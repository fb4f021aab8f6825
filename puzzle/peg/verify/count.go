package verify

import (
	"cmp"
	"math/bits"
	"slices"

	"pagoda/bitset"
	"pagoda/internal/gf2"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// A counting counts the members of a set by their number of pegs. Of a folded set it
// counts the members of each representative for all its images. For the orbits it counts
// again, and takes only the members that are least among their images.
type counting struct {
	*representatives
	class  *board.Class
	folded bool
	pegs   *board.PegMasks
	// varying are the cells that vary within a word.
	varying uint64
	// Words whose bits stand for the same numbers of pegs are counted together:
	// these are the kinds among the words of a chunk.
	kinds []wordKind

	workers []*counter
}

// countingChunk is how many words are worked on at once.
const countingChunk = 1 << 14

// Count returns the work of counting the members of a whole set.
func Count(c *board.Class, set *bitset.Set) statespace.Counting {
	return newCounting(c, wholeSet(c.Dim(), set, countingChunk), false)
}

// FoldedCount is Count for a set that is folded by symmetries. It also counts orbits. It
// stops when a block cannot be read. The order may list blocks, which are then read in
// this order.
func FoldedCount(c *board.Class, set statespace.FoldedSet, symmetries []statespace.WordSymmetry, order []uint32) statespace.Counting {
	return newCounting(c, newRepresentatives(c.Dim(), set, symmetries, order, countingChunk), true)
}

// A wordKind is words of a chunk that have the same pivots, and as many pegs in cells
// that do not vary within a word.
type wordKind struct {
	first  board.Position // of one of these words, ^ that of the first of the chunk
	pivots uint64         // of first, those that vary within a word
	words  []uint16
}

func newCounting(c *board.Class, blocks *representatives, folded bool) *counting {
	n := &counting{representatives: blocks, class: c, folded: folded, pegs: board.NewPegMasks(c)}
	n.varying = n.pegs.Varying()
	type key struct {
		pegs   int
		pivots uint64
	}
	kinds := make(map[key]int)
	for w := range n.chunk {
		differs := c.Position(uint64(w)<<6) ^ c.Position(0)
		k := key{bits.OnesCount64(uint64(w)), gf2.Extract(c.Pivots(), differs)}
		i, ok := kinds[k]
		if !ok {
			i = len(n.kinds)
			kinds[k] = i
			n.kinds = append(n.kinds, wordKind{first: differs, pivots: differs & n.varying})
		}
		n.kinds[i].words = append(n.kinds[i].words, uint16(w))
	}
	// Kinds with the same pivots share masks.
	slices.SortStableFunc(n.kinds, func(a, b wordKind) int { return cmp.Compare(a.pivots, b.pivots) })
	return n
}

// NewWorker implements statespace.Work.
func (n *counting) NewWorker() statespace.Worker {
	w := &counter{counting: n, byImages: make(map[uint64]*columns)}
	if len(n.symmetries) > 0 {
		w.words = make([]uint64, n.representatives.words)
	}
	n.workers = append(n.workers, w)
	return w
}

type counter struct {
	*counting
	byImages map[uint64]*columns // the members of blocks with this many images
	least    columns             // up to symmetry, in blocks that a symmetry takes to themselves
	words    []uint64            // of such a block: see sweep.Fold
}

// columns count the members in words. Words whose bits stand for the same numbers of pegs are added up across blocks.
type columns struct {
	by     map[board.Position]*column // by the first position of a word in the cells that vary within it
	counts board.PegCounts            // of the columns that addUp has removed
}

// A column has the counts by the pegs that all numbers of a word share; nil if there was no such word with members.
type column struct {
	masks    []uint64 // of the numbers with as many pegs as all share, with one more, and so on
	byCommon [board.MaxCells + 1]*board.MaskedCount
}

// maxColumns bounds the memory. The usual boards have at most 16.
const maxColumns = 64

// Do implements statespace.Worker. If a block cannot be read, the caller stops the work.
func (n *counter) Do(_, task int) {
	block := uint64(n.list[task])
	words, err := n.set.Representative(block)
	if words == nil || err != nil {
		return
	}
	images, stabilizer := sweep.BlockOrbit(n.symmetries, n.bits, block)
	if n.byImages[images] == nil {
		n.byImages[images] = new(columns)
	}
	n.count(n.byImages[images], block, words)
	if len(stabilizer) > 0 {
		for i, members := range words {
			n.words[i] = sweep.Fold(stabilizer, block*uint64(len(words))+uint64(i), members)
		}
		n.count(&n.least, block, n.words)
	}
}

// count counts the members among the words of a block.
func (n *counter) count(in *columns, block uint64, words []uint64) {
	for at := uint64(0); at < uint64(len(words)); at += n.chunk {
		first := n.class.Position((block*uint64(len(words)) + at) << 6)
		var c *column
		for i := range n.kinds {
			kind := &n.kinds[i]
			first := first ^ kind.first
			if i == 0 || kind.pivots != n.kinds[i-1].pivots {
				c = nil
			}
			var count *board.MaskedCount
			for _, w := range kind.words {
				word := words[at+uint64(w)]
				if word == 0 {
					continue
				}
				if c == nil {
					c = n.column(in, first)
				}
				if count == nil {
					count = c.count(n.pegs.Common(first))
				}
				count.Add(word)
			}
		}
	}
}

// column returns the column of words that agree with a first position in the cells that vary.
func (n *counter) column(in *columns, first board.Position) *column {
	c := in.by[first&n.varying]
	if c == nil {
		if in.by == nil || len(in.by) >= maxColumns {
			in.addUp()
		}
		c = new(column)
		sum := n.pegs.More(first)
		for k := range n.pegs.MaxMore() + 1 {
			c.masks = append(c.masks, n.pegs.Equal(&sum, k))
		}
		in.by[first&n.varying] = c
	}
	return c
}

func (c *column) count(common int) *board.MaskedCount {
	if c.byCommon[common] == nil {
		c.byCommon[common] = board.NewMaskedCount(c.masks)
	}
	return c.byCommon[common]
}

// addUp adds the columns to the counts, and removes them.
func (c *columns) addUp() {
	for _, column := range c.by {
		for common, count := range column.byCommon {
			if count == nil {
				continue
			}
			for more, members := range count.Totals() {
				if members > 0 { // a number has no more pegs than there are cells
					c.counts[common+more] += members
				}
			}
		}
	}
	c.by = make(map[board.Position]*column)
}

// Layers implements statespace.Counting, most pegs first.
func (n *counting) Layers() []statespace.Layer {
	var states, orbits board.PegCounts
	for _, w := range n.workers {
		w.least.addUp()
		for pegs, members := range w.least.counts {
			orbits[pegs] += members
		}
		for images, of := range w.byImages {
			of.addUp()
			for pegs, members := range of.counts {
				states[pegs] += images * members
				if images == 1+uint64(len(n.symmetries)) {
					orbits[pegs] += members
				}
			}
		}
	}
	if !n.folded {
		return board.LayersOf(&states, nil)
	}
	return board.LayersOf(&states, &orbits)
}
