// Code generated from bn254/lanes_other.go by bls12381/generate. DO NOT EDIT.

//go:build !amd64 || purego

package bls12381

// newLanes returns nil: this platform lacks vector kernels.
func newLanes(_, _ *columns) (a, b points, shared wiper) { return nil, nil, nil }
