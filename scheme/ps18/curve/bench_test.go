package curve_test

import (
	"fmt"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/scheme/ps18/curve"
)

// BenchmarkMSMG2 compares sums in G2 with MultiExp of gnark-crypto and with one
// multiplication for each term.
func BenchmarkMSMG2(b *testing.B) {
	for _, name := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
		c, err := curve.Find(name, "native")
		require.NoError(b, err)
		for _, n := range []int{2, 3, 5, 11} {
			ks := draw(c, n)
			plain, prepared := make([]curve.G2, n), make([]curve.G2, n)
			for i := range plain {
				plain[i] = c.MulG2(c.GenG2(), ks[i])
				prepared[i] = c.PrepareG2(plain[i])
			}
			for how, work := range map[string]func(){
				"joint":    func() { c.MSMG2(plain, ks) },
				"prepared": func() { c.MSMG2(prepared, ks) },
				"each": func() {
					sum := c.MulG2(plain[0], ks[0])
					for i, q := range plain[1:] {
						sum = c.AddG2(sum, c.MulG2(q, ks[i+1]))
					}
				},
				"gnark-multiexp": multiExp(b, c, plain, n),
			} {
				b.Run(fmt.Sprintf("curve=%s/terms=%d/how=%s", name, n, how), func(b *testing.B) {
					for b.Loop() {
						work()
					}
				})
			}
		}
	}
}

// multiExp is MultiExp of gnark-crypto in one goroutine.
func multiExp(b *testing.B, c curve.Curve, qs []curve.G2, n int) func() {
	if c.Name() == "BN254" {
		points, scalars := make([]bn254.G2Affine, n), make([]fr.Element, n)
		for i, k := range draw(c, n) {
			scalars[i].SetBigInt(k)
			_, err := points[i].SetBytes(c.AppendG2(nil, qs[i]))
			require.NoError(b, err)
		}
		return func() {
			var sum bn254.G2Jac
			_, err := sum.MultiExp(points, scalars, ecc.MultiExpConfig{NbTasks: 1})
			require.NoError(b, err)
		}
	}
	points, scalars := make([]bls12381.G2Affine, n), make([]blsfr.Element, n)
	for i, k := range draw(c, n) {
		scalars[i].SetBigInt(k)
		_, err := points[i].SetBytes(c.AppendG2(nil, qs[i]))
		require.NoError(b, err)
	}
	return func() {
		var sum bls12381.G2Jac
		_, err := sum.MultiExp(points, scalars, ecc.MultiExpConfig{NbTasks: 1})
		require.NoError(b, err)
	}
}
