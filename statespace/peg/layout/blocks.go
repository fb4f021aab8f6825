package layout

import (
	"math/bits"
	"slices"

	"pagoda/statespace/peg/board"
	"pagoda/statespace/peg/internal/gf2"
)

// Blocks counts by weight, up to that of the start, the blocks of the start's class. The
// sweep goes through no others.
func (l *Layout) Blocks(start board.Position) []uint64 { return l.fixed(start, nil) }

// Representatives is Blocks for a folded sweep, which makes one block per orbit of the
// symmetries. The symmetries must leave the start as it is.
func (l *Layout) Representatives(start board.Position) []uint64 {
	// By Burnside's lemma: the mean number of blocks that a symmetry leaves as they are.
	if len(l.symmetries) == 0 {
		return l.Blocks(start)
	}
	orbits := l.fixed(start, l.symmetries[0])
	for _, s := range l.symmetries[1:] {
		for w, n := range l.fixed(start, s) {
			orbits[w] += n
		}
	}
	for w := range orbits {
		orbits[w] /= uint64(len(l.symmetries))
	}
	return orbits
}

// RepresentativeCount returns the number of Representatives.
func (l *Layout) RepresentativeCount(start board.Position) (n uint64) {
	for _, blocks := range l.Representatives(start) {
		n += blocks
	}
	return n
}

// Window returns how many blocks a sweep holds at a time, if it goes through the given
// numbers of blocks by weight: while it makes those of one weight, it reads blocks that
// weigh up to Drop more.
func (l *Layout) Window(blocks []uint64) uint64 { return mostWithin(blocks, l.Drop) }

// fixed counts by weight, up to that of the start, the blocks of the start's class that a
// symmetry takes to themselves; nil is the identity.
func (l *Layout) fixed(start board.Position, symmetry board.Permutation) []uint64 {
	b := l.board
	outer := b.Full() &^ l.Block
	// In a class, the parity of the pegs outside Block is fixed for those invariants
	// that have no cell in it. They are the ones whose pivots are outside, when pivots
	// are inside if they can be.
	rows, pivots := gf2.Reduce(b.Invariants(), slices.Concat(gf2.List(l.Block), gf2.List(outer)))
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
	weigher := NewWeigher(l.BlockWeights)
	heaviest := weigher.Weight(start)

	// By parities and weight. The cells of a cycle of the symmetry all hold a peg, or
	// none does.
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
			for w := weigher.Weight(cycle); w <= heaviest; w++ {
				more[i][w] += from[w-weigher.Weight(cycle)]
			}
		}
		count = more
	}
	return count[odd(start)]
}

// mostWithin returns the most that any drop+1 successive counts sum to.
func mostWithin(count []uint64, drop int) (most uint64) {
	var sum uint64
	for i, n := range count {
		sum += n
		if i > drop {
			sum -= count[i-drop-1]
		}
		most = max(most, sum)
	}
	return most
}

// A Weigher sums the weights of the pegs of a position, with eight look-ups.
type Weigher [8][256]int

// NewWeigher takes a weight for each cell.
func NewWeigher(weights []int) *Weigher {
	var t Weigher
	for cell, w := range weights {
		row, b := &t[cell/8], 1<<(cell%8)
		for x := range row {
			if x&b != 0 {
				row[x] += w
			}
		}
	}
	return &t
}

// Weight returns the weight of a position.
func (t *Weigher) Weight(p board.Position) int {
	return t[0][byte(p)] + t[1][byte(p>>8)] + t[2][byte(p>>16)] + t[3][byte(p>>24)] +
		t[4][byte(p>>32)] + t[5][byte(p>>40)] + t[6][byte(p>>48)] + t[7][byte(p>>56)]
}
