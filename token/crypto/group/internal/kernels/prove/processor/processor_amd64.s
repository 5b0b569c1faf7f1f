#include "textflag.h"

// Each function loads a, b and c to Z0, Z1 and Z2, executes one instruction and stores Z2 to out.

#define LOAD \
	MOVQ a+0(FP), AX; \
	MOVQ b+8(FP), BX; \
	MOVQ c+16(FP), CX; \
	MOVQ out+24(FP), DX; \
	MOVQ $0x5a, SI; \
	KMOVW SI, K1; \
	VMOVDQU64 (AX), Z0; \
	VMOVDQU64 (BX), Z1; \
	VMOVDQU64 (CX), Z2

// func add(a, b, c, out *Vector)
TEXT ·add(SB), NOSPLIT, $0-32
	LOAD
	VPADDQ Z0, Z1, Z2
	VMOVDQU64 Z2, (DX)
	VZEROUPPER
	RET

// func sub(a, b, c, out *Vector)
TEXT ·sub(SB), NOSPLIT, $0-32
	LOAD
	VPSUBQ Z0, Z1, Z2
	VMOVDQU64 Z2, (DX)
	VZEROUPPER
	RET

// func and(a, b, c, out *Vector)
TEXT ·and(SB), NOSPLIT, $0-32
	LOAD
	VPANDQ Z0, Z1, Z2
	VMOVDQU64 Z2, (DX)
	VZEROUPPER
	RET

// func xor(a, b, c, out *Vector)
TEXT ·xor(SB), NOSPLIT, $0-32
	LOAD
	VPXORQ Z2, Z2, Z2
	VMOVDQU64 Z2, (DX)
	VZEROUPPER
	RET

// func permute(a, b, c, out *Vector)
TEXT ·permute(SB), NOSPLIT, $0-32
	LOAD
	VPERMQ (AX), Z1, Z2
	VMOVDQU64 Z2, (DX)
	VZEROUPPER
	RET

// func blend(a, b, c, out *Vector)
TEXT ·blend(SB), NOSPLIT, $0-32
	LOAD
	VPBLENDMQ Z0, Z1, K1, Z2
	VMOVDQU64 Z2, (DX)
	VZEROUPPER
	RET

// func broadcast(a, b, c, out *Vector)
TEXT ·broadcast(SB), NOSPLIT, $0-32
	LOAD
	VPBROADCASTQ (AX), Z2
	VMOVDQU64 Z2, (DX)
	VZEROUPPER
	RET

// func right52(a, b, c, out *Vector)
TEXT ·right52(SB), NOSPLIT, $0-32
	LOAD
	VPSRLQ $0x34, Z1, Z2
	VMOVDQU64 Z2, (DX)
	VZEROUPPER
	RET

// func signed52(a, b, c, out *Vector)
TEXT ·signed52(SB), NOSPLIT, $0-32
	LOAD
	VPSRAQ $0x34, Z1, Z2
	VMOVDQU64 Z2, (DX)
	VZEROUPPER
	RET

// func signed44(a, b, c, out *Vector)
TEXT ·signed44(SB), NOSPLIT, $0-32
	LOAD
	VPSRAQ $0x2c, Z1, Z2
	VMOVDQU64 Z2, (DX)
	VZEROUPPER
	RET

// func left1(a, b, c, out *Vector)
TEXT ·left1(SB), NOSPLIT, $0-32
	LOAD
	VPSLLQ $0x01, Z1, Z2
	VMOVDQU64 Z2, (DX)
	VZEROUPPER
	RET

// func multiplyLow(a, b, c, out *Vector)
TEXT ·multiplyLow(SB), NOSPLIT, $0-32
	LOAD
	VPMADD52LUQ Z0, Z1, Z2
	VMOVDQU64 Z2, (DX)
	VZEROUPPER
	RET

// func multiplyHigh(a, b, c, out *Vector)
TEXT ·multiplyHigh(SB), NOSPLIT, $0-32
	LOAD
	VPMADD52HUQ Z0, Z1, Z2
	VMOVDQU64 Z2, (DX)
	VZEROUPPER
	RET

// func maskedStore(a, b, c, out *Vector)
TEXT ·maskedStore(SB), NOSPLIT, $0-32
	LOAD
	VMOVDQU64 Z2, (DX)
	VMOVDQU64 Z0, K1, (DX)
	VZEROUPPER
	RET

// func unpackLow(a, b, c, out *Vector)
TEXT ·unpackLow(SB), NOSPLIT, $0-32
	LOAD
	VPUNPCKLQDQ Z0, Z1, Z2
	VMOVDQU64 Z2, (DX)
	VZEROUPPER
	RET

// func unpackHigh(a, b, c, out *Vector)
TEXT ·unpackHigh(SB), NOSPLIT, $0-32
	LOAD
	VPUNPCKHQDQ Z0, Z1, Z2
	VMOVDQU64 Z2, (DX)
	VZEROUPPER
	RET

// func shuffle(a, b, c, out *Vector)
TEXT ·shuffle(SB), NOSPLIT, $0-32
	LOAD
	VSHUFI64X2 $0xd8, Z0, Z1, Z2
	VMOVDQU64 Z2, (DX)
	VZEROUPPER
	RET

// func ternary(a, b, c, out *Vector)
TEXT ·ternary(SB), NOSPLIT, $0-32
	LOAD
	VPTERNLOGQ $0xca, Z0, Z1, Z2
	VMOVDQU64 Z2, (DX)
	VZEROUPPER
	RET

// func or(a, b, c, out *Vector)
TEXT ·or(SB), NOSPLIT, $0-32
	LOAD
	VPORQ Z0, Z1, Z2
	VMOVDQU64 Z2, (DX)
	VZEROUPPER
	RET

// func permuteTwo(a, b, c, out *Vector)
TEXT ·permuteTwo(SB), NOSPLIT, $0-32
	LOAD
	VPERMT2D Z0, Z1, Z2
	VMOVDQU64 Z2, (DX)
	VZEROUPPER
	RET
