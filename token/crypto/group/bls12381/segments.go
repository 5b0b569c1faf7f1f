// Code generated from bn254/segments.go by bls12381/generate. DO NOT EDIT.

package bls12381

// segments are lists of points to be summed.
type segments struct {
	points columns
	lens   []int
}

func (s *segments) wipe() {}
