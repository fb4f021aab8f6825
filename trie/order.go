package trie

import (
	"context"
	"fmt"

	"pagoda/bitset"
	"pagoda/internal/mapped"
)

// An Order tells in which order a trie looks at the bits of a number: it holds paths, and
// goes through them from the highest bit down. How many nodes there are
// depends on the order, as with any decision diagram: bits that have to do with one
// another should be near to one another. It has as many bits as Bits tells. An
// order in which bits change their places is for a Len that is a power of two.
type Order = bitset.Order

// Bits returns the number of bits of a path: those of numbers below n, six at least.
func Bits(n uint64) int { return 6 + height(n) }

// checkOrder checks an order for numbers below n.
func checkOrder(o Order, n uint64) error {
	if len(o) != Bits(n) {
		return fmt.Errorf("the order of the bits of numbers below %d has %d bits, found %d", n, Bits(n), len(o))
	}
	if err := o.Check(); err != nil {
		return err
	}
	if !o.Plain() && (n < 64 || n&(n-1) != 0) {
		return fmt.Errorf("bits change their places only in numbers below a power of two, 64 at least; found %d", n)
	}
	return nil
}

// pathTable tells the bits of the path for each byte of a number.
func pathTable(o Order) *[8][256]uint64 {
	t := new([8][256]uint64)
	for i, bit := range o {
		for b := range 256 {
			t[bit/8][b] |= uint64(b) >> (bit % 8) & 1 << i
		}
	}
	return t
}

// permute makes a set, in other memory, that of the paths of the numbers in a set.
func permute(ctx context.Context, o Order, out, words []uint64, threads int) error {
	mover := o.Mover()
	return split(ctx, mover.Groups(), threads, func(first, end uint64) error {
		mover.Move(out, words, first, end)
		return nil
	})
}

// split calls do with parts of n words, on several threads.
func split(ctx context.Context, n uint64, threads int, do func(first, end uint64) error) error {
	return mapped.Parts(ctx, threads, n, 1<<(bitset.BlockBits-6), do) // the words may lie in a map of a file
}
