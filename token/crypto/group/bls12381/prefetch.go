// Code generated from bn254/prefetch.go by bls12381/generate. DO NOT EDIT.

//go:build !amd64 || purego

package bls12381

import curve "github.com/consensys/gnark-crypto/ecc/bls12-381"

// prefetch is empty here: the look-ups wait for memory.
func prefetch([]curve.G1Affine, []uint32) {}
