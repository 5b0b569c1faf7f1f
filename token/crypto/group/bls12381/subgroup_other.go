//go:build !amd64 || purego

package bls12381

import curve "github.com/consensys/gnark-crypto/ecc/bls12-381"

// showSubgroup shows no point to be in the group: vector kernels are missing on
// this platform.
func (*workspace) showSubgroup([]bool, []curve.G1Affine) {}
