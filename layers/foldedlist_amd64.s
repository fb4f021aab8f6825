//go:build !purego

#include "textflag.h"

DATA eights<>+0(SB)/8, $0
DATA eights<>+8(SB)/8, $64
DATA eights<>+16(SB)/8, $128
DATA eights<>+24(SB)/8, $192
DATA eights<>+32(SB)/8, $256
DATA eights<>+40(SB)/8, $320
DATA eights<>+48(SB)/8, $384
DATA eights<>+56(SB)/8, $448
GLOBL eights<>(SB), RODATA|NOPTR, $64

DATA sixteens<>+0(SB)/8, $0x0000000100000000
DATA sixteens<>+8(SB)/8, $0x0000000300000002
DATA sixteens<>+16(SB)/8, $0x0000000500000004
DATA sixteens<>+24(SB)/8, $0x0000000700000006
DATA sixteens<>+32(SB)/8, $0x0000000900000008
DATA sixteens<>+40(SB)/8, $0x0000000b0000000a
DATA sixteens<>+48(SB)/8, $0x0000000d0000000c
DATA sixteens<>+56(SB)/8, $0x0000000f0000000e
GLOBL sixteens<>(SB), RODATA|NOPTR, $64

#define CONSTANT(n, z) \
	MOVQ         $n, AX \
	VPBROADCASTQ AX, z

// func listAVX512(routes, starts, low, high *uint32, shift, highBits uint64, n int, words, places *uint64, bits *uint32) (firsts, listed int, ok bool)
TEXT ·listAVX512(SB), NOSPLIT, $0-97
	MOVQ routes+0(FP), R8
	MOVQ starts+8(FP), R9
	MOVQ low+16(FP), R10
	MOVQ high+24(FP), R11
	MOVQ n+48(FP), CX
	MOVQ words+56(FP), SI
	MOVQ places+64(FP), R13
	MOVQ bits+72(FP), BX

	VMOVQ shift+32(FP), X21
	MOVQ  shift+32(FP), AX
	SUBQ  $6, AX
	VMOVQ AX, X20
	VMOVQ highBits+40(FP), X24
	MOVQ  $1, AX
	MOVQ  highBits+40(FP), DX
	SHLXQ DX, AX, AX
	DECQ  AX
	VPBROADCASTQ AX, Z23
	CONSTANT(2, Z30)
	CONSTANT(63, Z26)
	CONSTANT(255, Z27)
	CONSTANT(512, Z29)
	VMOVDQU64    eights<>(SB), Z28 // which word, as in Batch.Bits
	VPXORQ       Z31, Z31, Z31
	XORQ         AX, AX            // how many are listed
	XORQ         DX, DX            // which of them have words with more bits

eight:
	MOVQ  $255, R15
	CMPQ  CX, $8
	JAE   all
	BZHIQ CX, R15, R15

