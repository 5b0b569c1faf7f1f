// Package planted has a hundred benchmarks that do the same, and, by build tags,
// what a gate must see: slow, alloc, gone.
package planted

import (
	"crypto/sha256"
	"fmt"
	"syscall"
	"testing"
)

var (
	sum  [32]byte
	kept []*[64]byte
)

func BenchmarkWork(b *testing.B) {
	for i := range cases {
		b.Run(fmt.Sprintf("case=%d", i), func(b *testing.B) {
			b.ReportAllocs()
			start := processorTime(b)
			for b.Loop() {
				for range rounds {
					sum = sha256.Sum256(sum[:])
				}
				kept = kept[:0]
				for range allocations {
					kept = append(kept, new([64]byte))
				}
			}
			b.ReportMetric(float64(processorTime(b)-start)/float64(b.N), "cpu-ns/op")
		})
	}
}

// processorTime returns the nanoseconds of processor time that this process took.
func processorTime(b *testing.B) int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func init() { kept = make([]*[64]byte, 0, allocations) }
