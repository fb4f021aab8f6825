package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A counter adds up words of blocks that lie side by side, as 64 numbers by binary digit,
// and counts the bits of the digits.
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
	sums, kinds, n, scratch := param("sums"), param("kinds"), param("n"), param("scratch")
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
