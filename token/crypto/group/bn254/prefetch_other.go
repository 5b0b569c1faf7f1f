//go:build !amd64 || purego

package bn254

func prefetch(*affine) {}
