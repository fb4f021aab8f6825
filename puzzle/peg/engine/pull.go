package engine

import (
	"math/bits"
	"slices"

	"pagoda/internal/gf2"
	"pagoda/puzzle/peg/board"
)

// A blockPull is a jump from one block to another, seen from the block it leads to.
type blockPull struct {
	cells, want uint64 // it leads to the blocks that have these pegs in these cells
	flip        uint64 // source block ^ flip is the block
	pivots      []int  // the pivots inside that it depends on
	// By the state of these pivots, in one of two forms:
	byWords   [][]wordPull
	byVectors [][]vectorPull
}

// A wordPull is the words of a block to which a blockPull does the same.
type wordPull struct {
	mask  uint64   // of the source's word: where the jump can be made
	turn  int      // the masked word is rotated left by this
	flip  uint16   // source word ^ flip is the word
	words []uint16 // which words; nil for all, and then flip is 0
	quads bool     // words lists the first of each four
}

// newPull compiles a jump, to be made by words or by vectors.
func (b *blocks) newPull(j board.Jump, byVectors bool) blockPull {
	flip, turn := b.class.Flip(j), b.class.Turn(j)
	outside := j.Mask() &^ b.cells
	p := blockPull{cells: outside, want: 1 << j.To & outside, flip: flip >> b.bits}
	for _, pivot := range b.inside {
		if j.Mask()>>pivot&1 == 1 {
			p.pivots = append(p.pivots, pivot)
		}
	}
	wordFlip := uint16(flip >> 6 & uint64(b.words-1))
	for state := range 1 << len(p.pivots) {
		pivots := gf2.Deposit(p.pivots, uint64(state))
		if byVectors {
			p.byVectors = append(p.byVectors, b.vectorPulls(j, pivots))
			continue
		}
		var pulls []wordPull
		for w, first := range b.firsts {
			mask := bits.RotateLeft64(b.masks.Jumped(j, b.cells, first^pivots), -turn)
			if mask == 0 {
				continue
			}
			i := slices.IndexFunc(pulls, func(p wordPull) bool { return p.mask == mask })
			if i < 0 {
				i = len(pulls)
				pulls = append(pulls, wordPull{mask: mask, turn: turn, flip: wordFlip})
			}
			pulls[i].words = append(pulls[i].words, uint16(w))
		}
		for i := range pulls {
			pulls[i].pack(b.words)
		}
		p.byWords = append(p.byWords, pulls)
	}
	return p
}

// pack shortens the list of words; a block has the given number.
func (p *wordPull) pack(block int) {
	if len(p.words) == block && p.flip == 0 {
		p.words = nil
		return
	}
	for i, w := range p.words {
		if w != p.words[i&^3]&^3+uint16(i&3) {
			return
		}
	}
	if len(p.words)%4 == 0 && p.flip%4 == 0 {
		p.quads = true
		var firsts []uint16
		for i := 0; i < len(p.words); i += 4 {
			firsts = append(firsts, p.words[i])
		}
		p.words = firsts
	}
}

// pull makes the jump from one block to another.
func (p *wordPull) pull(to, from []uint64) {
	mask, turn := p.mask, p.turn
	from = from[:len(to)]
	switch {
	case p.quads:
		for _, w := range p.words {
			to, from := (*[4]uint64)(to[w:]), (*[4]uint64)(from[w^p.flip:])
			to[0] |= bits.RotateLeft64(from[0]&mask, turn)
			to[1] |= bits.RotateLeft64(from[1]&mask, turn)
			to[2] |= bits.RotateLeft64(from[2]&mask, turn)
			to[3] |= bits.RotateLeft64(from[3]&mask, turn)
		}
	case p.words != nil:
		for _, w := range p.words {
			to[w] |= bits.RotateLeft64(from[w^p.flip]&mask, turn)
		}
	case mask == ^uint64(0):
		for i := range to {
			to[i] |= from[i]
		}
	default:
		for i := range to {
			to[i] |= bits.RotateLeft64(from[i]&mask, turn)
		}
	}
}

// Vectors are eight words that lie together, in memory and by number.
const vectorBits, vectorWords = 3, 8

// A vectorPull is the vectors of a block to which a blockPull does the same. The
// assembly knows the offsets of its fields.
type vectorPull struct {
	masks [vectorWords]uint64 // of each word: where the jump can lead to
	turn  uint64              // the source's words are rotated left by this
	flip  uint64              // source word ^ flip is the word
	at    []uint16            // first words of the vectors
}

// vectorPulls compiles a jump for blocks with a state of the pivots inside.
func (b *blocks) vectorPulls(j board.Jump, pivots board.Position) []vectorPull {
	var pulls []vectorPull
	for w := 0; w < b.words; w += vectorWords {
		var masks [vectorWords]uint64
		for i := range masks {
			masks[i] = b.masks.Jumped(j, b.cells, b.firsts[w+i]^pivots)
		}
		if masks == [vectorWords]uint64{} {
			continue
		}
		i := slices.IndexFunc(pulls, func(p vectorPull) bool { return p.masks == masks })
		if i < 0 {
			i = len(pulls)
			flip := b.class.Flip(j) >> 6 & uint64(b.words-1)
			pulls = append(pulls, vectorPull{masks: masks, turn: uint64(b.class.Turn(j)) & 63, flip: flip})
		}
		pulls[i].at = append(pulls[i].at, uint16(w))
	}
	return pulls
}

// A pullFilter finds the pulls that lead to a block. In small blocks, to test each pull
// would take longer than to make those that lead there. There is an element for 64 pulls
// each. It says, for each byte of a position, which pulls lead to positions with this
// byte.
type pullFilter [][8][256]uint64

func newPullFilter(pulls []blockPull) pullFilter {
	f := make(pullFilter, (len(pulls)+63)/64)
	for i, p := range pulls {
		for k := range 8 {
			cells, want := byte(p.cells>>(8*k)), byte(p.want>>(8*k))
			for x := range 256 {
				if byte(x)&cells == want {
					f[i/64][k][x] |= 1 << (i % 64)
				}
			}
		}
	}
	return f
}

// leading returns which of the 64 pulls from i on lead to the block with the first
// position p.
func (f pullFilter) leading(i int, p board.Position) uint64 {
	t := &f[i/64]
	return t[0][byte(p)] & t[1][byte(p>>8)] & t[2][byte(p>>16)] & t[3][byte(p>>24)] &
		t[4][byte(p>>32)] & t[5][byte(p>>40)] & t[6][byte(p>>48)] & t[7][byte(p>>56)]
}
