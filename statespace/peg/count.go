package peg

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"

	"pagoda/statespace"
)

// counting counts the members of a set by their number of pegs. Of a folded set it
// counts the members of the kept blocks for all images of these, and once more those
// that are least among their images, for the orbits.
type counting struct {
	*keptBlocks
	class  *Class
	folded bool
	pegs   *pegMasks
	// Words whose bits stand for the same numbers of pegs are counted together:
	// these are the kinds among the words of a chunk.
	kinds []wordKind

	mu             sync.Mutex
	states, orbits pegCounts
}

type pegCounts [MaxCells + 1]uint64

// A wordKind is words of a chunk with as many pegs in cells that do not vary
// within a word, and the same pivots.
type wordKind struct {
	first  Position // of one of these words, ^ that of the first of the chunk
	pivots uint64   // of first, those that vary within a word
	words  []uint16
}

func newCounting(c *Class, blocks *keptBlocks, folded bool) *counting {
	n := &counting{keptBlocks: blocks, class: c, folded: folded, pegs: newPegMasks(c)}
	type key struct {
		pegs   int
		pivots uint64
	}
	kinds := make(map[key]int)
	for w := range n.chunk {
		differs := c.Position(uint64(w)<<6) ^ c.zero
		k := key{bits.OnesCount64(uint64(w)), gather(c.pivots, differs)}
		i, ok := kinds[k]
		if !ok {
			i = len(n.kinds)
			kinds[k] = i
			n.kinds = append(n.kinds, wordKind{first: differs, pivots: differs &^ n.pegs.fixed})
		}
		n.kinds[i].words = append(n.kinds[i].words, uint16(w))
	}
	// Those of the same pivots share masks.
	slices.SortStableFunc(n.kinds, func(a, b wordKind) int { return cmp.Compare(a.pivots, b.pivots) })
	return n
}

// NewWorker implements statespace.Work.
func (n *counting) NewWorker() statespace.Worker {
	w := &counter{counting: n}
	if len(n.symmetries) > 0 {
		w.least = make([]uint64, n.words)
	}
	return w
}

type counter struct {
	*counting
	least []uint64 // of a block: see statespace.Fold
}

// Do implements statespace.Worker. Where a block cannot be read, the work is stopped.
func (n *counter) Do(_, task int) {
	block := uint64(n.list[task])
	words, err := n.set.Kept(block)
	if words == nil || err != nil {
		return
	}
	images, stabiliser := statespace.BlockOrbit(n.symmetries, n.bits, block)
	states := n.count(block, words)
	orbits := states
	if len(stabiliser) > 0 {
		for i, members := range words {
			n.least[i] = statespace.Fold(stabiliser, block*n.words+uint64(i), members)
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
func (n *counting) count(block uint64, words []uint64) (totals pegCounts) {
	for at := uint64(0); at < n.words; at += n.chunk {
		first := n.class.Position((block*n.words + at) << 6)
		var masks [MaxCells + 1]uint64
		for i := range n.kinds {
			kind := &n.kinds[i]
			first := first ^ kind.first
			if i == 0 || kind.pivots != n.kinds[i-1].pivots {
				more := n.pegs.more(first)
				for k := range len(n.pegs.vary) + 1 {
					masks[k] = n.pegs.equal(&more, k)
				}
			}
			count(totals[n.pegs.common(first):], masks[:len(n.pegs.vary)+1], words[at:], kind.words)
		}
	}
	return totals
}

// count adds to totals[k] the bits of the listed words that masks[k] picks. It
// first adds the words up as 64 counters, kept by binary digit (Harley and Seal).
func count(totals []uint64, masks []uint64, set []uint64, words []uint16) {
	add := func(digit uint64, weight int) {
		if digit == 0 {
			return
		}
		for k, m := range masks {
			totals[k] += uint64(bits.OnesCount64(digit&m)) << weight
		}
	}
	var ones, twos, fours uint64
	for len(words) >= 8 {
		w := (*[8]uint16)(words)
		words = words[8:]
		var t1, t2, f1, f2, eights uint64
		ones, t1 = carrySave(ones, set[w[0]], set[w[1]])
		ones, t2 = carrySave(ones, set[w[2]], set[w[3]])
		twos, f1 = carrySave(twos, t1, t2)
		ones, t1 = carrySave(ones, set[w[4]], set[w[5]])
		ones, t2 = carrySave(ones, set[w[6]], set[w[7]])
		twos, f2 = carrySave(twos, t1, t2)
		fours, eights = carrySave(fours, f1, f2)
		add(eights, 3)
	}
	for _, w := range words {
		add(set[w], 0)
	}
	add(ones, 0)
	add(twos, 1)
	add(fours, 2)
}

// carrySave adds three bits in each place: sum + 2 carry.
func carrySave(a, b, c uint64) (sum, carry uint64) {
	return a ^ b ^ c, a&b | (a^b)&c
}

// Layers implements statespace.Counting, most pegs first.
func (n *counting) Layers() []statespace.Layer {
	var layers []statespace.Layer
	for pegs := MaxCells; pegs >= 0; pegs-- {
		if n.states[pegs] == 0 {
			continue
		}
		layer := statespace.Layer{Layer: pegs, States: n.states[pegs]}
		if n.folded {
			layer.Orbits = n.orbits[pegs]
		}
		layers = append(layers, layer)
	}
	return layers
}
