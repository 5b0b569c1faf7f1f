// Package synthetic has benchmarks whose figures are known.
package synthetic

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

var bits = flag.Int("bits", 8, "doubles the work")

func TestMain(m *testing.M) {
	flag.Parse()
	fmt.Println("Unit size-B assume=exact better=lower")
	os.Exit(m.Run())
}

var sink []byte

func BenchmarkSum(b *testing.B) {
	for _, n := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("bits=%d/inputs=%d", *bits, n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sink = make([]byte, n**bits)
			}
			b.ReportMetric(float64(len(sink)), "size-B")
		})
	}
}

func BenchmarkOther(b *testing.B) {
	for b.Loop() {
	}
}
