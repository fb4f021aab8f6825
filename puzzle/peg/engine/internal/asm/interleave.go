package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// tiles writes a function with a loop over tiles of eight blocks, this many words of each.
// The body gets the addresses of the blocks, the offset of the words, and the place of
// the first of them in the scratch memory.
func tiles(name string, words int, body func(blocks [8]reg.GPVirtual, offset, scratch reg.GPVirtual)) {
	TEXT(name, NOSPLIT, "func(scratch, blocks *uint64, words int)")
	scratch, pointers, end, offset := param("scratch"), param("blocks"), param("words"), GP64()
	SHLQ(Imm(3), end)
	var blocks [8]reg.GPVirtual
	for i := range blocks {
		blocks[i] = GP64()
		MOVQ(Mem{Base: pointers, Disp: 8 * i}, blocks[i])
	}
	XORQ(offset, offset)
	JMP(LabelRef("test"))
	Label("tile")
	body(blocks, offset, scratch)
	ADDQ(U32(64*words), scratch)
	ADDQ(Imm(uint64(8*words)), offset)
	Label("test")
	CMPQ(offset, end)
	JB(LabelRef("tile"))
	VZEROUPPER()
	RET()
}

// interleave512 copies blocks to the scratch memory, or back: it transposes eight words of
// eight blocks at a time.
func interleave512(name string, in bool) {
	tiles(name, 8, func(blocks [8]reg.GPVirtual, offset, scratch reg.GPVirtual) {
		var from, to [8]Mem
		for i := range from {
			from[i] = Mem{Base: blocks[i], Index: offset, Scale: 1}
			to[i] = Mem{Base: scratch, Disp: 64 * i}
		}
		if !in {
			from, to = to, from
		}
		var r, s [8]reg.VecVirtual
		for i := range r {
			r[i], s[i] = ZMM(), ZMM()
			VMOVDQU64(from[i], r[i])
		}
		for i := 0; i < 8; i += 2 { // pairs of words
			VPUNPCKLQDQ(r[i+1], r[i], s[i])
			VPUNPCKHQDQ(r[i+1], r[i], s[i+1])
		}
		// s[2i+b] has words b, b+2, b+4, b+6 of the lanes 2i and 2i+1.
		for b := range 2 {
			for i := range 2 { // fours: lanes 4i to 4i+3
				VSHUFI64X2(Imm(0x88), s[4*i+2+b], s[4*i+b], r[4*i+b])   // words b, b+4
				VSHUFI64X2(Imm(0xdd), s[4*i+2+b], s[4*i+b], r[4*i+b+2]) // words b+2, b+6
			}
		}
		for w := range 4 { // eights
			VSHUFI64X2(Imm(0x88), r[w+4], r[w], s[w])
			VSHUFI64X2(Imm(0xdd), r[w+4], r[w], s[w+4])
		}
		for i := range s {
			VMOVDQU64(s[i], to[i])
		}
	})
}

// interleave2 does the same by tiles of four words of four blocks.
func interleave2(name string, in bool) {
	tiles(name, 4, func(blocks [8]reg.GPVirtual, offset, scratch reg.GPVirtual) {
		for half := range 2 {
			var from, to [4]Mem
			for i := range from {
				from[i] = Mem{Base: blocks[4*half+i], Index: offset, Scale: 1}
				to[i] = Mem{Base: scratch, Disp: 64*i + 32*half}
			}
			if !in {
				from, to = to, from
			}
			var r, s [4]reg.VecVirtual
			for i := range r {
				r[i], s[i] = YMM(), YMM()
				VMOVDQU(from[i], r[i])
			}
			for i := 0; i < 4; i += 2 {
				VPUNPCKLQDQ(r[i+1], r[i], s[i])
				VPUNPCKHQDQ(r[i+1], r[i], s[i+1])
			}
			for b := range 2 {
				x, y := YMM(), YMM()
				VPERM2I128(Imm(0x20), s[2+b], s[b], x)
				VPERM2I128(Imm(0x31), s[2+b], s[b], y)
				VMOVDQU(x, to[b])
				VMOVDQU(y, to[b+2])
			}
		}
	})
}
