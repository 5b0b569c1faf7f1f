//go:build !amd64 || purego

package lead254

func prefetch(*affine) {}
