//go:build amd64 && !purego

#include "textflag.h"

// func prefetch(p *affine)
// The first and the last byte may lie in different cache lines.
TEXT ·prefetch(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), AX
	PREFETCHT0 (AX)
	PREFETCHT0 63(AX)
	RET
