//go:build !linux

package cputime

// Waits returns 0, since only Linux counts the waits of a thread.
func Waits() int64 { return 0 }
