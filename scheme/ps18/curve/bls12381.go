package curve

import (
	"bytes"
	"math/big"
	"sync"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// The types of BLS12-381 in gnark-crypto.
type (
	blsLines  = [2][len(bls12381.LoopCounter) - 1]bls12381.LineEvaluationAff
	blsNative = native[bls12381.G1Jac, bls12381.G1Affine, bls12381.G2Jac, bls12381.G2Affine, blsLines, bls12381.GT,
		*bls12381.G1Jac, *bls12381.G1Affine, *bls12381.G2Jac, *bls12381.G2Affine]
)

// BLS12381 returns BLS12-381 over gnark-crypto, called name.
func BLS12381(name string) Curve {
	c := *blsCurve()
	c.name = name
	return &c
}

// blsCurve makes the curve when it is first asked for.
var blsCurve = sync.OnceValue(func() *blsNative {
	gen1, gen2, _, _ := bls12381.Generators()
	q := fr.Modulus()
	c := &blsNative{
		order: q, gen1: gen1, gen2: gen2,
		mul1:        func(p *bls12381.G1Jac, k *big.Int) (r bls12381.G1Jac) { r.ScalarMultiplication(p, k); return r },
		mul2:        func(p *bls12381.G2Jac, k *big.Int) (r bls12381.G2Jac) { r.ScalarMultiplication(p, k); return r },
		lines:       bls12381.PrecomputeLines,
		miller:      bls12381.MillerLoop,
		millerLines: bls12381.MillerLoopFixedQ,
		finish:      func(t *bls12381.GT) bls12381.GT { return bls12381.FinalExponentiation(t) },
		mul:         func(to, by *bls12381.GT) { to.Mul(to, by) },
		equal:       func(a, b *bls12381.GT) bool { return a.Equal(b) },
	}
	c.one.SetOne()
	c.codec1 = codec[bls12381.G1Affine]{
		length:     bls12381.SizeOfG1AffineCompressed,
		encode:     func(a *bls12381.G1Affine) []byte { b := a.Bytes(); return b[:] },
		decode:     func(b []byte) (a bls12381.G1Affine, err error) { return a, blsDecoder(b).Decode(&a) },
		inSubgroup: (*bls12381.G1Affine).IsInSubGroup,
	}
	c.codec2 = codec[bls12381.G2Affine]{
		length:     bls12381.SizeOfG2AffineCompressed,
		encode:     func(a *bls12381.G2Affine) []byte { b := a.Bytes(); return b[:] },
		decode:     func(b []byte) (a bls12381.G2Affine, err error) { return a, blsDecoder(b).Decode(&a) },
		inSubgroup: (*bls12381.G2Affine).IsInSubGroup,
	}

	// φ(x, y) = (βx, y) multiplies G1 by -x², x being the parameter of the
	// curve, for one of the two cube roots β of 1.
	x := integer("-0xd201000000010000")
	lambda := new(big.Int).Mul(x, x)
	lambda.Sub(q, lambda)
	var beta fp.Element
	beta.Exp(*new(fp.Element).SetUint64(2), fraction(fp.Modulus(), 3)) // 2 is not a cube
	phi := func(a *bls12381.G1Affine) { a.X.Mul(&a.X, &beta) }
	if !multiplies(phi, c.mul1, &c.gen1, lambda) {
		beta.Square(&beta)
	}
	c.sums1 = (&affineSums[fp.Element, *fp.Element, bls12381.G1Jac, bls12381.G1Affine, *bls12381.G1Jac, *bls12381.G1Affine]{
		straus: straus[bls12381.G1Jac, bls12381.G1Affine, *bls12381.G1Jac, *bls12381.G1Affine]{dims: 2, split: twoWay(q, lambda), endo: phi},
		at:     func(a *bls12381.G1Affine) (x, y *fp.Element) { return &a.X, &a.Y },
	}).of

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
		normalise: func(ps []bls12381.G2Jac) []bls12381.G2Affine {
			as := make([]bls12381.G2Affine, len(ps))
			from, to := make([]coordinates[bls12381.E2], len(ps)), make([]coordinates[bls12381.E2], len(ps))
			for i := range ps {
				from[i] = coordinates[bls12381.E2]{&ps[i].X, &ps[i].Y, &ps[i].Z}
				to[i] = coordinates[bls12381.E2]{x: &as[i].X, y: &as[i].Y}
			}
			normalise(from, to)
			return as
		},
	}
	return c
})

// blsDecoder reads points without their subgroup check.
func blsDecoder(b []byte) *bls12381.Decoder {
	return bls12381.NewDecoder(bytes.NewReader(b), bls12381.NoSubgroupChecks())
}
