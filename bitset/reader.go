package bitset

import (
	"errors"
	"fmt"
	"math/bits"
)

// BlockBits gives the size of a Reader's blocks: 2^BlockBits numbers, 64 KiB.
const BlockBits = 19

// A Reader is a set that is read a block at a time. A store that keeps its set in
// another form, or checks it on the way, need only make blocks of it. Readers may be
// used by several goroutines at once.
type Reader interface {
	// Len returns the bound: the set holds numbers below it.
	Len() uint64
	// Block returns the words that hold the numbers from i<<BlockBits on, up to
	// 2^BlockBits of them and below Len. The caller must not change them.
	Block(i uint64) ([]uint64, error)
}

// Block implements Reader.
func (s *Set) Block(i uint64) ([]uint64, error) {
	const n = 1 << BlockBits / 64
	return s.words[i*n : min((i+1)*n, uint64(len(s.words)))], nil
}

// blocks returns the number of blocks of r.
func blocks(r Reader) uint64 { return (r.Len() + 1<<BlockBits - 1) >> BlockBits }

// Has reports whether x is in the set; a number not below Len is not.
func Has(r Reader, x uint64) (bool, error) {
	if x >= r.Len() {
		return false, nil
	}
	words, err := r.Block(x >> BlockBits)
	if err != nil {
		return false, err
	}
	x &= 1<<BlockBits - 1
	return words[x/64]>>(x%64)&1 == 1, nil
}

// Rank returns how many members are below x, which is at most Len.
func Rank(r Reader, x uint64) (n uint64, err error) {
	for b := range blocks(r) {
		first := b << BlockBits
		if first >= x {
			break
		}
		words, err := r.Block(b)
		if err != nil {
			return 0, err
		}
		n += countBelow(words, x-first)
	}
	return n, nil
}

// countBelow counts the members below x.
func countBelow(words []uint64, x uint64) (n uint64) {
	whole := min(x/64, uint64(len(words)))
	n = countWords(words[:whole])
	if whole < uint64(len(words)) {
		n += uint64(bits.OnesCount64(words[whole] & (1<<(x%64) - 1)))
	}
	return n
}

func countWords(words []uint64) (n uint64) {
	for _, w := range words {
		n += uint64(bits.OnesCount64(w))
	}
	return n
}

// ErrRank says that a set has too few members for a rank.
var ErrRank = errors.New("there is no such member")

// Select returns the member that has i members below it. It is ErrRank when there are
// no more than i members.
func Select(r Reader, i uint64) (x uint64, err error) {
	rest := i
	for b := range blocks(r) {
		words, err := r.Block(b)
		if err != nil {
			return 0, err
		}
		if n := countWords(words); rest >= n {
			rest -= n
			continue
		}
		for w, word := range words {
			n := uint64(bits.OnesCount64(word))
			if rest >= n {
				rest -= n
				continue
			}
			for ; rest > 0; rest-- {
				word &= word - 1
			}
			return b<<BlockBits + uint64(w)*64 + uint64(bits.TrailingZeros64(word)), nil
		}
	}
	return 0, fmt.Errorf("%w: the set has %d, and %d should come before it", ErrRank, i-rest, i)
}
