package ps18 // it measures signatures of helpers_test.go

import (
	"fmt"
	"testing"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/runner/stats"
	"github.com/zkatbench/zkatbench/scheme/ps18/curve"
)

// loops are two Miller loops and a final exponentiation of gnark-crypto: the part
// of a verification that cannot be avoided.
var loops = map[string]func(){
	"BN254": func() {
		_, _, g1, g2 := bn254.Generators()
		loop, err := bn254.MillerLoop([]bn254.G1Affine{g1, g1}, []bn254.G2Affine{g2, g2})
		if err != nil {
			panic(err)
		}
		bn254.FinalExponentiation(&loop)
	},
	"BLS12_381_BBS_GURVY": func() {
		_, _, g1, g2 := bls12381.Generators()
		loop, err := bls12381.MillerLoop([]bls12381.G1Affine{g1, g1}, []bls12381.G2Affine{g2, g2})
		if err != nil {
			panic(err)
		}
		bls12381.FinalExponentiation(&loop)
	},
}

// BenchmarkRatios compares ways to verify in turns, by the processor time of one
// thread, which a busy machine moves little. Units are medians of ratios: to the
// loops above, and the verification of a signature alone to its share of a batch.
func BenchmarkRatios(b *testing.B) {
	for name, base := range loops {
		for _, r := range []int{1, 10} {
			b.Run(fmt.Sprintf("curve=%s/messages=%d", name, r), func(b *testing.B) {
				c, err := curve.Find(name, "native")
				require.NoError(b, err)
				s := sign(b, c, r, 1)
				prepared := s.pk.Prepare()
				batch := make([]Signed, 64)
				for i := range batch {
					sig, err := s.sk.Sign(s.messages, stream(byte(i)))
					require.NoError(b, err)
					batch[i] = Signed{s.messages, sig}
				}
				now, done := cputime.Thread()
				defer done()
				timed := func(work func() error) float64 {
					start := now()
					if err := work(); err != nil {
						b.Fatal(err)
					}
					return float64(now() - start)
				}
				ratios := map[string][]float64{}
				for b.Loop() {
					whole := timed(func() error { base(); return nil })
					alone := timed(func() error { return s.pk.Verify(s.messages, s.sig, Product) })
					together := timed(func() error { return prepared.VerifyBatch(batch, stream(3)) }) /
						float64(len(batch))
					for unit, ratio := range map[string]float64{
						"product/loops": alone / whole,
						"plain/loops": timed(func() error {
							return s.pk.Verify(s.messages, s.sig, Plain)
						}) / whole,
						"prepared/loops": timed(func() error {
							return prepared.Verify(s.messages, s.sig, Product)
						}) / whole,
						"alone/batch64": alone / together,
					} {
						ratios[unit] = append(ratios[unit], ratio)
					}
				}
				for unit, all := range ratios {
					b.ReportMetric(stats.Median(all), unit)
				}
			})
		}
	}
}
