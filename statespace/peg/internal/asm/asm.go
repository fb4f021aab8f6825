// Command asm writes the kernels of the sweep in assembly; package peg has their
// twins in Go. Run it by go generate in that package.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets in the structures of package peg.
const (
	// program
	programRuns, programRunsLen, programPulls, programSteps = 0, 8, 24, 48
	// run
	runWord, runPulls, runFirst, runLast, runSize = 0, 4, 8, 12, 16
	// pull
	pullMask, pullTurn, pullWord, pullSize = 0, 8, 12, 16
	// step
	stepMask, stepTurn, stepSize = 0, 8, 16
	// vectorPart
	partMasks, partTurn, partFlip, partAt, partLen = 0, 64, 72, 80, 88
	// imagePlace
	imageSize = 4
	// laneSwap
	swapMasks, swapShift, swapRow = 0, 128, 136
	// exchange
	exchangeKeep, exchangeTurn, exchangeFlip, exchangeAt, exchangeLen = 0, 128, 256, 264, 272
	// blockKind
	kindCommon, kindMasks, kindMasksLen, kindWords, kindWordsLen, kindSize = 0, 8, 16, 32, 40, 56
)

// What VPTERNLOGQ makes of a, b and c.
const (
	orAnd    = 0xf8 // a | b&c
	merge    = 0xd8 // b where c has bits, a elsewhere
	odd      = 0x96 // a ^ b ^ c
	majority = 0xe8 // where two of them have bits
)

func main() {
	ConstraintExpr("!purego")
	iota8 := GLOBL("iota8", RODATA|NOPTR) // the numbers of a vector's words
	for i := range 8 {
		DATA(8*i, U64(i))
	}
	iota32 := GLOBL("iota32", RODATA|NOPTR) // of half a vector's 32-bit words
	for i := range 8 {
		DATA(4*i, U32(i))
	}
	pull512(iota8)
	pull2(iota32)
	run("runAVX512", &vector512{})
	run("runAVX2", &vector2{})
	interleave512("interleaveAVX512", true)
	interleave512("separateAVX512", false)
	interleave2("interleaveAVX2", true)
	interleave2("separateAVX2", false)
	arrangeBits()
	arrange2()
	exchange512(iota8)
	exchange2(iota32)
	count("countVPOPCNTDQ", &counter512{})
	count("countAVX2", &counter2{})
	Generate()
}

