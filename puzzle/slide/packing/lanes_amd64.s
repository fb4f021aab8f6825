//go:build !purego

#include "funcdata.h"
#include "textflag.h"

// func findAVX512(table *uint64, vectors, turns int, m tray.Metric, free uint64, b boards, from *uint64) (lanes, lanesOn uint64)
TEXT ·findAVX512(SB), NOSPLIT, $0-88
	MOVQ         table+0(FP), SI
	MOVQ         vectors+8(FP), CX
	MOVQ         turns+16(FP), DX
	MOVBLZX      m+24(FP), BX
	VPBROADCASTQ free+32(FP), Z0
	VPBROADCASTQ b_a+40(FP), Z1
	VPBROADCASTQ b_b+48(FP), Z2
	VPBROADCASTQ b_c+56(FP), Z3
	MOVQ         from+64(FP), DI
	XORQ         AX, AX           // lanes
	XORQ         R8, R8           // lanesOn
	XORQ         R12, R12         // the first lane of the vector

vector:
	// Z4: where a step needs no taken cell.
	VMOVDQU64 192(SI), Z4
	LEAQ      640(SI), R9
	MOVQ      DX, R10

turn:
	VPROLVQ (R9), Z0, Z5
	VPANDQ  Z5, Z4, Z4
	ADDQ    $64, R9
	DECQ    R10
	JNZ     turn

	// Z7: the pieces of the class there.
	VPXORQ     (SI), Z1, Z5
	VPXORQ     64(SI), Z2, Z6
	VPXORQ     128(SI), Z3, Z7
	VPTERNLOGQ $0x80, Z6, Z5, Z7
	VPANDQ     Z4, Z7, Z7
	VMOVDQU64  Z7, (DI)
	VPTESTMQ   Z7, Z7, K1
	KMOVW      K1, R10
	MOVQ       R12, R13
	SHLXQ      R13, R10, R10
	ORQ        R10, AX
	TESTQ      BX, BX
	JZ         next
	CMPQ       BX, $1
	JE         on

	// Z4: where some step that does not lead back needs no taken cell.
	VMOVDQU64 384(SI), Z8
	VMOVDQU64 448(SI), Z9
	VMOVDQU64 512(SI), Z10
	VMOVDQU64 576(SI), Z11
	VPERMQ    Z4, Z8, Z8
	VPERMQ    Z4, Z9, Z9
	VPERMQ    Z4, Z10, Z10
	VPERMQ    Z4, Z11, Z11
	VPTERNLOGQ $0xFE, Z9, Z8, Z4
	VPTERNLOGQ $0xFE, Z11, Z10, Z4

on:
	// Z4: the pieces that are there after the step, or always.
	VPORQ     320(SI), Z4, Z4
	VPRORVQ   256(SI), Z4, Z4
	VPANDQ    Z7, Z4, Z4
	VMOVDQU64 Z4, 448(DI)
	VPTESTMQ  Z4, Z4, K1
	KMOVW     K1, R10
	SHLXQ     R13, R10, R10
	ORQ       R10, R8

next:
	MOVQ R9, SI
	ADDQ $64, DI
	ADDQ $8, R12
	DECQ CX
	JNZ  vector

	MOVQ AX, lanes+72(FP)
	MOVQ R8, lanesOn+80(FP)
	VZEROUPPER
	RET

// func movableAVX512(table, spread *uint64, vectors, turns, cells int, b boards, flat int, can *uint64)
TEXT ·movableAVX512(SB), 0, $896-80
	NO_LOCAL_POINTERS
	MOVQ         table+0(FP), SI
	MOVQ         vectors+16(FP), CX
	MOVQ         turns+24(FP), DX
	MOVQ         cells+32(FP), BX
	VPBROADCASTQ b_a+40(FP), Z1
	VPBROADCASTQ b_b+48(FP), Z2
	VPBROADCASTQ b_c+56(FP), Z3
	MOVQ         flat+64(FP), R8
	MOVQ         DX, R11
	ADDQ         $10, R11
	SHLQ         $6, R11          // the bytes of the rows of a vector
	LEAQ         0(SP), DI        // the pieces of each vector; 448 bytes on those that are stopped

