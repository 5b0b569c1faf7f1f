package rangetest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
)

// BenchProve measures proving for each curve and bit length.
func BenchProve(b *testing.B, maker Maker, bits ...int) {
	eachCase(b, maker, bits, func(b *testing.B, p Prover) {
		w := rangeproof.Witness{Value: ^uint64(0) >> (64 - p.System.Bits()), Blinding: p.Scalar(b)}
		v := p.Commit(p.Group.Uint64(w.Value), w.Blinding)
		src := p.Nonces(b)
		var sink rangeproof.Proof
		var err error
		b.ReportAllocs()
		for b.Loop() {
			sink, err = p.ProveFor(v, w, src)
		}
		require.NoError(b, err)
		b.ReportMetric(float64(len(sink.Append(nil))), "proof-B")
	})
}

// BenchValues measures proving for values of different Hamming weight; run it
// with -count and compare the medians, which should agree.
func BenchValues(b *testing.B, maker Maker, bits ...int) {
	values := []struct {
		name  string
		value uint64
	}{{"zero", 0}, {"random", 0x9e3779b97f4a7c15}, {"most", ^uint64(0)}}
	eachCase(b, maker, bits, func(b *testing.B, p Prover) {
		for _, v := range values {
			w := rangeproof.Witness{Value: v.value >> (64 - p.System.Bits()), Blinding: p.Scalar(b)}
			commitment, src := p.Commit(p.Group.Uint64(w.Value), w.Blinding), p.Nonces(b)
			b.Run("value="+v.name, func(b *testing.B) {
				var err error
				for b.Loop() {
					_, err = p.ProveFor(commitment, w, src)
				}
				require.NoError(b, err)
			})
		}
	})
}

// BenchVerify measures verifying decoded proofs in one call.
func BenchVerify(b *testing.B, maker Maker, bits ...int) {
	eachCase(b, maker, bits, func(b *testing.B, p Prover) {
		for _, m := range []int{1, 2, 16, 128} {
			items := p.items(b, m)
			b.Run(fmt.Sprintf("proofs=%d", m), func(b *testing.B) {
				var err error
				b.ReportAllocs()
				for b.Loop() {
					err = p.Verify(items)
				}
				require.NoError(b, err)
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*m), "ns/proof")
			})
		}
	})
}

func eachCase(b *testing.B, maker Maker, bits []int, f func(b *testing.B, p Prover)) {
	for _, n := range bits {
		for _, curve := range Curves {
			p := NewProver(b, maker, curve, n)
			p.System.Precompute()
			b.Run(fmt.Sprintf("bits=%d/curve=%s", n, curve), func(b *testing.B) { f(b, p) })
		}
	}
}
