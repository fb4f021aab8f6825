//go:build !purego

#include "textflag.h"

// func prefetch(word *uint64) uint64
TEXT ·prefetch(SB), NOSPLIT, $0-16
	MOVQ word+0(FP), AX
	PREFETCHT0 (AX)
	MOVQ $0, ret+8(FP)
	RET
