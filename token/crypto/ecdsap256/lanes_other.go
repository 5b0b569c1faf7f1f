//go:build !amd64 || purego

package ecdsap256

// hasLanes is false: this platform lacks vector kernels.
const hasLanes = false

func (*keys) inLanes(list []Signature, _ []bool) (decided []bool) { return make([]bool, len(list)) }
