//go:build !amd64 || purego

package bn254

// newLanes returns nil: there is no vector kernel on this platform.
func newLanes(*scratch) (a, b points) { return nil, nil }
