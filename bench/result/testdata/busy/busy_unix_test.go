//go:build unix

// Package busy has a benchmark of known processor time.
package busy

import (
	"syscall"
	"testing"
	"time"
)

func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkBusy takes 20 ms of processor time.
func BenchmarkBusy(b *testing.B) {
	for range b.N {
		for start := used(); used()-start < 20*time.Millisecond; {
		}
	}
}
