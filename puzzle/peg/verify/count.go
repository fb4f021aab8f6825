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
	w := &counter{counting: n, byImages: make(map[uint64]columns), least: make(columns)}
	if len(n.symmetries) > 0 {
		w.words = make([]uint64, n.representatives.words)
	}
	n.workers = append(n.workers, w)
	return w
}

type counter struct {
	*counting
	byImages map[uint64]columns // the members of blocks with this many images
	least    columns            // up to symmetry, in blocks that a symmetry takes to themselves
	words    []uint64           // of such a block: see sweep.Fold
}

// columns count words, by the first position of a word in the cells that vary within it, and by the pegs that all its
// numbers share. They are added up across blocks.
type columns map[board.Position]*[board.MaxCells + 1]board.MaskedCount

// Do implements statespace.Worker. If a block cannot be read, the caller stops the work.
func (n *counter) Do(_, task int) {
	block := uint64(n.list[task])
	words, err := n.set.Representative(block)
	if words == nil || err != nil {
		return
	}
	images, stabilizer := sweep.BlockOrbit(n.symmetries, n.bits, block)
	if n.byImages[images] == nil {
		n.byImages[images] = make(columns)
	}
	n.count(n.byImages[images], block, words)
	if len(stabilizer) > 0 {
		for i, members := range words {
			n.words[i] = sweep.Fold(stabilizer, block*uint64(len(words))+uint64(i), members)
		}
		n.count(n.least, block, n.words)
	}
}

// count counts the members among the words of a block.
func (n *counter) count(in columns, block uint64, words []uint64) {
	for at := uint64(0); at < uint64(len(words)); at += n.chunk {
		first := n.class.Position((block*uint64(len(words)) + at) << 6)
		var byCommon *[board.MaxCells + 1]board.MaskedCount
		for i := range n.kinds {
			kind := &n.kinds[i]
			first := first ^ kind.first
			if i == 0 || kind.pivots != n.kinds[i-1].pivots {
				byCommon = n.column(in, first)
			}
			column := &byCommon[n.pegs.Common(first)]
			for _, w := range kind.words {
				if word := words[at+uint64(w)]; word != 0 {
					column.Add(word)
				}
			}
		}
	}
}

// column returns the counts of words that agree with a first position in the cells that vary.
func (n *counter) column(in columns, first board.Position) *[board.MaxCells + 1]board.MaskedCount {
	byCommon, ok := in[first&n.varying]
	if !ok {
		var masks []uint64 // of the numbers with as many pegs as all share, with one more, and so on
		sum := n.pegs.More(first)
		for k := range n.pegs.MaxMore() + 1 {
			masks = append(masks, n.pegs.Equal(&sum, k))
		}
		byCommon = new([board.MaxCells + 1]board.MaskedCount)
		for common := range byCommon {
			byCommon[common] = board.NewMaskedCount(masks)
		}
		in[first&n.varying] = byCommon
	}
	return byCommon
}

// each calls do with the members that were counted, by their pegs.
func (c columns) each(do func(pegs int, members uint64)) {
	for _, byCommon := range c {
		for common := range byCommon {
			for more, members := range byCommon[common].Totals() {
				if members > 0 {
					do(common+more, members)
				}
			}
		}
	}
}

// Layers implements statespace.Counting, most pegs first.
func (n *counting) Layers() []statespace.Layer {
	var states, orbits board.PegCounts
	for _, w := range n.workers {
		for images, members := range w.byImages {
			members.each(func(pegs int, members uint64) {
				states[pegs] += images * members
				if images == 1+uint64(len(n.symmetries)) {
					orbits[pegs] += members
				}
			})
		}
		w.least.each(func(pegs int, members uint64) { orbits[pegs] += members })
	}
	if !n.folded {
		return board.LayersOf(&states, nil)
	}
	return board.LayersOf(&states, &orbits)
}
