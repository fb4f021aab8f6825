//go:build !purego

#include "textflag.h"

// func pushBMI2(to, from *uint64, words int, by *uint16)
TEXT ·pushBMI2(SB), NOSPLIT, $0-32
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ words+16(FP), CX
	MOVQ by+24(FP), DX
	MOVQ $1, R8

pushWord:
	MOVQ  (SI), AX
	TESTQ AX, AX
	JEQ   pushed

pushColumn:
	TZCNTQ  AX, R9
	MOVWLZX (DX)(R9*2), R10
	MOVL    R10, R11
	SHRL    $6, R11
	SHLXQ   R10, R8, R10
	ORQ     R10, (DI)(R11*8)
	BLSRQ   AX, AX
	JNE     pushColumn

pushed:
	ADDQ $8, SI
	ADDQ $128, DX
	DECQ CX
	JNE  pushWord
	RET

// func pullBMI2(to, unseen, from *uint64, words int, by *uint16) (left uint64)
TEXT ·pullBMI2(SB), NOSPLIT, $0-48
	MOVQ to+0(FP), DI
	MOVQ unseen+8(FP), BX
	MOVQ from+16(FP), SI
	MOVQ words+24(FP), CX
	MOVQ by+32(FP), DX
	XORQ R12, R12            // left

pullWord:
	MOVQ  (BX), AX
	TESTQ AX, AX
	JEQ   pulled
	XORQ  R8, R8             // what is found

pullColumn:
	TZCNTQ  AX, R9
	MOVWLZX (DX)(R9*2), R10
	MOVL    R10, R11
	SHRL    $6, R11
	MOVQ    (SI)(R11*8), R11
	SHRXQ   R10, R11, R11
	ANDL    $1, R11
	SHLXQ   R9, R11, R11
	ORQ     R11, R8
	BLSRQ   AX, AX
	JNE     pullColumn
	ORQ     R8, (DI)
	ANDNQ   (BX), R8, R8
	MOVQ    R8, (BX)
	ORQ     R8, R12

pulled:
	ADDQ $8, DI
	ADDQ $8, BX
	ADDQ $128, DX
	DECQ CX
	JNE  pullWord
	MOVQ R12, left+40(FP)
	RET
