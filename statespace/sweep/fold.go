package sweep

import (
	"cmp"
	"context"

	"pagoda/bitset"
	"pagoda/internal/lists"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// Symmetries returns the symmetries of a space. Without kernels for words they work number by number.
func Symmetries(sp statespace.Space) (all []statespace.WordSymmetry) {
	if words := sp.Parts().Symmetry.Words; words != nil {
		return words()
	}
	return lists.Map(statespace.Symmetries(sp), func(s statespace.Symmetry) statespace.WordSymmetry { return plainSymmetry{s, sp.Size()} })
}

// Plain returns a symmetry that does everything number by number, in a space of the given
// size.
func Plain(s statespace.Symmetry, size uint64) statespace.WordSymmetry { return plainSymmetry{s, size} }

type plainSymmetry struct {
	statespace.Symmetry
	size uint64
}

// Least implements statespace.WordSymmetry.
func (s plainSymmetry) Least(word uint64) (least uint64) {
	for x := 64 * word; x < min(64*word+64, s.size); x++ {
		if x <= s.Map(x) {
			least |= 1 << (x % 64)
		}
	}
	return least
}

// Gather implements statespace.WordSymmetry.
func (s plainSymmetry) Gather(word uint64, read func(word uint64) uint64) (found uint64) {
	for x := 64 * word; x < min(64*word+64, s.size); x++ {
		y := s.Map(x)
		found |= read(y/64) >> (y % 64) & 1 << (x % 64)
	}
	return found
}

// TakesBlocks implements statespace.WordSymmetry. It looks at all numbers, and returns false for a large
// space.
func (s plainSymmetry) TakesBlocks(bits int) bool {
	const large = 1 << 24
	if s.size > large {
		return false
	}
	for x := range s.size {
		if s.Map(x)>>bits != s.Map(x>>bits<<bits)>>bits {
			return false
		}
	}
	return true
}

// GatherBlock implements statespace.WordSymmetry.
func (s plainSymmetry) GatherBlock([]uint64, []uint64, uint64) bool { return false }

// Columns implements statespace.WordSymmetry.
func (s plainSymmetry) Columns() []uint64 { return nil }

// Fold returns the least members of a word: those with no image below them. A symmetric set has
// one of them in each orbit.
func Fold(symmetries []statespace.WordSymmetry, word, members uint64) uint64 {
	for _, s := range symmetries {
		if members == 0 {
			break
		}
		members &= s.Least(word)
	}
	return members
}

// Unfold returns a word of the set of all images of the members of another set. Read returns the
// words of the other set.
func Unfold(symmetries []statespace.WordSymmetry, word uint64, read func(word uint64) uint64) uint64 {
	// A number that a symmetry takes to a member is the image of the member by the inverse,
	// which is a symmetry too.
	members := read(word)
	for _, s := range symmetries {
		members |= s.Gather(word, read)
	}
	return members
}

// UnfoldSet fills a set with all images of the members of another one, whatever it had before.
// The sets do not share memory. When ctx ends, UnfoldSet stops soon and returns the cause.
func UnfoldSet(ctx context.Context, sp statespace.Space, folded, set *bitset.Set, threads int, progress *statespace.Progress) error {
	if err := cmp.Or(statespace.CheckLen(sp, folded), statespace.CheckLen(sp, set)); err != nil {
		return err
	}
	symmetries, from, to := Symmetries(sp), folded.Words(), set.Words()
	read := func(word uint64) uint64 { return from[word] }
	const part = 1 << 12
	n := uint64(len(to))
	progress.Start(int64((n + part - 1) / part))
	return mapped.Parts(ctx, threads, n, part, func(first, end uint64) error {
		for i := first; i < end; i++ {
			to[i] = Unfold(symmetries, i, read)
		}
		progress.Add(1)
		return nil
	})
}