all:
	KMOVW R15, K1
	VMOVDQU64.Z (SI), K1, Z0
	VMOVDQU64.Z 512(SI), K1, Z1
	VMOVDQU64   Z31, K1, 1024(SI)

	// Z4: the routes. K2: the words that have one that leads somewhere, and a bit.
	VPSRLQ     X20, Z0, Z3
	KMOVW      K1, K2
	VPXOR      Y4, Y4, Y4
	VPGATHERQD (R8)(Z3*4), K2, Y4
	VPMOVZXDQ  Y4, Z4
	VPTESTNMQ  Z4, Z4, K1, K3
	KORTESTW   K3, K3
	JNZ        unknown
	VPCMPUQ    $5, Z29, Z4, K1, K2
	VPTESTMQ   Z1, Z1, K2, K2

	// Z5: the first bit. K4: the words that have more. Z7: the number.
	VPSUBQ   Z1, Z31, Z5
	VPANDQ   Z1, Z5, Z5
	VPXORQ   Z5, Z1, Z6
	VPTESTMQ Z6, Z6, K2, K4
	VPLZCNTQ Z5, Z5
	VPSUBQ   Z5, Z26, Z5
	VPSLLQ   $6, Z0, Z7
	VPORQ    Z5, Z7, Z7

	// Z10: where the number leads inside its block. Z9: the fold.
	VPANDQ     Z27, Z4, Z8
	VPSRLQ     $4, Z8, Z9
	KMOVW      K2, K5
	VPXOR      Y10, Y10, Y10
	VPGATHERQD (R9)(Z8*4), K5, Y10
	VPSLLQ     $8, Z9, Z11
	VPANDQ     Z27, Z7, Z12
	VPORQ      Z12, Z11, Z11
	KMOVW      K2, K5
	VPXOR      Y12, Y12, Y12
	VPGATHERQD (R10)(Z11*4), K5, Y12
	VPSRLQ     $8, Z7, Z13
	VPANDQ     Z23, Z13, Z13
	VPSLLQ     X24, Z9, Z14
	VPORQ      Z14, Z13, Z13
	KMOVW      K2, K5
	VPXOR      Y14, Y14, Y14
	VPGATHERQD (R11)(Z13*4), K5, Y14
	VPXOR      Y12, Y10, Y10
	VPXOR      Y14, Y10, Y10
	VPMOVZXDQ  Y10, Z10

	// Z15: the number in the blocks of the file.
	VPSRLQ $8, Z4, Z15
	VPSUBQ Z30, Z15, Z15
	VPSLLQ X21, Z15, Z15
	VPORQ  Z10, Z15, Z15

	VPSRLQ        $6, Z15, Z16
	VPCOMPRESSQ.Z Z16, K2, Z16
	VMOVDQU64     Z16, (R13)(AX*8)
	VPANDQ        Z26, Z15, Z17
	VPSLLQ        $12, Z17, Z17
	VPSLLQ        $18, Z9, Z18
	VPORQ         Z18, Z17, Z17
	VPORQ         Z28, Z17, Z17
	VPORQ         Z5, Z17, Z17
	VPCOMPRESSQ.Z Z17, K2, Z17
	VPMOVQD       Z17, (BX)(AX*4)

	// The words that have more bits, by their places in the list.
	KMOVW   K2, R15
	KMOVW   K4, DI
	PEXTQ   R15, DI, DI
	SHLXQ   AX, DI, DI
	ORQ     DI, DX
	POPCNTQ R15, R15
	ADDQ    R15, AX

	VPADDQ Z29, Z28, Z28
	ADDQ   $64, SI
	SUBQ   $8, CX
	JG     eight

	// The other bits of these words.
	MOVQ         AX, firsts+80(FP)
	MOVQ         low+16(FP), R8
	MOVQ         words+56(FP), SI
	MOVL         $63, CX
	VPBROADCASTD CX, Z20
	MOVL         $16, CX
	VPBROADCASTD CX, Z21
	VMOVDQU64    sixteens<>(SB), Z22
	TESTQ        DX, DX
	JZ           done

word:
	// R11: the entries of low for the fold. R10: where the first number of the word leads. R12: the other bits.
	// Z3: the word and each of 16 bits, as in Batch.Bits.
	TZCNTQ       DX, CX
	BLSRQ        DX, DX
	MOVL         (BX)(CX*4), R9
	MOVQ         (R13)(CX*8), R10
	MOVL         R9, R11
	SHRL         $18, R11
	ANDL         $15, R11
	SHLL         $10, R11
	ADDQ         R8, R11
	MOVL         R9, CX
	ANDL         $63, CX
	MOVL         (R11)(CX*4), CX
	SHLQ         $6, R10
	XORQ         CX, R10
	MOVL         R9, CX
	SHRL         $12, CX
	ANDL         $63, CX
	XORQ         CX, R10
	SHRL         $6, R9
	ANDL         $63, R9
	MOVQ         512(SI)(R9*8), R12
	BLSRQ        R12, R12
	SHLL         $6, R9
	VPBROADCASTQ R10, Z0
	VPBROADCASTD R10, Z1
	VPBROADCASTD R9, Z2
	VPORD        Z22, Z2, Z3

group:
	KMOVW         R12, K1
	MOVWLZX       R12, CX
	POPCNTL       CX, CX
	VMOVDQU32     (R11), Z4
	VPCOMPRESSD.Z Z4, K1, Z4
	VPCOMPRESSD.Z Z3, K1, Z5
	VPMOVZXDQ     Y4, Z6
	VEXTRACTI64X4 $1, Z4, Y7
	VPMOVZXDQ     Y7, Z7
	VPXORQ        Z0, Z6, Z6
	VPXORQ        Z0, Z7, Z7
	VPSRLQ        $6, Z6, Z6
	VPSRLQ        $6, Z7, Z7
	VMOVDQU64     Z6, (R13)(AX*8)
	VMOVDQU64     Z7, 64(R13)(AX*8)
	VPXORD        Z1, Z4, Z4
	VPANDD        Z20, Z4, Z4
	VPSLLD        $12, Z4, Z4
	VPORD         Z5, Z4, Z4
	VMOVDQU32     Z4, (BX)(AX*4)
	ADDQ          CX, AX
	VPADDD        Z21, Z3, Z3
	ADDQ          $64, R11
	SHRQ          $16, R12
	JNZ           group
	TESTQ         DX, DX
	JNZ           word

done:
	MOVQ AX, listed+88(FP)
	MOVB $1, ok+96(FP)
	VZEROUPPER
	RET

unknown:
	MOVB $0, ok+96(FP)
	VZEROUPPER
	RET
