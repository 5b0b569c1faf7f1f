// Code generated from bn254/prefetch_amd64.go by bls12381/generate. DO NOT EDIT.

//go:build !purego

package bls12381

import (
	"unsafe"

	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
)

// prefetch asks for the entries that at names (see lockstep) to be brought
// into the cache. Tables are larger than the caches, and without it every
// look-up waits for memory.
func prefetch(entries []curve.G1Affine, at []uint32) {
	if len(at) > 0 {
		fetch(&entries[0], &at[0], len(at), unsafe.Sizeof(entries[0]))
	}
}

// fetch prefetches the first and the last byte of n entries of the given size.
//
//go:noescape
func fetch(entries *curve.G1Affine, at *uint32, n int, size uintptr)
