// Code generated from bn254/prefetch_amd64.s by bls12381/generate. DO NOT EDIT.

//go:build !purego

#include "textflag.h"

// func fetch(entries *curve.G1Affine, at *uint32, n int, size uintptr)
TEXT ·fetch(SB), NOSPLIT, $0-32
	MOVQ entries+0(FP), DI
	MOVQ at+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ size+24(FP), DX

loop:
	MOVL        (SI), AX
	SHRL        $1, AX
	IMULQ       DX, AX
	ADDQ        DI, AX
	PREFETCHT0  (AX)
	PREFETCHT0  -1(AX)(DX*1)
	ADDQ        $4, SI
	DECQ        CX
	JNZ         loop
	RET
