package peg

import (
	"fmt"
	"math/bits"

	"pagoda/statespace"
)

// A ring is the memory of a sweep for the blocks that are still needed. The block at place
// i in order lies where that at place i-slots was. Of blocks that are images of each other
// by the folds, one is made; it is counted for all of them.
type ring struct {
	slots     uint32
	folds     []*fold
	root      uint64 // the number of the start
	rootPlace int    // of its block, which the folds leave where it is

	kinds   [][]blockKind // by program: the words of a block
	workers []*tally
	before  []statespace.Layer // counted before
}

// A blockKind is words of a block whose bits stand for the same numbers of pegs. The kernels
// know its fields by their places.
type blockKind struct {
	common int      // pegs inside the block that all numbers have
	masks  []uint64 // by number of pegs more: the numbers in a word that have them
	words  []uint16
}

// newKinds sorts the words of blocks, by program.
func newKinds(b *blocks) (kinds [][]blockKind) {
	pegs := newPegMasks(b.class)
	type key struct {
		common int
		vary   Position
	}
	var varying uint64
	for _, cell := range pegs.vary {
		varying |= 1 << cell
	}
	for state := range 1 << len(b.inside) {
		var list []blockKind
		known := make(map[key]int)
		for w, first := range b.firsts {
			first := (first ^ scatter(b.inside, uint64(state))) & b.cells
			k := key{pegs.common(first), first & varying}
			i, ok := known[k]
			if !ok {
				i = len(list)
				known[k] = i
				kind := blockKind{common: k.common}
				more := pegs.more(first)
				for n := range len(pegs.vary) + 1 {
					kind.masks = append(kind.masks, pegs.equal(&more, n))
				}
				list = append(list, kind)
			}
			list[i].words = append(list[i].words, uint16(w))
		}
		kinds = append(kinds, list)
	}
	return kinds
}

// A side is a block as it looks from one side: what is pulled from blocks that are kept for
// others is gathered in the image of the block that is made.
type side struct {
	words   []uint64
	used    bool
	block   uint64 // the block at hand, and 1
	outside Position
}

func (s *sweep) newSides() []side {
	sides := make([]side, 1+len(s.ring.folds))
	for i := range s.ring.folds {
		sides[i+1].words = make([]uint64, s.words)
	}
	return sides
}

// open returns the words, which are empty when they are first used for a block.
func (s *side) open() []uint64 {
	if !s.used {
		s.used = true
		clear(s.words)
	}
	return s.words
}

// find completes the source that is chosen for a block.
func (s *sweeper) find(from *source, c chosen, block uint32, outside Position) {
	from.words = s.place(int(c.place>>s.viaBits - 1))
	if from.via = uint8(c.place & (1<<s.viaBits - 1)); from.via != 0 {
		f, side := s.ring.folds[from.via-1], &s.sides[from.via]
		if next := uint64(block) + 1; side.block != next {
			side.block, side.outside = next, s.outside(uint64(f.image(block)))
		}
		from.pull, outside = &s.pulls[f.pulls[c.pull]], side.outside
	}
	from.state = gather(from.pull.pivots, outside)
}

// begin makes the words those of a block into which nothing was pulled.
func (s *sweeper) begin(words []uint64, place int) {
	clear(words)
	if place == s.ring.rootPlace {
		in := s.ring.root & (1<<s.bits - 1)
		words[in/64] |= 1 << (in % 64)
	}
}

// foldSides adds to the words of a block what was gathered in its images.
func (s *sweeper) foldSides(words []uint64, block uint32) {
	for i := range s.sides {
		if side := &s.sides[i]; side.used {
			side.used = false
			f := s.ring.folds[i-1]
			f.gather(s.kernel, words, side.words, s.arranged, f.Map(uint64(block)<<s.bits)&(1<<s.bits-1))
		}
	}
}

// A tally is what was counted, by number of pegs.
type tally struct {
	byImages [maxSides + 1]pegCounts // the positions in blocks with so many images
	least    pegCounts               // up to symmetry, in blocks that a fold leaves where they are
	scratch  []uint64
	sums     laneCounts
}

