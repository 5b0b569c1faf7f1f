// Package planted has a hundred benchmarks that do the same, and, by build tags,
// what a gate must see: slow, alloc, gone.
package planted

import (
	"crypto/sha256"
	"fmt"
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
			for b.Loop() {
				for range rounds {
					sum = sha256.Sum256(sum[:])
				}
				kept = kept[:0]
				for range allocations {
					kept = append(kept, new([64]byte))
				}
			}
		})
	}
}

func init() { kept = make([]*[64]byte, 0, allocations) }
