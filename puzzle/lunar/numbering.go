package lunar

import (
	"fmt"
	"math/big"
	"math/bits"

	"pagoda/internal/amount"
	"pagoda/puzzle/lunar/board"
	"pagoda/statespace"
)

// maxNumbers bounds the number pieces of a group: sets of them are words of 16 bits.
const maxNumbers = 16

// A numbering numbers the placements of up to some letters and exactly some numbers on a board. The
// letters come first: their number among all sets of that many cells without an exit. Then come the
// number pieces: their number among all sets of the cells that the letters leave. Sets of the same
// size are numbered in the order of their words.
type numbering struct {
	b                *board.Board
	cells            int
	letters, numbers int
	inner            board.Set                         // cells without an exit, where letters stand
	choose           [maxPieces][board.MaxCells]uint64 // binomials, by pieces and cells
	ways             []uint64                          // by number of letters: placements of the number pieces
	first            []uint64                          // by number of letters: the first number; and the end
}

// maxPieces bounds the pieces of a kind; it is a power of two.
const maxPieces = 32

// maxSize bounds the numbers of a space.
const maxSize = 1 << 62

func newNumbering(b *board.Board, letters, numbers int) (*numbering, error) {
	n := &numbering{b: b, cells: len(b.Cells()), letters: letters, numbers: numbers, inner: b.All() &^ b.Exits()}
	switch {
	case letters < 1 || numbers < 0:
		return nil, fmt.Errorf("a group has at least 1 letter, and 0 numbers or more; found %d-%d", letters, numbers)
	case letters > bits.OnesCount64(n.inner) || letters+numbers > n.cells:
		return nil, fmt.Errorf("%s and %s have no place on %s, %d of them without an exit", amount.Of(letters, "letter"), amount.Of(numbers, "number"), amount.Of(n.cells, "cell"), bits.OnesCount64(n.inner))
	case letters > len(board.LetterNames) || numbers > maxNumbers:
		return nil, fmt.Errorf("a group has at most %d letters and %d numbers, found %d-%d", len(board.LetterNames), maxNumbers, letters, numbers)
	}
	for k := range n.choose {
		for cells := range n.choose[k] {
			n.choose[k][cells] = binomial(cells, k)
		}
	}
	at := uint64(0)
	for k := range letters + 1 {
		n.first = append(n.first, at)
		n.ways = append(n.ways, binomial(n.cells-k, numbers))
		over, size := bits.Mul64(n.letterSets(k), n.ways[k])
		if at += size; over > 0 || size > maxSize || at > maxSize {
			return nil, fmt.Errorf("%w: %d-%d on %d cells has more than 2^62 placements", statespace.ErrMemory, letters, numbers, n.cells)
		}
	}
	n.first = append(n.first, at)
	return n, nil
}

// letterSets returns how many sets of k cells letters can stand on.
func (n *numbering) letterSets(k int) uint64 { return binomial(bits.OnesCount64(n.inner), k) }

// size returns how many placements there are.
func (n *numbering) size() uint64 { return n.first[n.letters+1] }

// rank returns the number of a set among those of the same size, in the order of their words.
func (n *numbering) rank(s board.Set) (r uint64) {
	for k := 1; s != 0; k++ {
		r += n.choose[k%maxPieces][bits.TrailingZeros64(s)%board.MaxCells]
		s &= s - 1
	}
	return r
}

// binomial returns the number of sets of k of n things, or maxSize if there are more.
func binomial(n, k int) uint64 {
	if k > n {
		return 0
	}
	b := big.Int{}
	if b.Binomial(int64(n), int64(k)); b.BitLen() > 62 {
		return maxSize
	}
	return b.Uint64()
}

// unrank returns the set of a number among those of k cells.
func (n *numbering) unrank(r uint64, k int) (s board.Set) {
	for at := n.cells; k > 0; k-- {
		for at--; n.choose[k][at] > r; {
			at--
		}
		r -= n.choose[k][at]
		s |= 1 << at
	}
	return s
}

// squeeze takes the cells of gaps out of a set that has none of them.
func squeeze(s, gaps board.Set) board.Set {
	for gaps != 0 {
		high := 63 - bits.LeadingZeros64(gaps)
		below := board.Set(1)<<high - 1
		s = s&below | s>>1&^below
		gaps &^= 1 << high
	}
	return s
}

// spread undoes squeeze.
func spread(s, gaps board.Set) board.Set {
	for ; gaps != 0; gaps &= gaps - 1 {
		below := gaps&-gaps - 1
		s = s&below | s&^below<<1
	}
	return s
}

// number returns the number of a placement.
func (n *numbering) number(p board.Position) uint64 {
	k := bits.OnesCount64(p.Letters)
	return n.first[k] + n.rank(squeeze(p.Letters, n.b.Exits()))*n.ways[k] + n.rank(squeeze(p.Numbers, p.Letters))
}

// position returns the placement of a number.
func (n *numbering) position(x uint64) board.Position {
	k := n.letters
	for x < n.first[k] {
		k--
	}
	x -= n.first[k]
	letters := spread(n.unrank(x/n.ways[k], k), n.b.Exits())
	return board.Position{Letters: letters, Numbers: spread(n.unrank(x%n.ways[k], n.numbers), letters)}
}
