//go:build !amd64 || purego

package ecdsap256

// hasLanes is false: there are no vector kernels on this platform.
const hasLanes = false

func (*keys) inLanes(list []Signature, _ []bool) (decided []bool) { return make([]bool, len(list)) }
