//go:build !purego

#include "textflag.h"

// func Words(words []uint64) uint64
TEXT ·Words(SB), NOSPLIT, $0-32
	MOVQ words_base+0(FP), AX
	MOVQ words_len+8(FP), CX
	LEAQ (AX)(CX*8), CX
	JMP  test

line:
	PREFETCHT0 (AX)
	ADDQ $64, AX

test:
	CMPQ AX, CX
	JB   line
	MOVQ $0, ret+24(FP)
	RET

// func At(words []uint64, places []uint64) uint64
TEXT ·At(SB), NOSPLIT, $0-56
	MOVQ words_base+0(FP), AX
	MOVQ places_base+24(FP), BX
	MOVQ places_len+32(FP), CX
	LEAQ (BX)(CX*8), CX
	JMP  test

place:
	MOVQ (BX), DX
	PREFETCHT0 (AX)(DX*8)
	ADDQ $8, BX

test:
	CMPQ BX, CX
	JB   place
	MOVQ $0, ret+48(FP)
	RET
