package systems_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
)

// BenchmarkProve measures proving for each system, curve and bit length.
func BenchmarkProve(b *testing.B) {
	eachCase(b, []int{16, 32, 64}, func(b *testing.B, p prover) {
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

// BenchmarkValues measures proving for values of different Hamming weight; run it
// with -count and compare the medians, which should agree.
func BenchmarkValues(b *testing.B) {
	values := []struct {
		name  string
		value uint64
	}{{"zero", 0}, {"random", 0x9e3779b97f4a7c15}, {"most", ^uint64(0)}}
	eachCase(b, []int{64}, func(b *testing.B, p prover) {
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

// BenchmarkVerify measures verifying decoded proofs in one call.
func BenchmarkVerify(b *testing.B) {
	eachCase(b, []int{16, 32, 64}, func(b *testing.B, p prover) {
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

// eachCase has tables of the default size.
func eachCase(b *testing.B, bits []int, f func(b *testing.B, p prover)) {
	for _, s := range systems.All {
		for _, n := range bits {
			for _, curve := range rangetest.Curves {
				p := newProver(b, rangetest.Made(s, 0), curve, n)
				p.System.Precompute()
				b.Run(fmt.Sprintf("proof=%s/bits=%d/curve=%s", s.Kind, n, curve), func(b *testing.B) {
					f(b, p)
				})
			}
		}
	}
}
