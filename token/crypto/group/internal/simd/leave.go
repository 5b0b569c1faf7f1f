//go:build !amd64 || purego

package simd

// Leave is empty here.
func Leave() {}
