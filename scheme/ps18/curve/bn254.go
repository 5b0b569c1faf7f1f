package curve

import (
	"bytes"
	"math/big"
	"sync"

	"github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
)

// BN254 returns the curve of that name over gnark-crypto. Every call returns the
// same value.
var BN254 = sync.OnceValue(func() Curve {
	gen1, gen2, _, _ := bn254.Generators()
	q := fr.Modulus()
	type (
		lines = [2][len(bn254.LoopCounter)]bn254.LineEvaluationAff
		curve = native[bn254.G1Jac, bn254.G1Affine, bn254.G2Jac, bn254.G2Affine, lines, bn254.GT,
			*bn254.G1Jac, *bn254.G1Affine, *bn254.G2Jac, *bn254.G2Affine]
	)
	c := &curve{
		name: "BN254", order: q, gen1: gen1, gen2: gen2,
		mul1:        func(p *bn254.G1Jac, k *big.Int) (r bn254.G1Jac) { r.ScalarMultiplication(p, k); return r },
		mul2:        func(p *bn254.G2Jac, k *big.Int) (r bn254.G2Jac) { r.ScalarMultiplication(p, k); return r },
		lines:       bn254.PrecomputeLines,
		miller:      bn254.MillerLoop,
		millerLines: bn254.MillerLoopFixedQ,
		finish:      func(t *bn254.GT) bn254.GT { return bn254.FinalExponentiation(t) },
		mul:         func(to, by *bn254.GT) { to.Mul(to, by) },
		equal:       func(a, b *bn254.GT) bool { return a.Equal(b) },
	}
	c.one.SetOne()
	c.codec1 = codec[bn254.G1Affine]{
		length:     bn254.SizeOfG1AffineCompressed,
		encode:     func(a *bn254.G1Affine) []byte { b := a.Bytes(); return b[:] },
		decode:     func(b []byte) (a bn254.G1Affine, err error) { return a, bn254Decoder(b).Decode(&a) },
		inSubgroup: (*bn254.G1Affine).IsInSubGroup,
	}
	c.codec2 = codec[bn254.G2Affine]{
		length:     bn254.SizeOfG2AffineCompressed,
		encode:     func(a *bn254.G2Affine) []byte { b := a.Bytes(); return b[:] },
		decode:     func(b []byte) (a bn254.G2Affine, err error) { return a, bn254Decoder(b).Decode(&a) },
		inSubgroup: (*bn254.G2Affine).IsInSubGroup,
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
	if !multiplies(phi, c.mul1, &c.gen1, &lambda) {
		beta.Square(&beta)
	}
	c.sums1 = (&affineSums[fp.Element, *fp.Element, bn254.G1Jac, bn254.G1Affine, *bn254.G1Jac, *bn254.G1Affine]{
		straus: straus[bn254.G1Jac, bn254.G1Affine, *bn254.G1Jac, *bn254.G1Affine]{dims: 2, split: twoWay(q, &lambda), endo: phi},
		at:     func(a *bn254.G1Affine) (x, y *fp.Element) { return &a.X, &a.Y },
	}).of

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
		normalise: func(ps []bn254.G2Jac) []bn254.G2Affine {
			as := make([]bn254.G2Affine, len(ps))
			from, to := make([]coordinates[bn254.E2], len(ps)), make([]coordinates[bn254.E2], len(ps))
			for i := range ps {
				from[i] = coordinates[bn254.E2]{&ps[i].X, &ps[i].Y, &ps[i].Z}
				to[i] = coordinates[bn254.E2]{x: &as[i].X, y: &as[i].Y}
			}
			normalise(from, to)
			return as
		},
	}
	return c
})

// bn254Decoder reads points without their subgroup check.
func bn254Decoder(b []byte) *bn254.Decoder {
	return bn254.NewDecoder(bytes.NewReader(b), bn254.NoSubgroupChecks())
}
