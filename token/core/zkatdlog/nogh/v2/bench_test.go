package v2 // newInstanceOf of fixture_test.go, which the inside tests share, is here

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// benchInstance is a transfer of two inputs and two outputs under parameters
// with tables of the default size.
func benchInstance(b *testing.B, curve string, bits int) (instance, []byte) {
	b.Helper()
	g := vectors.Curve(b, curve)
	p, err := New(g, bits, 0)
	require.NoError(b, err)
	in := newInstanceOf(b, p, shape{bits: bits, inputs: 2, outputs: 2}, 1)
	return in, in.prove(b)
}

func eachBench(b *testing.B, run func(b *testing.B, in instance, proof []byte)) {
	for _, curve := range vectorCurves {
		for _, bits := range []int{32, 64} {
			b.Run(fmt.Sprintf("curve=%s/bits=%d", curve, bits), func(b *testing.B) {
				in, proof := benchInstance(b, curve, bits)
				b.ReportAllocs()
				run(b, in, proof)
			})
		}
	}
}

// BenchmarkProve makes the proof alone: openings and outputs are there.
func BenchmarkProve(b *testing.B) {
	eachBench(b, func(b *testing.B, in instance, _ []byte) {
		for b.Loop() {
			if _, err := in.p.Prove(in.st, in.w, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkVerify decodes and verifies the proof alone: tokens are decoded.
func BenchmarkVerify(b *testing.B) {
	eachBench(b, func(b *testing.B, in instance, proof []byte) {
		for b.Loop() {
			if err := in.p.Verify(in.st, proof); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkBatch verifies batches of 256 proofs of different transfers; the time
// of one proof is reported next to the batch's.
func BenchmarkBatch(b *testing.B) {
	eachBench(b, func(b *testing.B, in instance, _ []byte) {
		claims := make([]Claim, 256)
		for i := range claims {
			other := newInstanceOf(b, in.p, shape{bits: in.p.bits, inputs: 2, outputs: 2}, byte(i))
			claims[i] = Claim{other.st, other.prove(b)}
		}
		b.ResetTimer()
		for b.Loop() {
			if err := in.p.VerifyBatch(claims); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(claims)), "ns/proof")
	})
}

// BenchmarkMul is the yardstick: one multiplication of a point.
func BenchmarkMul(b *testing.B) {
	for _, curve := range vectorCurves {
		b.Run("curve="+curve, func(b *testing.B) {
			g := vectors.Curve(b, curve)
			p, s := g.HashToPoint([]byte("p")), g.Inv(g.Uint64(3))
			for b.Loop() {
				p = group.MulPoint(g, p, s)
			}
		})
	}
}
