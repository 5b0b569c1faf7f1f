package curve

import (
	"math/big"
	"sync"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// bls12381Lines are the line coefficients of a fixed point.
type bls12381Lines = [2][len(bls12381.LoopCounter) - 1]bls12381.LineEvaluationAff

// BLS12381 returns BLS12-381 over gnark-crypto, called name.
func BLS12381(name string) Curve {
	c := *blsCurve()
	c.name = name
	return &c
}

// blsCurve makes the curve when it is first asked for.
var blsCurve = sync.OnceValue(func() *bls12381Native {
	gen1, gen2, _, _ := bls12381.Generators()
	q := fr.Modulus()
	c := &bls12381Native{
		order: q, gen1: gen1, gen2: gen2,
	}
	// φ(x, y) = (βx, y) multiplies G1 by -x², x being the parameter of the
	// curve, for one of the two cube roots β of 1.
	x := integer("-0xd201000000010000")
	lambda := new(big.Int).Mul(x, x)
	lambda.Sub(q, lambda)
	var beta fp.Element
	beta.Exp(*new(fp.Element).SetUint64(2), fraction(fp.Modulus(), 3)) // 2 is not a cube
	phi := func(a *bls12381.G1Affine) { a.X.Mul(&a.X, &beta) }
	if !bls12381Multiplies(phi, &c.gen1, lambda) {
		beta.Square(&beta)
	}
	c.sums1 = bls12381Sums(twoWay(q, lambda), phi)

	// ψ(x, y) = (x̄·ξ^(-(p-1)/3), ȳ·ξ^(-(p-1)/2)) with ξ = 1 + u multiplies G2
	// by p mod q, which is x. So k₀ … k₃ are its digits to the base x, up to a
	// reduction by x⁴ - x² + 1 = q.
	xi := bls12381.E2{A0: fp.One(), A1: fp.One()}
	var xiX, xiY bls12381.E2
	xiX.Exp(xi, fraction(fp.Modulus(), 3))
	xiX.Inverse(&xiX)
	xiY.Exp(xi, fraction(fp.Modulus(), 2))
	xiY.Inverse(&xiY)
	zero, one, minus := linear(0, x, 0), linear(0, x, 1), linear(0, x, -1)
	c.g2 = straus[bls12381.G2Jac, bls12381.G2Affine, *bls12381.G2Jac, *bls12381.G2Affine]{
		dims: 4,
		split: fourWay([4][4]big.Int{
			{*x, minus, zero, zero},
			{zero, *x, minus, zero},
			{zero, zero, *x, minus},
			{one, zero, minus, *x},
		}),
		endo: func(a *bls12381.G2Affine) {
			a.X.Conjugate(&a.X).Mul(&a.X, &xiX)
			a.Y.Conjugate(&a.Y).Mul(&a.Y, &xiY)
		},
		normalise: bls12381Normalise,
	}
	return c
})
