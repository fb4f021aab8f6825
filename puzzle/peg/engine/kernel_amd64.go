//go:build !purego

package engine

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate -command asm go -C internal/asm run .
//go:generate asm -pkg engine -out ../../kernel_amd64.s

// vectorKernels returns the kernels in assembly that this processor can run, best first.
func vectorKernels() (have []*kernel) {
	if cpu.X86.HasAVX512F && hasAVX2 {
		have = append(have, &avx512Kernel)
	}
	if hasAVX2 {
		have = append(have, &avx2Kernel)
	}
	return have
}

// POPCNT is older than AVX2, but has a bit of its own.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT

var avx512Kernel = kernel{
	name: "avx512", lanes: vectorWords,
	interleave: func(scratch []uint64, blocks [][]uint64) {
		interleaveAVX512(&scratch[0], firstWords(blocks), len(blocks[0]))
	},
	separate: func(scratch []uint64, blocks [][]uint64) {
		separateAVX512(&scratch[0], firstWords(blocks), len(blocks[0]))
	},
	close:    func(p *program, scratch []uint64) { closeAVX512(p, &scratch[0]) },
	pull:     func(to, from []uint64, pull *vectorPull) { pullAVX512(&to[0], &from[0], pull) },
	count:    countByBits(),
	arrange:  arrangeByBits(),
	exchange: func(e *exchange, words []uint64) { exchangeAVX512(e, &words[0]) },
}

var avx2Kernel = kernel{
	name: "avx2", lanes: vectorWords,
	interleave: func(scratch []uint64, blocks [][]uint64) {
		interleaveAVX2(&scratch[0], firstWords(blocks), len(blocks[0]))
	},
	separate: func(scratch []uint64, blocks [][]uint64) {
		separateAVX2(&scratch[0], firstWords(blocks), len(blocks[0]))
	},
	close:    func(p *program, scratch []uint64) { closeAVX2(p, &scratch[0]) },
	pull:     func(to, from []uint64, pull *vectorPull) { pullAVX2(&to[0], &from[0], pull) },
	count:    countByNibbles,
	arrange:  arrangeBySwaps,
	exchange: func(e *exchange, words []uint64) { exchangeAVX2(e, &words[0]) },
}

// arrangeByBits returns the fastest way to arrange on this processor. Some with vectors of
// 512 bits lack the instructions to pick bits.
func arrangeByBits() func(m *blockMap, to, from []uint64, zero imagePlace) {
	if !cpu.X86.HasAVX512BITALG || !cpu.X86.HasAVX512BW {
		return arrangeBySwaps
	}
	return func(m *blockMap, to, from []uint64, zero imagePlace) {
		arrangeBITALG(&to[0], &from[0], &m.first[0], len(to), uint32(zero.place)<<16|uint32(zero.word), &m.places)
	}
}

func arrangeBySwaps(m *blockMap, to, from []uint64, zero imagePlace) {
	var memory [maxSteps]*laneSwap
	steps := m.steps(memory[:0], zero.place)
	arrangeAVX2(&to[0], &from[0], &m.first[0], len(to), int(zero.word), unsafe.SliceData(steps), len(steps))
}

// countByBits returns the fastest way to count on this processor. Some with vectors of
// 512 bits lack the instructions to count bits.
func countByBits() func(sums *laneCounts, kinds []blockKind, scratch []uint64) {
	if !cpu.X86.HasAVX512VPOPCNTDQ {
		return countByNibbles
	}
	return func(sums *laneCounts, kinds []blockKind, scratch []uint64) {
		countVPOPCNTDQ(sums, &kinds[0], len(kinds), &scratch[0])
	}
}

func countByNibbles(sums *laneCounts, kinds []blockKind, scratch []uint64) {
	countAVX2(sums, &kinds[0], len(kinds), &scratch[0])
}

func firstWords(blocks [][]uint64) *[vectorWords]*uint64 {
	var first [vectorWords]*uint64
	for i, b := range blocks {
		first[i] = &b[0]
	}
	return &first
}

// The words of a block are a multiple of those of a vector.

//go:noescape
func interleaveAVX512(scratch *uint64, blocks *[vectorWords]*uint64, words int)

//go:noescape
func separateAVX512(scratch *uint64, blocks *[vectorWords]*uint64, words int)

//go:noescape
func closeAVX512(program *program, scratch *uint64)

//go:noescape
func pullAVX512(to, from *uint64, pull *vectorPull)

//go:noescape
func exchangeAVX512(exchange *exchange, words *uint64)

//go:noescape
func arrangeBITALG(to, from *uint64, first *imagePlace, words int, zero uint32, places *[64][64]uint8)

//go:noescape
func interleaveAVX2(scratch *uint64, blocks *[vectorWords]*uint64, words int)

//go:noescape
func separateAVX2(scratch *uint64, blocks *[vectorWords]*uint64, words int)

//go:noescape
func closeAVX2(program *program, scratch *uint64)

//go:noescape
func pullAVX2(to, from *uint64, pull *vectorPull)

//go:noescape
func exchangeAVX2(exchange *exchange, words *uint64)

//go:noescape
func arrangeAVX2(to, from *uint64, first *imagePlace, words, zero int, steps **laneSwap, n int)

//go:noescape
func countVPOPCNTDQ(sums *laneCounts, kinds *blockKind, n int, scratch *uint64)

//go:noescape
func countAVX2(sums *laneCounts, kinds *blockKind, n int, scratch *uint64)
