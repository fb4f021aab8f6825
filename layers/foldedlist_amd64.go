//go:build !purego

package layers

import (
	"golang.org/x/sys/cpu"

	"pagoda/bitset"
)

// hasVectors says that the processor has what listAVX512 needs.
var hasVectors = cpu.X86.HasAVX512F && cpu.X86.HasAVX512CD && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT

// listFast is list by vectors. It reports false if a route is not known yet, or without vectors.
func (w *ways) listFast(b *bitset.Batch) (ok bool) {
	if !hasVectors || b.N == 0 {
		return false
	}
	b.Firsts, b.Listed, ok = listAVX512(&w.routes[0], &w.starts[0], &w.low[0][0], &w.high[0], uint64(w.shift), uint64(w.highBits), b.N,
		&b.Words[0], &b.Places[0], &b.Bits[0])
	return ok
}

// listAVX512 is listFast for n words, from 1 to bitset.BatchWords. Batch.Masks and Batch.Found follow words. It may
// write 16 places and bits behind the list.
//
//go:noescape
func listAVX512(routes, starts, low, high *uint32, shift, highBits uint64, n int, words, places *uint64, bits *uint32) (firsts, listed int, ok bool)
