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
)

// orAnd makes VPTERNLOGQ a | b&c.
const orAnd = 0xf8

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
	x, n := XMM(), GP64()
	MOVQ(U32(64), n)
	VMOVQ(n, x)
	VPBROADCASTQ(x, right)
	VPSUBQ(left, right, right)
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
	n, x := GP64(), XMM()
	MOVQ(U32(64), n)
	VMOVQ(n, x)
	VPBROADCASTQ(x, v.sixtyFour)
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
