package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A vector holds a word of eight blocks.
type vector interface {
	begin() // of a function
	load(at Mem)
	store(at Mem)
	skipIfZero(label string)
	jump(turn, mask Mem)           // within the word
	jumpFrom(word, turn, mask Mem) // from another word
}

// closes writes program.close.
func closes(name string, v vector) {
	TEXT(name, NOSPLIT, "func(program, scratch *uint64)")
	program, scratch := param("program"), param("scratch")
	update, updates, pull, steps := GP64(), GP64(), GP64(), GP64()
	MOVQ(Mem{Base: program, Disp: programUpdates}, update)
	MOVQ(Mem{Base: program, Disp: programUpdatesLen}, updates)
	MOVQ(Mem{Base: program, Disp: programPulls}, pull)
	MOVQ(Mem{Base: program, Disp: programSteps}, steps)
	v.begin()
	JMP(LabelRef("testUpdates"))

	Label("update")
	at, n := GP64(), GP64()
	word := func(of Mem, at reg.GPVirtual) Mem {
		MOVL(of, at.As32())
		SHLQ(Imm(6), at)
		return Mem{Base: scratch, Index: at, Scale: 1}
	}
	to := word(Mem{Base: update, Disp: updateWord}, at)
	v.load(to)
	MOVL(Mem{Base: update, Disp: updatePulls}, n.As32())
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
	}{{updateFirst, step}, {updateLast, end}} {
		MOVL(Mem{Base: update, Disp: x.at}, x.step.As32())
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
	ADDQ(Imm(updateSize), update)
	DECQ(updates)
	Label("testUpdates")
	TESTQ(updates, updates)
	JNE(LabelRef("update"))
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
