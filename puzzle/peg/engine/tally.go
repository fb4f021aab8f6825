package engine

import (
	"fmt"
	"math/bits"

	"pagoda/internal/gf2"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
)

// A tally is what a worker has counted, by number of pegs.
type tally struct {
	byImages [maxImages + 1]board.PegCounts // the positions in blocks with this many images
	least    board.PegCounts                // up to symmetry, in blocks that a fold leaves as they are
	scratch  []uint64
	sums     laneCounts
}

// A counter has what the workers of a stream count.
type counter struct {
	kinds   [][]blockKind // by program: the words of a block
	folds   int
	workers []*tally
	before  []statespace.Layer // counted before this pass began
}

// maxImages is the largest number of symmetries of a board, with the identity.
const maxImages = 12

// laneCounts are the positions in blocks that lie side by side, by number of pegs inside.
type laneCounts [board.MaxCells + 1][maxLanes]uint64

// A blockKind is words of a block whose bits stand for the same numbers of pegs. The
// assembly knows the offsets of its fields.
type blockKind struct {
	common int      // pegs inside the block that all numbers have
	masks  []uint64 // by number of pegs beyond these: the numbers in a word that have them
	words  []uint16
}

// newKinds sorts the words of blocks into kinds, by program.
func newKinds(b *blocks) (kinds [][]blockKind) {
	pegs := board.NewPegMasks(b.class)
	type key struct {
		common int
		vary   board.Position
	}
	varying := pegs.Varying()
	kinds = make([][]blockKind, 1<<len(b.inside))
	for _, state := range b.used() {
		var list []blockKind
		known := make(map[key]int)
		for w, first := range b.firsts {
			first := (first ^ gf2.Deposit(b.inside, uint64(state))) & b.cells
			k := key{pegs.Common(first), first & varying}
			i, ok := known[k]
			if !ok {
				i = len(list)
				known[k] = i
				kind := blockKind{common: k.common}
				more := pegs.More(first)
				for n := range pegs.MaxMore() + 1 {
					kind.masks = append(kind.masks, pegs.Equal(&more, n))
				}
				list = append(list, kind)
			}
			list[i].words = append(list[i].words, uint16(w))
		}
		kinds[state] = list
	}
	return kinds
}

func (c *counter) newTally() *tally {
	t := new(tally)
	c.workers = append(c.workers, t)
	return t
}

// count adds the blocks from a place in order on to the tally: those in the first lanes.
// They have the same program.
func (w *worker) count(lanes [][]uint64, place, program int) {
	sums := &w.tally.sums
	clear(sums[:bits.OnesCount64(w.cells)+1])
	w.kernel.count(sums, w.ring.kinds[program], w.scratch)
	for lane, words := range lanes {
		block := w.order[place+lane]
		outside := bits.OnesCount64(w.outside(uint64(block)) &^ w.cells)
		images := int(w.images[place+lane])
		totals := w.tally.byImages[images][outside:]
		for pegs := range bits.OnesCount64(w.cells) + 1 {
			totals[pegs] += sums[pegs][lane]
		}
		if images <= len(w.ring.folds) {
			w.countLeast(words, block, outside, program)
		}
	}
}

// countLeast adds a block that a fold leaves as it is to the tally up to symmetry.
func (w *worker) countLeast(words []uint64, block uint32, outside, program int) {
	least := w.tally.begin(words)
	for _, f := range w.ring.folds {
		if f.image(block) == block {
			keepLeast(least, f.Symmetry, uint64(block)*uint64(w.words))
		}
	}
	w.tally.addLeast(w.ring.kinds[program], outside)
}

// begin copies the words of a block to scratch memory, and returns it.
func (t *tally) begin(words []uint64) []uint64 {
	t.scratch = append(t.scratch[:0], words...)
	return t.scratch
}

// keepLeast keeps, in the words of a set from the first on, the positions that are not above their images.
func keepLeast(words []uint64, f *board.Symmetry, first uint64) {
	for i := range words {
		words[i] &= f.Least(first + uint64(i))
	}
}

// addLeast adds the scratch memory to the tally up to symmetry.
func (t *tally) addLeast(kinds []blockKind, outside int) {
	for _, k := range kinds {
		count := board.NewMaskedCount(k.masks)
		for _, w := range k.words {
			count.Add(t.scratch[w])
		}
		for n, members := range count.Totals() {
			t.least[outside+k.common+n] += members
		}
	}
}

// countLanes adds the bits of four blocks that lie side by side to the sums. It adds up as
// many words as four binary digits hold, as 64 numbers, then counts the bits of the digits.
func countLanes(sums *laneCounts, kinds []blockKind, scratch []uint64) {
	for i := range kinds {
		k := &kinds[i]
		sums := sums[k.common:]
		for words := k.words; len(words) > 0; words = words[min(15, len(words)):] {
			for lane := range 4 {
				var ones, twos, fours, eights, carry uint64
				rest := words[:min(15, len(words))]
				if len(rest)%2 == 1 {
					ones, rest = scratch[4*int(rest[0])+lane], rest[1:]
				}
				for ; len(rest) >= 2; rest = rest[2:] {
					ones, carry = board.CarrySave(ones, scratch[4*int(rest[0])+lane], scratch[4*int(rest[1])+lane])
					twos, carry = twos^carry, twos&carry
					fours, carry = fours^carry, fours&carry
					eights ^= carry
				}
				for n, m := range k.masks {
					sum := bits.OnesCount64(ones & m)
					if twos|fours|eights != 0 {
						sum += bits.OnesCount64(twos&m)<<1 + bits.OnesCount64(fours&m)<<2 + bits.OnesCount64(eights&m)<<3
					}
					sums[n][lane] += uint64(sum)
				}
			}
		}
	}
}

// Layers implements statespace.Stream: most pegs first.
func (s stream) Layers() []statespace.Layer { return s.ring.layers() }

// SetLayers implements statespace.Stream.
func (s stream) SetLayers(layers []statespace.Layer) error { return s.ring.setLayers(s.class, layers) }

// layers returns what was counted, most pegs first.
func (c *counter) layers() []statespace.Layer {
	var states, orbits board.PegCounts
	all := 1 + c.folds
	for _, l := range c.before {
		states[l.Layer], orbits[l.Layer] = l.States, l.Orbits
	}
	for _, t := range c.workers {
		for images := range t.byImages {
			for pegs, n := range t.byImages[images] {
				states[pegs] += uint64(images) * n
				if images == all {
					orbits[pegs] += n
				}
			}
		}
		for pegs, n := range t.least {
			orbits[pegs] += n
		}
	}
	return board.LayersOf(&states, &orbits)
}

// setLayers sets what was counted before, on the board of a class.
func (c *counter) setLayers(of *board.Class, layers []statespace.Layer) error {
	cells := len(of.Board().Cells())
	for _, l := range layers {
		if l.Layer < 0 || l.Layer > cells {
			return fmt.Errorf("positions with %d pegs were counted, on a board of %d cells", l.Layer, cells)
		}
	}
	c.before, c.workers = layers, nil
	return nil
}
