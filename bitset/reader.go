package bitset

import (
	"errors"
	"fmt"
	"math/bits"
)

// BlockBits gives the size of a Reader's blocks: 2^BlockBits numbers, 64 KiB.
const BlockBits = 19

// A Reader is a set that is read a block at a time. So a store may keep its set in another
// form, or check it on the way. Readers may be used by several goroutines at once.
type Reader interface {
	// Len returns the bound: the set holds numbers below it.
	Len() uint64
	// Block returns the words that hold the numbers from i<<BlockBits on, up to
	// 2^BlockBits of them and below Len. The caller must not change them.
	Block(i uint64) ([]uint64, error)
}

// A Finder is a Reader whose blocks take time to make. It finds single numbers and words
// without them.
type Finder interface {
	Reader
	// Has reports whether x, which is below Len, is in the set.
	Has(x uint64) (bool, error)
	// Word returns the numbers from 64*i on, bit by bit. 64*i is below Len.
	Word(i uint64) (uint64, error)
}

// A Batcher is a Finder that finds several words faster than one by one. It takes two steps, so that
// waits for the memory of a batch overlap with the work on others.
type Batcher interface {
	Finder
	// Early returns the memory that is read first for a word: that of word i is words[i>>shift]. The
	// processor may be asked to fetch it early. Without words there is none.
	Early() (words []uint64, shift uint8)
	// Begin begins to find the words of a batch.
	Begin(b *Batch) error
	// End ends what Begin has begun: Found[k] is Word(Words[k]) & Masks[k] then.
	End(b *Batch) error
}

// BatchWords is how many words a Batch can have.
const BatchWords = 64

// A Batch is words that a Batcher finds.
type Batch struct {
	N                   int
	Words, Masks, Found [BatchWords]uint64

	// A list of the Batcher, between Begin and End. Mostly it is short. There is room for 16 more.
	Firsts, Listed int
	Places         [64*BatchWords + 16]uint64
	Bits           [64*BatchWords + 16]uint32
}

// A Ranker is a Reader that knows how many members come before a number.
type Ranker interface {
	Reader
	// Rank and Select do what the functions of this package do.
	Rank(x uint64) (uint64, error)
	Select(i uint64) (uint64, error)
}

// Block implements Reader.
func (s *Set) Block(i uint64) ([]uint64, error) {
	const n = 1 << BlockBits / 64
	return s.words[i*n : min((i+1)*n, uint64(len(s.words)))], nil
}

// Blocks returns the number of blocks of r.
func Blocks(r Reader) uint64 { return (r.Len() + 1<<BlockBits - 1) >> BlockBits }

// BlockWords returns how many words block i of r has.
func BlockWords(r Reader, i uint64) uint64 {
	const n = 1 << BlockBits / 64
	return min(n, Words(r.Len())-i*n)
}

// BlockByWord is Block of a Finder that finds words, one by one.
func BlockByWord(f Finder, i uint64) (words []uint64, err error) {
	words = make([]uint64, BlockWords(f, i))
	for w := range words {
		if words[w], err = f.Word(i<<BlockBits/64 + uint64(w)); err != nil {
			return nil, err
		}
	}
	return words, nil
}

// WordByHas is Word of a Finder that finds single numbers only.
func WordByHas(f Finder, i uint64) (word uint64, err error) {
	for b := range min(64, f.Len()-64*i) {
		has, err := f.Has(64*i + b)
		if err != nil {
			return 0, err
		}
		if has {
			word |= 1 << b
		}
	}
	return word, nil
}

// Has reports whether x is in the set; a number not below Len is not.
func Has(r Reader, x uint64) (bool, error) {
	if x >= r.Len() {
		return false, nil
	}
	if f, ok := r.(Finder); ok {
		return f.Has(x)
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
	if k, ok := r.(Ranker); ok {
		return k.Rank(x)
	}
	for b := range Blocks(r) {
		first := b << BlockBits
		if first >= x {
			break
		}
		words, err := r.Block(b)
		if err != nil {
			return 0, err
		}
		n += CountBelow(words, x-first)
	}
	return n, nil
}

// CountBelow returns the number of members in words that are below x.
func CountBelow(words []uint64, x uint64) (n uint64) {
	whole := min(x/64, uint64(len(words)))
	n = Count(words[:whole])
	if whole < uint64(len(words)) {
		n += uint64(bits.OnesCount64(words[whole] & (1<<(x%64) - 1)))
	}
	return n
}

// Count returns the number of members in words.
func Count(words []uint64) (n uint64) {
	for _, w := range words {
		n += uint64(bits.OnesCount64(w))
	}
	return n
}

// ErrRank says that a set has too few members for a rank.
var ErrRank = errors.New("there is no such member")

// NoRank returns an ErrRank: the set has only these members, and i should come before the one
// that was asked for.
func NoRank(members, i uint64) error {
	return fmt.Errorf("%w: the set has %d, and %d should come before it", ErrRank, members, i)
}

// Select returns the member that has i members below it. It is ErrRank when there are
// no more than i members.
func Select(r Reader, i uint64) (x uint64, err error) {
	if k, ok := r.(Ranker); ok {
		return k.Select(i)
	}
	rest := i
	for b := range Blocks(r) {
		words, err := r.Block(b)
		if err != nil {
			return 0, err
		}
		n := Count(words)
		if rest < n {
			return b<<BlockBits + SelectIn(words, rest), nil
		}
		rest -= n
	}
	return 0, NoRank(i-rest, i)
}

// SelectIn returns the member in words that has i members below it. There must be more than i members.
func SelectIn(words []uint64, i uint64) uint64 {
	w := 0
	for ; i >= uint64(bits.OnesCount64(words[w])); w++ {
		i -= uint64(bits.OnesCount64(words[w]))
	}
	word := words[w]
	for range i {
		word &= word - 1
	}
	return uint64(w)*64 + uint64(bits.TrailingZeros64(word))
}
