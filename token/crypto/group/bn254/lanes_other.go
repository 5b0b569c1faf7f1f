//go:build !amd64 || purego

package bn254

// newLanes returns nil: this platform lacks vector kernels.
func newLanes(_, _ *columns) (a, b points, shared wiper) { return nil, nil, nil }
