//go:build !amd64 || purego

package bn254

import curve "github.com/consensys/gnark-crypto/ecc/bn254"

// prefetch is empty here: the look-ups wait for memory.
func prefetch([]curve.G1Affine, []uint32) {}
