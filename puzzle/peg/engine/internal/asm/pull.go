package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pulls writes a function that pulls into a block, with its loop over vectors. The body
// gets the first words of a vector and of its source; in the latter the low bits of the
// flip are left out.
func pulls(name string, low int, before func(pull reg.GPVirtual), body func(to, from reg.GPVirtual, w, v reg.GPVirtual)) {
	TEXT(name, NOSPLIT, "func(to, from, pull *uint64)")
	to, from, pull := param("to"), param("from"), param("pull")
	before(pull)
	flip, at, end := GP64(), GP64(), GP64()
	MOVQ(Mem{Base: pull, Disp: vectorFlip}, flip)
	ANDQ(I8(^low), flip)
	MOVQ(Mem{Base: pull, Disp: vectorAt}, at)
	MOVQ(Mem{Base: pull, Disp: vectorLen}, end)
	LEAQ(Mem{Base: at, Index: end, Scale: 2}, end)
	JMP(LabelRef("test"))
	Label("vector")
	w, v := GP64(), GP64()
	MOVWLZX(Mem{Base: at}, w.As32())
	MOVQ(w, v)
	XORQ(flip, v)
	body(to, from, w, v)
	ADDQ(Imm(2), at)
	Label("test")
	CMPQ(at, end)
	JB(LabelRef("vector"))
	VZEROUPPER()
	RET()
}

func pull512(iota8 Mem) {
	masks, turn, order := ZMM(), ZMM(), ZMM()
	before := func(pull reg.GPVirtual) {
		VMOVDQU64(Mem{Base: pull, Disp: vectorMasks}, masks)
		VPBROADCASTQ(Mem{Base: pull, Disp: vectorTurn}, turn)
		VPBROADCASTQ(Mem{Base: pull, Disp: vectorFlip}, order)
		VPXORQ(iota8, order, order)
	}
	pulls("pullAVX512", 7, before, func(to, from, w, v reg.GPVirtual) {
		x, sum := ZMM(), ZMM()
		VPERMQ(Mem{Base: from, Index: v, Scale: 8}, order, x)
		VPROLVQ(turn, x, x)
		VMOVDQU64(Mem{Base: to, Index: w, Scale: 8}, sum)
		VPTERNLOGQ(Imm(orAnd), masks, x, sum)
		VMOVDQU64(sum, Mem{Base: to, Index: w, Scale: 8})
	})
}

func pull2(iota32 Mem) {
	low, high, left, right, order := YMM(), YMM(), YMM(), YMM(), YMM()
	before := func(pull reg.GPVirtual) {
		VMOVDQU(Mem{Base: pull, Disp: vectorMasks}, low)
		VMOVDQU(Mem{Base: pull, Disp: vectorMasks + 32}, high)
		VPBROADCASTQ(Mem{Base: pull, Disp: vectorTurn}, left)
		rightOf(left, right)
		orderHalves(Mem{Base: pull, Disp: vectorFlip}, iota32, order)
	}
	pulls("pullAVX2", 3, before, func(to, from, w, v reg.GPVirtual) {
		for half, mask := range []reg.VecVirtual{low, high} {
			if half == 1 {
				XORQ(Imm(4), v)
			}
			x, y := YMM(), YMM()
			VPERMD(Mem{Base: from, Index: v, Scale: 8}, order, x)
			VPSLLVQ(left, x, y)
			VPSRLVQ(right, x, x)
			VPOR(x, y, y)
			VPAND(mask, y, y)
			at := Mem{Base: to, Index: w, Scale: 8, Disp: 32 * half}
			VPOR(at, y, y)
			VMOVDQU(y, at)
		}
	})
}

// rightOf makes 64 - left: shifts by left and right make a rotation.
func rightOf(left, right reg.VecVirtual) {
	broadcastWord(64, right)
	VPSUBQ(left, right, right)
}

// orderHalves makes the order in which VPERMD brings words to where a flip takes them. A word is two of 32
// bits, whose numbers change by twice the flip.
func orderHalves(at, iota32 Mem, order reg.VecVirtual) {
	flip, x := GP32(), XMM()
	MOVL(at, flip)
	ANDL(Imm(3), flip)
	ADDL(flip, flip)
	VMOVD(flip, x)
	VPBROADCASTD(x, order)
	VPXOR(iota32, order, order)
}

// broadcastWord makes all words of a vector the same.
func broadcastWord(word uint32, vector reg.VecVirtual) {
	x, n := XMM(), GP64()
	MOVQ(U32(word), n)
	VMOVQ(n, x)
	VPBROADCASTQ(x, vector)
}