// pulls begins a function that pulls into a block, and does its loop over vectors:
// body gets the first words of one, and of the one it comes from but for the low bits
// of the flip, keep.
func pulls(name string, low int, before func(part reg.GPVirtual), body func(to, from reg.GPVirtual, w, v reg.GPVirtual)) {
	TEXT(name, NOSPLIT, "func(to, from, part *uint64)")
	to, from, part := GP64(), GP64(), GP64()
	Load(Param("to"), to)
	Load(Param("from"), from)
	Load(Param("part"), part)
	before(part)
	flip, at, end := GP64(), GP64(), GP64()
	MOVQ(Mem{Base: part, Disp: partFlip}, flip)
	ANDQ(I8(^low), flip)
	MOVQ(Mem{Base: part, Disp: partAt}, at)
	MOVQ(Mem{Base: part, Disp: partLen}, end)
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
	before := func(part reg.GPVirtual) {
		VMOVDQU64(Mem{Base: part, Disp: partMasks}, masks)
		VPBROADCASTQ(Mem{Base: part, Disp: partTurn}, turn)
		VPBROADCASTQ(Mem{Base: part, Disp: partFlip}, order)
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
	before := func(part reg.GPVirtual) {
		VMOVDQU(Mem{Base: part, Disp: partMasks}, low)
		VMOVDQU(Mem{Base: part, Disp: partMasks + 32}, high)
		VPBROADCASTQ(Mem{Base: part, Disp: partTurn}, left)
		rightOf(left, right)
		// A word is two of 32 bits, whose numbers change by twice the flip.
		flip, x := GP32(), XMM()
		MOVL(Mem{Base: part, Disp: partFlip}, flip)
		ANDL(Imm(3), flip)
		ADDL(flip, flip)
		VMOVD(flip, x)
		VPBROADCASTD(x, order)
		VPXOR(iota32, order, order)
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

// broadcastWord makes all words of a vector the same.
func broadcastWord(word uint32, vector reg.VecVirtual) {
	x, n := XMM(), GP64()
	MOVQ(U32(word), n)
	VMOVQ(n, x)
	VPBROADCASTQ(x, vector)
}

// A vector holds a word of eight blocks.
type vector interface {
	begin() // of a function
	load(at Mem)
	store(at Mem)
	skipIfZero(label string)
	jump(turn, mask Mem)           // within the word
	jumpFrom(word, turn, mask Mem) // from another word
}

// run writes program.run.
func run(name string, v vector) {
	TEXT(name, NOSPLIT, "func(program, scratch *uint64)")
	program, scratch := GP64(), GP64()
	Load(Param("program"), program)
	Load(Param("scratch"), scratch)
	run, runs, pull, steps := GP64(), GP64(), GP64(), GP64()
	MOVQ(Mem{Base: program, Disp: programRuns}, run)
	MOVQ(Mem{Base: program, Disp: programRunsLen}, runs)
	MOVQ(Mem{Base: program, Disp: programPulls}, pull)
	MOVQ(Mem{Base: program, Disp: programSteps}, steps)
	v.begin()
	JMP(LabelRef("testRuns"))

	Label("run")
	at, n := GP64(), GP64()
	word := func(of Mem, at reg.GPVirtual) Mem {
		MOVL(of, at.As32())
		SHLQ(Imm(6), at)
		return Mem{Base: scratch, Index: at, Scale: 1}
	}
	to := word(Mem{Base: run, Disp: runWord}, at)
	v.load(to)
	MOVL(Mem{Base: run, Disp: runPulls}, n.As32())
	JMP(LabelRef("testPulls"))

	Label("pull")
	from := word(Mem{Base: pull, Disp: pullWord}, GP64())
	v.jumpFrom(from, Mem{Base: pull, Disp: pullTurn}, Mem{Base: pull, Disp: pullMask})
	ADDQ(Imm(pullSize), pull)
	DECQ(n)
	Label("testPulls")
	TESTQ(n, n)
	JNE(LabelRef("pull"))

	v.skipIfZero("store")
	step, end := GP64(), GP64()
	for _, x := range []struct {
		at   int
		step reg.GPVirtual
	}{{runFirst, step}, {runLast, end}} {
		MOVL(Mem{Base: run, Disp: x.at}, x.step.As32())
		SHLQ(Imm(4), x.step) // stepSize
		ADDQ(steps, x.step)
	}
	JMP(LabelRef("testSteps"))
	Label("step")
	v.jump(Mem{Base: step, Disp: stepTurn}, Mem{Base: step, Disp: stepMask})
	ADDQ(Imm(stepSize), step)
	Label("testSteps")
	CMPQ(step, end)
	JB(LabelRef("step"))

	Label("store")
	v.store(to)
	ADDQ(Imm(runSize), run)
	DECQ(runs)
	Label("testRuns")
	TESTQ(runs, runs)
	JNE(LabelRef("run"))
	VZEROUPPER()
	RET()
}

type vector512 struct{ sum, x reg.VecVirtual }

func (v *vector512) begin()       { v.sum, v.x = ZMM(), ZMM() }
func (v *vector512) load(at Mem)  { VMOVDQU64(at, v.sum) }
func (v *vector512) store(at Mem) { VMOVDQU64(v.sum, at) }

func (v *vector512) skipIfZero(label string) {
	k := K()
	VPTESTMQ(v.sum, v.sum, k)
	KORTESTW(k, k)
	JEQ(LabelRef(label))
}

func (v *vector512) jump(turn, mask Mem) {
	VPROLVQ_BCST(turn, v.sum, v.x)
	VPTERNLOGQ_BCST(Imm(orAnd), mask, v.x, v.sum)
}

// jumpFrom takes the turn with the word's number above it, which the rotation ignores.
func (v *vector512) jumpFrom(word, turn, mask Mem) {
	VMOVDQU64(word, v.x)
	VPROLVQ_BCST(turn, v.x, v.x)
	VPTERNLOGQ_BCST(Imm(orAnd), mask, v.x, v.sum)
}

type vector2 struct {
	sum, from                    [2]reg.VecVirtual
	sixtyFour, left, right, mask reg.VecVirtual
}

func (v *vector2) begin() {
	v.sum, v.from = [2]reg.VecVirtual{YMM(), YMM()}, [2]reg.VecVirtual{YMM(), YMM()}
	v.sixtyFour, v.left, v.right, v.mask = YMM(), YMM(), YMM(), YMM()
	broadcastWord(64, v.sixtyFour)
}

func (v *vector2) load(at Mem) {
	VMOVDQU(at, v.sum[0])
	VMOVDQU(at.Offset(32), v.sum[1])
}

func (v *vector2) store(at Mem) {
	VMOVDQU(v.sum[0], at)
	VMOVDQU(v.sum[1], at.Offset(32))
}

func (v *vector2) skipIfZero(label string) {
	x := YMM()
	VPOR(v.sum[0], v.sum[1], x)
	VPTEST(x, x)
	JEQ(LabelRef(label))
}

func (v *vector2) jump(turn, mask Mem) {
	VPBROADCASTQ(turn, v.left)
	v.rotate(v.sum, mask)
}

func (v *vector2) jumpFrom(word, turn, mask Mem) {
	VMOVDQU(word, v.from[0])
	VMOVDQU(word.Offset(32), v.from[1])
	x := XMM()
	VMOVD(turn, x) // without the word's number above it
	VPBROADCASTQ(x, v.left)
	v.rotate(v.from, mask)
}

func (v *vector2) rotate(from [2]reg.VecVirtual, mask Mem) {
	VPBROADCASTQ(mask, v.mask)
	VPSUBQ(v.left, v.sixtyFour, v.right)
	for i := range v.sum {
		x, y := YMM(), YMM()
		VPSLLVQ(v.left, from[i], x)
		VPSRLVQ(v.right, from[i], y)
		VPOR(x, y, x)
		VPAND(v.mask, x, x)
		VPOR(x, v.sum[i], v.sum[i])
	}
}

// blocks loads the addresses of eight blocks; tiles does a loop over tiles of so many
// words of each. body gets the offset of the words, and the place of the first of them
// in the scratch memory.
func tiles(name string, words int, body func(blocks [8]reg.GPVirtual, offset, scratch reg.GPVirtual)) {
	TEXT(name, NOSPLIT, "func(scratch, blocks *uint64, words int)")
	scratch, pointers, end, offset := GP64(), GP64(), GP64(), GP64()
	Load(Param("scratch"), scratch)
	Load(Param("blocks"), pointers)
	Load(Param("words"), end)
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

// interleave512 copies blocks to the scratch memory, or back: eight words of eight
// blocks are turned over.
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

// arrangeBits writes blockMap.arrange for processors that pick 64 bits of a word by their
// places: no swaps are needed.
func arrangeBits() {
	TEXT("arrangeBITALG", NOSPLIT, "func(to, from, first *uint64, words int, zero uint32, places *uint8)")
	to, from, first, n := GP64(), GP64(), GP64(), GP64()
	Load(Param("to"), to)
	Load(Param("from"), from)
	Load(Param("first"), first)
	Load(Param("words"), n)
	zero, places := GP32(), GP64()
	Load(Param("zero"), zero)
	Load(Param("places"), places)
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
	to, from, first, words := GP64(), GP64(), GP64(), GP64()
	Load(Param("to"), to)
	Load(Param("from"), from)
	Load(Param("first"), first)
	Load(Param("words"), words)
	steps, end, at := GP64(), GP64(), GP64()
	Load(Param("steps"), steps)
	Load(Param("n"), end)
	LEAQ(Mem{Base: steps, Index: end, Scale: 8}, end)
	zero, x := YMM(), XMM()
	Load(Param("zero"), at)
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

// exchanges begins a function that exchanges numbers in the words of a block, and does its
// loop over pairs of vectors: body gets the first words of both, that of the second but
// for the low bits of the flip, keep.
func exchanges(name string, keep int, before func(part reg.GPVirtual), body func(words, w, v reg.GPVirtual)) {
	TEXT(name, NOSPLIT, "func(exchange, words *uint64)")
	part, words := GP64(), GP64()
	Load(Param("exchange"), part)
	Load(Param("words"), words)
	before(part)
	flip, at, end := GP64(), GP64(), GP64()
	MOVQ(Mem{Base: part, Disp: exchangeFlip}, flip)
	ANDQ(I8(^keep), flip)
	MOVQ(Mem{Base: part, Disp: exchangeAt}, at)
	MOVQ(Mem{Base: part, Disp: exchangeLen}, end)
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
	before := func(part reg.GPVirtual) {
		for i := range keep {
			keep[i], turn[i] = ZMM(), ZMM()
			VMOVDQU64(Mem{Base: part, Disp: exchangeKeep + 64*i}, keep[i])
			VMOVDQU64(Mem{Base: part, Disp: exchangeTurn + 64*i}, turn[i])
		}
		VPBROADCASTQ(Mem{Base: part, Disp: exchangeFlip}, order)
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
	var part, cross reg.GPVirtual
	before := func(of reg.GPVirtual) {
		part = of
		broadcastWord(64, sixtyFour)
		// A word is two of 32 bits, whose numbers change by twice the flip.
		flip, x := GP32(), XMM()
		MOVL(Mem{Base: part, Disp: exchangeFlip}, flip)
		ANDL(Imm(3), flip)
		ADDL(flip, flip)
		VMOVD(flip, x)
		VPBROADCASTD(x, order)
		VPXOR(iota32, order, order)
		// The half of a vector that is exchanged with the first one, in bytes.
		cross = GP64()
		MOVQ(Mem{Base: part, Disp: exchangeFlip}, cross)
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
			{at: Mem{Base: words, Index: w, Scale: 8}, keep: Mem{Base: part}},
			{at: Mem{Base: words, Index: w, Scale: 8, Disp: 32}, keep: Mem{Base: part, Disp: 32}},
			{at: Mem{Base: words, Index: v, Scale: 8}, keep: Mem{Base: part, Index: cross, Scale: 1, Disp: 64}},
			{at: Mem{Base: words, Index: u, Scale: 8}, keep: Mem{Base: part, Index: other, Scale: 1, Disp: 64}},
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

// A counter adds up words of blocks side by side, as 64 numbers by binary digit, and counts
// the bits of the digits.
type counter interface {
	begin() // of a function
	lanes() int
	clear()
	load(at Mem) // the first digit
	add(a, b Mem)
	skipIfOnes(label string)
	count(digits int, mask, sum Mem)
}

// count writes countLanes.
func count(name string, c counter) {
	TEXT(name, NOSPLIT, "func(sums *uint64, kinds *uint64, n int, scratch *uint64)")
	sums, kinds, n, scratch := GP64(), GP64(), GP64(), GP64()
	Load(Param("sums"), sums)
	Load(Param("kinds"), kinds)
	Load(Param("n"), n)
	Load(Param("scratch"), scratch)
	c.begin()
	passes := GP64()
	MOVQ(I32(8/c.lanes()), passes)
	Label("pass")
	kind, left := GP64(), GP64()
	MOVQ(kinds, kind)
	MOVQ(n, left)

	Label("kind")
	at, end, stop := GP64(), GP64(), GP64()
	MOVQ(Mem{Base: kind, Disp: kindWords}, at)
	MOVQ(Mem{Base: kind, Disp: kindWordsLen}, end)
	LEAQ(Mem{Base: at, Index: end, Scale: 2}, end)
	Label("words") // as many as four digits add up
	LEAQ(Mem{Base: at, Disp: 2 * 15}, stop)
	CMPQ(stop, end)
	CMOVQHI(end, stop)
	word := func(disp int) Mem {
		w := GP64()
		MOVWLZX(Mem{Base: at, Disp: disp}, w.As32())
		SHLQ(Imm(6), w)
		return Mem{Base: scratch, Index: w, Scale: 1}
	}
	c.clear()
	length := GP64()
	MOVQ(stop, length)
	SUBQ(at, length)
	TESTQ(U32(2), length)
	JEQ(LabelRef("testPairs"))
	c.load(word(0))
	ADDQ(Imm(2), at)
	JMP(LabelRef("testPairs"))
	Label("pair")
	c.add(word(0), word(2))
	ADDQ(Imm(4), at)
	Label("testPairs")
	CMPQ(at, stop)
	JB(LabelRef("pair"))

	mask, masks, sum := GP64(), GP64(), GP64()
	MOVQ(Mem{Base: kind, Disp: kindMasks}, mask)
	MOVQ(Mem{Base: kind, Disp: kindMasksLen}, masks)
	MOVQ(Mem{Base: kind, Disp: kindCommon}, sum)
	SHLQ(Imm(6), sum)
	ADDQ(sums, sum)
	c.skipIfOnes("countOnes")
	for _, digits := range []int{4, 1} {
		label := map[int]string{4: "countAll", 1: "countOnes"}[digits]
		Label(label)
		c.count(digits, Mem{Base: mask}, Mem{Base: sum})
		ADDQ(Imm(8), mask)
		ADDQ(Imm(64), sum)
		DECQ(masks)
		JNE(LabelRef(label))
		if digits > 1 {
			JMP(LabelRef("testWords"))
		}
	}
	Label("testWords")
	CMPQ(at, end)
	JB(LabelRef("words"))
	ADDQ(Imm(kindSize), kind)
	DECQ(left)
	JNE(LabelRef("kind"))
	ADDQ(Imm(uint64(8*c.lanes())), scratch)
	ADDQ(Imm(uint64(8*c.lanes())), sums)
	DECQ(passes)
	JNE(LabelRef("pass"))
	VZEROUPPER()
	RET()
}

type counter512 struct{ digits [4]reg.VecVirtual }

func (c *counter512) lanes() int { return 8 }

func (c *counter512) begin() {
	for i := range c.digits {
		c.digits[i] = ZMM()
	}
}

func (c *counter512) clear() {
	for _, d := range c.digits {
		VPXORQ(d, d, d)
	}
}

func (c *counter512) load(at Mem) { VMOVDQU64(at, c.digits[0]) }

func (c *counter512) add(a, b Mem) {
	x, carry, next := ZMM(), ZMM(), ZMM()
	VMOVDQU64(a, x)
	VMOVDQU64(c.digits[0], carry)
	VPTERNLOGQ(Imm(majority), b, x, carry)
	VPTERNLOGQ(Imm(odd), b, x, c.digits[0])
	for _, d := range c.digits[1:3] {
		VPANDQ(d, carry, next)
		VPXORQ(d, carry, d)
		carry, next = next, carry
	}
	VPXORQ(c.digits[3], carry, c.digits[3])
}

func (c *counter512) skipIfOnes(label string) {
	x, k := ZMM(), K()
	VPORQ(c.digits[1], c.digits[2], x)
	VPORQ(c.digits[3], x, x)
	VPTESTMQ(x, x, k)
	KORTESTW(k, k)
	JEQ(LabelRef(label))
}

func (c *counter512) count(digits int, mask, sum Mem) {
	total, m := ZMM(), ZMM()
	VMOVDQU64(sum, total)
	VPBROADCASTQ(mask, m)
	for i, d := range c.digits[:digits] {
		x := ZMM()
		VPANDQ(d, m, x)
		VPOPCNTQ(x, x)
		if i > 0 {
			VPSLLQ(Imm(uint64(i)), x, x)
		}
		VPADDQ(x, total, total)
	}
	VMOVDQU64(total, sum)
}

// A counter2 counts bits by looking up four at a time.
type counter2 struct {
	digits, tables [4]reg.VecVirtual
	nibbles        reg.VecVirtual
}

func (c *counter2) lanes() int { return 4 }

func (c *counter2) begin() {
	table := GLOBL("nibbleBits", RODATA|NOPTR) // of each number below 16, twice
	for i := range 4 {
		DATA(8*i, U64([2]uint64{0x0302020102010100, 0x0403030203020201}[i%2]))
	}
	for i := range c.digits {
		c.digits[i], c.tables[i] = YMM(), YMM()
		if i == 0 {
			VMOVDQU(table, c.tables[i])
		} else { // the weight of a digit
			VPADDB(c.tables[i-1], c.tables[i-1], c.tables[i])
		}
	}
	c.nibbles = YMM()
	x, n := XMM(), GP64()
	MOVQ(U64(0x0f0f0f0f0f0f0f0f), n)
	VMOVQ(n, x)
	VPBROADCASTQ(x, c.nibbles)
}

func (c *counter2) clear() {
	for _, d := range c.digits {
		VPXOR(d, d, d)
	}
}

func (c *counter2) load(at Mem) { VMOVDQU(at, c.digits[0]) }

func (c *counter2) add(a, b Mem) {
	ones := c.digits[0]
	x, sum, carry, next := YMM(), YMM(), YMM(), YMM()
	VMOVDQU(a, x)
	VPXOR(ones, x, sum)
	VPAND(ones, x, carry)
	VMOVDQU(b, x)
	VPXOR(sum, x, ones)
	VPAND(sum, x, x)
	VPOR(x, carry, carry)
	for _, d := range c.digits[1:3] {
		VPAND(d, carry, next)
		VPXOR(d, carry, d)
		carry, next = next, carry
	}
	VPXOR(c.digits[3], carry, c.digits[3])
}

func (c *counter2) skipIfOnes(label string) {
	x := YMM()
	VPOR(c.digits[1], c.digits[2], x)
	VPOR(c.digits[3], x, x)
	VPTEST(x, x)
	JEQ(LabelRef(label))
}

func (c *counter2) count(digits int, mask, sum Mem) {
	total, m, zero := YMM(), YMM(), YMM()
	VPXOR(total, total, total)
	VPBROADCASTQ(mask, m)
	for i, d := range c.digits[:digits] {
		x, y := YMM(), YMM()
		VPAND(d, m, x)
		VPSRLW(Imm(4), x, y)
		for _, z := range []reg.VecVirtual{x, y} {
			VPAND(c.nibbles, z, z)
			VPSHUFB(z, c.tables[i], z)
			VPADDB(z, total, total)
		}
	}
	VPXOR(zero, zero, zero)
	VPSADBW(zero, total, total)
	VPADDQ(sum, total, total)
	VMOVDQU(total, sum)
}
