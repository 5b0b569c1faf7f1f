//go:build !amd64 || purego

package simd

// Leave does nothing here.
func Leave() {}
