package verify

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"

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

	mu             sync.Mutex
	states, orbits board.PegCounts
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
	w := &counter{counting: n, masks: make(map[board.Position][]uint64)}
	if len(n.symmetries) > 0 {
		w.least = make([]uint64, n.words)
	}
	return w
}

type counter struct {
	*counting
	least []uint64                    // of a block: see sweep.Fold
	masks map[board.Position][]uint64 // by the first position of a word in the cells that vary within it: see masked
}

// Do implements statespace.Worker. If a block cannot be read, the caller stops the work.
func (n *counter) Do(_, task int) {
	block := uint64(n.list[task])
	words, err := n.set.Representative(block)
	if words == nil || err != nil {
		return
	}
	images, stabilizer := sweep.BlockOrbit(n.symmetries, n.bits, block)
	states := n.count(block, words)
	orbits := states
	if len(stabilizer) > 0 {
		for i, members := range words {
			n.least[i] = sweep.Fold(stabilizer, block*n.words+uint64(i), members)
		}
		orbits = n.count(block, n.least)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for pegs := range states {
		n.states[pegs] += images * states[pegs]
		n.orbits[pegs] += orbits[pegs]
	}
}

// count counts the members among the words of a block.
func (n *counter) count(block uint64, words []uint64) (totals board.PegCounts) {
	for at := uint64(0); at < n.words; at += n.chunk {
		first := n.class.Position((block*n.words + at) << 6)
		var masks []uint64
		for i := range n.kinds {
			kind := &n.kinds[i]
			first := first ^ kind.first
			if i == 0 || kind.pivots != n.kinds[i-1].pivots {
				masks = n.masked(first)
			}
			board.CountMasked(totals[n.pegs.Common(first):], masks, words[at:], kind.words)
		}
	}
	return totals
}

// masked returns the masks of the numbers in a word with as many pegs as all share, with one more, and so on.
func (n *counter) masked(first board.Position) []uint64 {
	varying := first & n.varying
	masks, ok := n.masks[varying]
	if !ok {
		sum := n.pegs.More(first)
		for k := range n.pegs.MaxMore() + 1 {
			masks = append(masks, n.pegs.Equal(&sum, k))
		}
		n.masks[varying] = masks
	}
	return masks
}

// Layers implements statespace.Counting, most pegs first.
func (n *counting) Layers() []statespace.Layer {
	if !n.folded {
		return board.LayersOf(&n.states, nil)
	}
	return board.LayersOf(&n.states, &n.orbits)
}
