package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// arrangeBits writes blockMap.arrange for processors with an instruction that picks 64
// bits of a word by their places. It needs no swaps.
func arrangeBits() {
	TEXT("arrangeBITALG", NOSPLIT, "func(to, from, first *uint64, words int, zero uint32, places *uint8)")
	to, from, first, n := param("to"), param("from"), param("first"), param("words")
	zero := GP32()
	Load(Param("zero"), zero)
	places := param("places")
	Label("words")
	for i := range 4 {
		word, place, x, k := GP64(), GP64(), ZMM(), K()
		MOVL(Mem{Base: first, Disp: imageSize * i}, place.As32())
		XORL(zero, place.As32())
		MOVWLZX(place.As16(), word.As32())
		SHRL(Imm(16), place.As32())
		SHLL(Imm(6), place.As32())
		VPBROADCASTQ(Mem{Base: from, Index: word, Scale: 8}, x)
		VPSHUFBITQMB(Mem{Base: places, Index: place, Scale: 1}, x, k)
		KMOVQ(k, Mem{Base: to, Disp: 8 * i})
	}
	ADDQ(Imm(4*imageSize), first)
	ADDQ(Imm(4*8), to)
	SUBQ(Imm(4), n)
	JNE(LabelRef("words"))
	VZEROUPPER()
	RET()
}

// arrange2 writes blockMap.arrange: eight words at a time go through the swaps.
func arrange2() {
	TEXT("arrangeAVX2", NOSPLIT, "func(to, from, first *uint64, words, zero int, steps *uint64, n int)")
	to, from, first, words := param("to"), param("from"), param("first"), param("words")
	steps, end := param("steps"), param("n")
	LEAQ(Mem{Base: steps, Index: end, Scale: 8}, end)
	at, zero, x := param("zero"), YMM(), XMM()
	VMOVQ(at, x)
	VPBROADCASTQ(x, zero)
	low16 := YMM()
	broadcastWord(0xffff, low16)
	XORQ(at, at)

	Label("vector")
	var v [2]reg.VecVirtual
	for half := range v {
		index, mask := YMM(), YMM()
		v[half] = YMM()
		VPMOVZXDQ(Mem{Base: first, Index: at, Scale: imageSize, Disp: 4 * imageSize * half}, index)
		VPXOR(zero, index, index)
		VPAND(low16, index, index)
		VPCMPEQD(mask, mask, mask)
		VPXOR(v[half], v[half], v[half])
		VPGATHERQQ(mask, Mem{Base: from, Index: index, Scale: 8}, v[half])
	}
	step := GP64()
	MOVQ(steps, step)
	JMP(LabelRef("test"))
	Label("step")
	swap, parity := GP64(), GP64()
	MOVQ(Mem{Base: step}, swap)
	MOVQ(Mem{Base: swap, Disp: swapRow}, parity)
	ANDQ(at, parity)
	POPCNTQ(parity, parity)
	ANDL(Imm(1), parity.As32())
	SHLL(Imm(6), parity.As32())
	shift := YMM()
	VPBROADCASTQ(Mem{Base: swap, Disp: swapShift}, shift)
	for half := range v {
		t := YMM()
		VPSRLVQ(shift, v[half], t)
		VPXOR(v[half], t, t)
		VPAND(Mem{Base: swap, Index: parity, Scale: 1, Disp: swapMasks + 32*half}, t, t)
		VPXOR(t, v[half], v[half])
		VPSLLVQ(shift, t, t)
		VPXOR(t, v[half], v[half])
	}
	ADDQ(Imm(8), step)
	Label("test")
	CMPQ(step, end)
	JB(LabelRef("step"))
	for half := range v {
		VMOVDQU(v[half], Mem{Base: to, Index: at, Scale: 8, Disp: 32 * half})
	}
	ADDQ(Imm(8), at)
	CMPQ(at, words)
	JB(LabelRef("vector"))
	VZEROUPPER()
	RET()
}

