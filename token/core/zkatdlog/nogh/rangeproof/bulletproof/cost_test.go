package bulletproof_test

import (
	"crypto/rand"
	"fmt"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount/count"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
)

// counted returns the system of p over a counting view and its counts so far.
func counted(t *testing.T, p prover) (rangeproof.System, func() count.Counts) {
	t.Helper()
	p.s.Precompute()
	recorder := &count.Recorder{}
	g, err := opcount.Wrap(p.g, recorder.Bucket(""), nil)
	require.NoError(t, err)
	return p.s.On(g), func() count.Counts {
		defer recorder.Reset()
		return recorder.Snapshot().Total()
	}
}

// TestCost holds the table "What a proof costs" of docs/protocol-v1.md. A
// change here is a decision: say why in the commit.
func TestCost(t *testing.T) {
	for _, n := range []int{16, 32, 64} {
		k := bits.Len(uint(n)) - 1
		p := newProver(t, "BN254", n)
		s, counts := counted(t, p)

		w := rangeproof.Witness{Value: 3, Blinding: p.scalar(t)}
		hedge, err := nonce.NewHedge(p.g, rand.Reader, nil)
		require.NoError(t, err)
		v := p.commit(p.g.Uint64(3), w.Blinding)
		proof, err := s.Prove(v, w, hedge.Stream("test", 0))
		require.NoError(t, err)
		c := counts()
		require.EqualValues(t, 2+1+(2*n+1)+4+n+3+2*k*(n+1), c.Terms(count.FixedMSM), "prover, n = %d", n)
		require.EqualValues(t, 2, c.Terms(count.MSM))

		for _, m := range []int{1, 2, 5} {
			items := make([]rangeproof.Item, m)
			for i := range items {
				items[i] = rangeproof.Item{V: v, Proof: proof}
			}
			require.NoError(t, s.Verify(items))
			c := counts()
			require.EqualValues(t, m*(n+3)+2*n+6, c.Terms(count.FixedMSM), "verifier, n = %d, %d proofs", n, m)
			require.EqualValues(t, 2*m+m*(4+2*k), c.Terms(count.MSM))
		}
	}
}

// BenchmarkProve and BenchmarkVerify time the cores alone: no codec.
func BenchmarkProve(b *testing.B) {
	eachCase(b, func(b *testing.B, p prover) {
		w := rangeproof.Witness{Value: 1<<p.c.Bits - 1, Blinding: p.c.Group.Uint64(7)}
		v := p.commit(p.g.Uint64(w.Value), w.Blinding)
		hedge, err := nonce.NewHedge(p.g, rand.Reader, nil)
		require.NoError(b, err)
		src := hedge.Stream("benchmark", 0)
		var sink rangeproof.Proof
		b.ReportAllocs()
		for b.Loop() {
			sink, err = p.s.Prove(v, w, src)
		}
		require.NoError(b, err)
		b.ReportMetric(float64(len(sink.Append(nil))), "proof-B")
	})
}

func BenchmarkVerify(b *testing.B) {
	eachCase(b, func(b *testing.B, p prover) {
		for _, m := range []int{1, 2, 16, 128} {
			items := make([]rangeproof.Item, m)
			for i := range items {
				items[i] = p.prove(b, uint64(i))
			}
			b.Run(fmt.Sprintf("proofs=%d", m), func(b *testing.B) {
				var err error
				b.ReportAllocs()
				for b.Loop() {
					err = p.s.Verify(items)
				}
				require.NoError(b, err)
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*m), "ns/proof")
			})
		}
	})
}

func eachCase(b *testing.B, f func(b *testing.B, p prover)) {
	for _, bits := range []int{32, 64} {
		for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
			p := newProver(b, curve, bits)
			p.s.Precompute()
			b.Run(fmt.Sprintf("bits=%d/curve=%s", bits, curve), func(b *testing.B) { f(b, p) })
		}
	}
}
