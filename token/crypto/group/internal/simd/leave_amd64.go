//go:build !purego

package simd

import "github.com/consensys/gnark-crypto/utils/cpu"

// Leave is called when a run of gnark-crypto's vector operations is over. These
// leave the upper halves of AVX-512 registers in use, and while they are,
// Intel's processors make each SSE instruction wait for the one before: SHA-256
// then takes five to ten times as long, and copying a structure longer than it
// has to (Intel 64 and IA-32 Architectures Optimization Reference Manual,
// section on mixing AVX and SSE code).
func Leave() {
	if cpu.SupportAVX512 {
		zeroUpper()
	}
}

// zeroUpper clears the upper halves.
func zeroUpper()
