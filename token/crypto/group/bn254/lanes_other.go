//go:build !amd64 || purego

package bn254

// newLanes returns nil: this platform lacks vector kernels.
func newLanes(*scratch) (a, b points) { return nil, nil }