pieces:
	VPXORQ     (SI), Z1, Z5
	VPXORQ     64(SI), Z2, Z6
	VPXORQ     128(SI), Z3, Z7
	VPTERNLOGQ $0x80, Z6, Z5, Z7
	VMOVDQU64  192(SI), Z4
	VPANDNQ    Z7, Z4, Z8
	VMOVDQU64  Z7, (DI)
	VMOVDQU64  Z8, 448(DI)
	ADDQ       R11, SI
	ADDQ       $64, DI
	DECQ       CX
	JNZ        pieces

again:
	// Z10: the cells of stopped pieces.
	VPXORQ Z10, Z10, Z10
	MOVQ   spread+8(FP), R9
	LEAQ   0(SP), DI
	MOVQ   vectors+16(FP), CX

cells:
	VMOVDQU64 448(DI), Z8
	MOVQ      BX, R10

cell:
	VPROLVQ (R9), Z8, Z5
	VPORQ   Z5, Z10, Z10
	ADDQ    $64, R9
	DECQ    R10
	JNZ     cell
	ADDQ    $64, DI
	DECQ    CX
	JNZ     cells
	TESTQ   R8, R8
	JZ      stop
	VSHUFI64X2 $0x4E, Z10, Z10, Z11
	VPORQ      Z11, Z10, Z10

stop:
	// Pieces that need such a cell are stopped too. Z12: those that were not.
	VPXORQ Z12, Z12, Z12
	MOVQ   table+0(FP), SI
	LEAQ   0(SP), DI
	MOVQ   vectors+16(FP), CX

needs:
	VPXORQ Z9, Z9, Z9
	LEAQ   640(SI), R9
	MOVQ   DX, R10

need:
	VPROLVQ (R9), Z10, Z5
	VPORQ   Z5, Z9, Z9
	ADDQ    $64, R9
	DECQ    R10
	JNZ     need
	VPANDQ    (DI), Z9, Z9
	VMOVDQU64 448(DI), Z8
	VPANDNQ   Z9, Z8, Z9
	VPORQ     Z9, Z12, Z12
	VPORQ     Z9, Z8, Z8
	VMOVDQU64 Z8, 448(DI)
	MOVQ      R9, SI
	ADDQ      $64, DI
	DECQ      CX
	JNZ       needs
	VPTESTMQ  Z12, Z12, K1
	KMOVW     K1, R10
	TESTQ     R10, R10
	JNZ       again

	// The pieces that are not stopped, of all classes.
	VPXORQ Z10, Z10, Z10
	LEAQ   0(SP), DI
	MOVQ   vectors+16(FP), CX

rest:
	VMOVDQU64 448(DI), Z8
	VPANDNQ   (DI), Z8, Z9
	VPORQ     Z9, Z10, Z10
	ADDQ      $64, DI
	DECQ      CX
	JNZ       rest
	MOVQ      $8, CX
	TESTQ     R8, R8
	JZ        numbers
	VSHUFI64X2 $0x4E, Z10, Z10, Z11
	VPORQ      Z11, Z10, Z10
	MOVQ       $4, CX

numbers:
	VMOVDQU64 Z10, 0(SP)
	VZEROUPPER
	MOVQ b_a+40(FP), AX
	ORQ  b_b+48(FP), AX
	ORQ  b_c+56(FP), AX
	MOVQ can+72(FP), R9
	LEAQ 0(SP), DI

number:
	MOVQ  (DI), R10
	PEXTQ AX, R10, R10
	MOVQ  R10, (R9)
	ADDQ  $8, DI
	ADDQ  $8, R9
	DECQ  CX
	JNZ   number
	RET
