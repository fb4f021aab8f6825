// Command asm writes the kernels of package engine in assembly. That package has their
// twins in Go, and runs this command by go generate.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets in the structures of package engine.
const (
	// program
	programUpdates, programUpdatesLen, programPulls, programSteps = 0, 8, 24, 48
	// update
	updateWord, updatePulls, updateFirst, updateLast, updateSize = 0, 4, 8, 12, 16
	// pull
	pullMask, pullTurn, pullWord, pullSize = 0, 8, 12, 16
	// step
	stepMask, stepTurn, stepSize = 0, 8, 16
	// vectorPull
	vectorMasks, vectorTurn, vectorFlip, vectorAt, vectorLen = 0, 64, 72, 80, 88
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

// param loads a parameter of the function that is written.
func param(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

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
	closes("closeAVX512", &vector512{})
	closes("closeAVX2", &vector2{})
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
