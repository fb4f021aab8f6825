//go:build !purego

#include "textflag.h"

// func carryBMI2(set, from, to uint64) uint64
TEXT ·carryBMI2(SB), NOSPLIT, $0-32
	MOVQ  set+0(FP), AX
	MOVQ  from+8(FP), BX
	MOVQ  to+16(FP), CX
	PEXTQ BX, AX, AX
	PDEPQ CX, AX, AX
	MOVQ  AX, ret+24(FP)
	RET
