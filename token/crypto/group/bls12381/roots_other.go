//go:build !amd64 || purego

package bls12381

import "github.com/consensys/gnark-crypto/ecc/bls12-381/fp"

// rootsInLanes computes nothing: there is no vector kernel on this platform.
func (*workspace) rootsInLanes([]fp.Element, []fp.Element) int { return 0 }
