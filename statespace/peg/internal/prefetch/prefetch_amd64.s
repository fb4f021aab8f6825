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
