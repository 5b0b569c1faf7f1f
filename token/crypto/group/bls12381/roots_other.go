//go:build !amd64 || purego

package bls12381

import "github.com/consensys/gnark-crypto/ecc/bls12-381/fp"

// rootsInLanes is empty: this platform lacks vector kernels.
func (*workspace) rootsInLanes([]fp.Element, []fp.Element) int { return 0 }
