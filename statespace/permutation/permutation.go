package permutation

import "math/bits"

// MaxItems is the greatest number of items in a permutation.
const MaxItems = 16

// Count returns the number of permutations of some items, n!. For two items or more, half of them are odd.
func Count(items int) uint64 {
	n := uint64(1)
	for i := 2; i <= items; i++ {
		n *= uint64(i)
	}
	return n
}

// Rank returns the rank of a permutation among all of its items.
func Rank(p []uint8) uint64 {
	x, _ := RankHalf(p)
	if n := len(p); n > 1 && p[n-2] > p[n-1] {
		return 2*x + 1
	}
	return 2 * x
}

// RankHalf returns the rank of a permutation among those with its parity. It also returns 1 if the permutation
// is odd, else 0.
func RankHalf(p []uint8) (x uint64, odd int) {
	left := uint(1)<<len(p) - 1
	last := max(0, len(p)-2)
	for i, item := range p[:last] {
		smaller := bits.OnesCount(left & (1<<item - 1))
		left &^= 1 << item
		x = x*uint64(len(p)-i) + uint64(smaller)
		odd += smaller
	}
	if len(p) > 1 && p[last] > p[last+1] {
		odd++
	}
	return x, odd & 1
}

// Unrank puts the permutation of a rank, below Count(len(p)), into p.
func Unrank(p []uint8, x uint64) {
	UnrankHalf(p, x/2, 0)
	if n := len(p); n > 1 && (p[n-2] > p[n-1]) != (x&1 == 1) {
		p[n-2], p[n-1] = p[n-1], p[n-2]
	}
}

// UnrankHalf puts the permutation of a rank, below Count(len(p))/2, among those of a parity into p. Odd is 1 for
// odd permutations, and 0 for even ones.
func UnrankHalf(p []uint8, x uint64, odd int) {
	last := max(0, len(p)-2)
	for i := last - 1; i >= 0; i-- {
		radix := uint64(len(p) - i)
		p[i] = uint8(x % radix)
		x /= radix
		odd += int(p[i])
	}
	clear(p[last:])
	if len(p) > 1 {
		p[last] = uint8(odd & 1)
	}
	left := uint64(0xFEDCBA9876543210) // the items that are left, in order, four bits each
	for i, smaller := range p {
		at := smaller % 16 * 4
		p[i] = uint8(left >> at & 15)
		below := uint64(1)<<at - 1
		left = left&below | left>>4&^below
	}
}