// laneCounts are the positions in blocks that lie side by side, by number of pegs inside.
type laneCounts [MaxCells + 1][maxLanes]uint64

// maxSides is the largest number of symmetries of a board, with the identity.
const maxSides = 12

func (r *ring) newTally() *tally {
	t := new(tally)
	r.workers = append(r.workers, t)
	return t
}

// count adds the blocks from a place in order on to the tally: those in the first lanes. They
// have the same program.
func (s *sweeper) count(lanes [][]uint64, place, program int) {
	sums := &s.tally.sums
	clear(sums[:bits.OnesCount64(s.cells)+1])
	s.kernel.count(sums, s.ring.kinds[program], s.scratch)
	for lane, words := range lanes {
		block := s.order[place+lane]
		outside := bits.OnesCount64(s.outside(uint64(block)) &^ s.cells)
		images := int(s.images[place+lane])
		totals := s.tally.byImages[images][outside:]
		for pegs := range bits.OnesCount64(s.cells) + 1 {
			totals[pegs] += sums[pegs][lane]
		}
		if images <= len(s.ring.folds) {
			s.countLeast(words, block, outside, program)
		}
	}
}

// countLeast adds a block that a fold leaves where it is to the tally up to symmetry.
func (s *sweeper) countLeast(words []uint64, block uint32, outside, program int) {
	s.tally.scratch = append(s.tally.scratch[:0], words...)
	for _, f := range s.ring.folds {
		if f.image(block) == block {
			for i := range words {
				s.tally.scratch[i] &= f.Least(uint64(block)<<(s.bits-6) + uint64(i))
			}
		}
	}
	for _, k := range s.ring.kinds[program] {
		count(s.tally.least[outside+k.common:], k.masks, s.tally.scratch, k.words)
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
					ones, carry = carrySave(ones, scratch[4*int(rest[0])+lane], scratch[4*int(rest[1])+lane])
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

// A stream is a sweep with a ring. It implements statespace.Stream.
type stream struct{ *sweep }

// newStream returns the work of making the blocks of a folding.
func newStream(f *folding, k *kernel, root uint64, memory []uint64) stream {
	s := &sweep{blocks: f.blocks, kernel: k, layout: f.layout, memory: memory, plan: f.plan}
	s.compile()
	// There are no more slots than blocks, so that their numbers are of 32 bits.
	s.ring = &ring{slots: uint32(min(len(memory)/f.words, max(1, len(f.order)))), folds: f.folds, root: root, kinds: newKinds(f.blocks)}
	s.ring.rootPlace = int(f.places[root>>f.bits]>>f.viaBits) - 1
	return stream{s}
}

// Begin implements statespace.Stream.
func (s stream) Begin(stage int) uint64 { return uint64(s.stages[stage]) }

// Needs implements statespace.Stream.
func (s stream) Needs(stage int) uint64 { return uint64(s.needs[stage]) }

// Words implements statespace.Stream.
func (s stream) Words(i uint64) []uint64 { return s.place(int(i)) }

// Tally implements statespace.Stream: most pegs first.
func (s stream) Tally() []statespace.Layer {
	var states, orbits pegCounts
	all := 1 + len(s.ring.folds)
	for _, l := range s.ring.before {
		states[l.Layer], orbits[l.Layer] = l.States, l.Orbits
	}
	for _, t := range s.ring.workers {
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
	var layers []statespace.Layer
	for pegs := MaxCells; pegs >= 0; pegs-- {
		if states[pegs] > 0 {
			layers = append(layers, statespace.Layer{Layer: pegs, States: states[pegs], Orbits: orbits[pegs]})
		}
	}
	return layers
}

// SetTally implements statespace.Stream.
func (s stream) SetTally(layers []statespace.Layer) error {
	cells := len(s.class.board.cells)
	for _, l := range layers {
		if l.Layer < 0 || l.Layer > cells {
			return fmt.Errorf("positions with %d pegs were counted, on a board of %d cells", l.Layer, cells)
		}
	}
	s.ring.before, s.ring.workers = layers, nil
	return nil
}
