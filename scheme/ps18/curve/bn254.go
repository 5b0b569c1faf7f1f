package curve

import (
	"math/big"
	"sync"

	"github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
)

// bn254Lines are the line coefficients of a fixed point.
type bn254Lines = [2][len(bn254.LoopCounter)]bn254.LineEvaluationAff

// BN254 returns the curve of that name over gnark-crypto. Every call returns the
// same value.
var BN254 = sync.OnceValue(func() Curve {
	gen1, gen2, _, _ := bn254.Generators()
	q := fr.Modulus()
	c := &bn254Native{
		name: "BN254", order: q, gen1: gen1, gen2: gen2,
	}
	// φ(x, y) = (βx, y) multiplies G1 by 36x³ + 18x² + 6x + 1, x being the
	// parameter of the curve, for one of the two cube roots β of 1.
	x := integer("4965661367192848881")
	lambda := linear(36, x, 18)
	lambda = linear(1, lambda.Mul(&lambda, x), 6)
	lambda = linear(1, lambda.Mul(&lambda, x), 1)
	var beta fp.Element
	beta.Exp(*new(fp.Element).SetUint64(3), fraction(fp.Modulus(), 3)) // 3 is not a cube
	phi := func(a *bn254.G1Affine) { a.X.Mul(&a.X, &beta) }
	if !bn254Multiplies(phi, &c.gen1, &lambda) {
		beta.Square(&beta)
	}
	c.sums1 = bn254Sums(twoWay(q, &lambda), phi)

	// ψ(x, y) = (x̄·ξ^((p-1)/3), ȳ·ξ^((p-1)/2)) with ξ = 9 + u multiplies G2 by
	// p mod q. The rows follow from (x+1) + xψ + xψ² - 2xψ³ = 0 and
	// ψ⁴ = ψ² - 1.
	xi := bn254.E2{A0: *new(fp.Element).SetUint64(9), A1: fp.One()}
	var xiX, xiY bn254.E2
	xiX.Exp(xi, fraction(fp.Modulus(), 3))
	xiY.Exp(xi, fraction(fp.Modulus(), 2))
	c.g2 = straus[bn254.G2Jac, bn254.G2Affine, *bn254.G2Jac, *bn254.G2Affine]{
		dims: 4,
		split: fourWay([4][4]big.Int{
			{linear(1, x, 1), linear(1, x, 0), linear(1, x, 0), linear(-2, x, 0)},
			{linear(2, x, 0), linear(1, x, 1), linear(-1, x, 0), linear(1, x, 0)},
			{linear(-1, x, 0), linear(2, x, 0), linear(2, x, 1), linear(-1, x, 0)},
			{linear(1, x, 0), linear(-1, x, 0), linear(1, x, 0), linear(2, x, 1)},
		}),
		endo: func(a *bn254.G2Affine) {
			a.X.Conjugate(&a.X).Mul(&a.X, &xiX)
			a.Y.Conjugate(&a.Y).Mul(&a.Y, &xiY)
		},
		normalise: bn254Normalise,
	}
	return c
})
