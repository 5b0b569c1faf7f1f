//go:build !purego

package simd

import "github.com/consensys/gnark-crypto/utils/cpu"

// Leave is called when a run of gnark-crypto's vector operations is over. These
// leave the upper halves of AVX-512 registers in use. While they are in use,
// each SSE instruction on Intel's processors depends on the previous one. SHA-256
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