// exchanges writes a function that exchanges numbers in the words of a block, with its
// loop over pairs of vectors. The body gets the first words of both; in the second the
// low bits of the flip, those in keep, are left out.
func exchanges(name string, keep int, before func(exchange reg.GPVirtual), body func(words, w, v reg.GPVirtual)) {
	TEXT(name, NOSPLIT, "func(exchange, words *uint64)")
	exchange, words := param("exchange"), param("words")
	before(exchange)
	flip, at, end := GP64(), GP64(), GP64()
	MOVQ(Mem{Base: exchange, Disp: exchangeFlip}, flip)
	ANDQ(I8(^keep), flip)
	MOVQ(Mem{Base: exchange, Disp: exchangeAt}, at)
	MOVQ(Mem{Base: exchange, Disp: exchangeLen}, end)
	LEAQ(Mem{Base: at, Index: end, Scale: 2}, end)
	Label("pair")
	w, v := GP64(), GP64()
	MOVWLZX(Mem{Base: at}, w.As32())
	MOVQ(w, v)
	XORQ(flip, v)
	body(words, w, v)
	ADDQ(Imm(2), at)
	CMPQ(at, end)
	JB(LabelRef("pair"))
	VZEROUPPER()
	RET()
}

func exchange512(iota8 Mem) {
	var keep, turn [2]reg.VecVirtual
	order := ZMM()
	before := func(exchange reg.GPVirtual) {
		for i := range keep {
			keep[i], turn[i] = ZMM(), ZMM()
			VMOVDQU64(Mem{Base: exchange, Disp: exchangeKeep + 64*i}, keep[i])
			VMOVDQU64(Mem{Base: exchange, Disp: exchangeTurn + 64*i}, turn[i])
		}
		VPBROADCASTQ(Mem{Base: exchange, Disp: exchangeFlip}, order)
		VPXORQ(iota8, order, order)
	}
	exchanges("exchangeAVX512", 7, before, func(words, w, v reg.GPVirtual) {
		at := [2]Mem{{Base: words, Index: w, Scale: 8}, {Base: words, Index: v, Scale: 8}}
		var sum [2]reg.VecVirtual
		for i := range at {
			old := ZMM()
			sum[i] = ZMM()
			VMOVDQU64(at[i], old)
			VPERMQ(at[1-i], order, sum[i])
			VPROLVQ(turn[i], sum[i], sum[i])
			VPTERNLOGQ(Imm(merge), keep[i], old, sum[i])
		}
		for i := range at {
			VMOVDQU64(sum[i], at[i])
		}
	})
}

func exchange2(iota32 Mem) {
	order, sixtyFour := YMM(), YMM()
	var exchange, cross reg.GPVirtual
	before := func(of reg.GPVirtual) {
		exchange = of
		broadcastWord(64, sixtyFour)
		orderHalves(Mem{Base: exchange, Disp: exchangeFlip}, iota32, order)
		// The half of a vector that is exchanged with the first one, in bytes.
		cross = GP64()
		MOVQ(Mem{Base: exchange, Disp: exchangeFlip}, cross)
		ANDQ(Imm(4), cross)
		SHLQ(Imm(3), cross)
	}
	exchanges("exchangeAVX2", 3, before, func(words, w, v reg.GPVirtual) {
		u, other := GP64(), GP64()
		MOVQ(v, u)
		XORQ(Imm(4), u)
		MOVQ(cross, other)
		XORQ(Imm(32), other)
		halves := [4]struct{ at, keep Mem }{
			{at: Mem{Base: words, Index: w, Scale: 8}, keep: Mem{Base: exchange}},
			{at: Mem{Base: words, Index: w, Scale: 8, Disp: 32}, keep: Mem{Base: exchange, Disp: 32}},
			{at: Mem{Base: words, Index: v, Scale: 8}, keep: Mem{Base: exchange, Index: cross, Scale: 1, Disp: 64}},
			{at: Mem{Base: words, Index: u, Scale: 8}, keep: Mem{Base: exchange, Index: other, Scale: 1, Disp: 64}},
		}
		var old [4]reg.VecVirtual
		for i, half := range halves {
			old[i] = YMM()
			VMOVDQU(half.at, old[i])
		}
		for i, half := range halves {
			x, y, right := YMM(), YMM(), YMM()
			VPERMD(old[i^2], order, x)
			turn := half.keep.Offset(exchangeTurn - exchangeKeep)
			VPSUBQ(turn, sixtyFour, right)
			VPSRLVQ(right, x, y)
			VPSLLVQ(turn, x, x)
			VPOR(x, y, x)
			VPXOR(old[i], x, y)
			VPAND(half.keep, y, y)
			VPXOR(x, y, y)
			VMOVDQU(y, half.at)
		}
	})
}
