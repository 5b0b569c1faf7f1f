//go:build !purego

#include "textflag.h"

// func zeroUpper()
TEXT ·zeroUpper(SB), NOSPLIT, $0-0
	VZEROUPPER
	RET
