//go:build !purego

package peg

import "golang.org/x/sys/cpu"

//go:generate -command asm go -C internal/asm run .
//go:generate asm -pkg peg -out ../../kernel_amd64.s

// vectorKernels returns the kernels in assembly that this processor has, best first.
func vectorKernels() (have []*kernel) {
	if cpu.X86.HasAVX512F {
		have = append(have, &avx512Kernel)
	}
	if cpu.X86.HasAVX2 {
		have = append(have, &avx2Kernel)
	}
	return have
}

var avx512Kernel = kernel{
	name: "avx512", lanes: vectorWords,
	interleave: func(scratch []uint64, blocks [][]uint64) {
		interleaveAVX512(&scratch[0], firstWords(blocks), len(blocks[0]))
	},
	separate: func(scratch []uint64, blocks [][]uint64) {
		separateAVX512(&scratch[0], firstWords(blocks), len(blocks[0]))
	},
	run:  func(p *program, scratch []uint64) { runAVX512(p, &scratch[0]) },
	pull: func(to, from []uint64, part *vectorPart) { pullAVX512(&to[0], &from[0], part) },
}

var avx2Kernel = kernel{
	name: "avx2", lanes: vectorWords,
	interleave: func(scratch []uint64, blocks [][]uint64) {
		interleaveAVX2(&scratch[0], firstWords(blocks), len(blocks[0]))
	},
	separate: func(scratch []uint64, blocks [][]uint64) {
		separateAVX2(&scratch[0], firstWords(blocks), len(blocks[0]))
	},
	run:  func(p *program, scratch []uint64) { runAVX2(p, &scratch[0]) },
	pull: func(to, from []uint64, part *vectorPart) { pullAVX2(&to[0], &from[0], part) },
}

func firstWords(blocks [][]uint64) *[vectorWords]*uint64 {
	var first [vectorWords]*uint64
	for i, b := range blocks {
		first[i] = &b[0]
	}
	return &first
}

// The blocks' words are a multiple of a vector's.

//go:noescape
func interleaveAVX512(scratch *uint64, blocks *[vectorWords]*uint64, words int)

//go:noescape
func separateAVX512(scratch *uint64, blocks *[vectorWords]*uint64, words int)

//go:noescape
func runAVX512(program *program, scratch *uint64)

//go:noescape
func pullAVX512(to, from *uint64, part *vectorPart)

//go:noescape
func interleaveAVX2(scratch *uint64, blocks *[vectorWords]*uint64, words int)

//go:noescape
func separateAVX2(scratch *uint64, blocks *[vectorWords]*uint64, words int)

//go:noescape
func runAVX2(program *program, scratch *uint64)

//go:noescape
func pullAVX2(to, from *uint64, part *vectorPart)
