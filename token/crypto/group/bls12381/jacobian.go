// Code generated from bn254/jacobian.go by bls12381/generate. DO NOT EDIT.

package bls12381

import (
	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
)

// double sets p to 2·p. With half the usual slope the third coordinate is half
// of the usual one, and most small factors are gone:
//
//	λ = 3x²/2,  x₃ = λ² - 2xy²,  y₃ = λ(xy² - x₃) - y⁴,  z₃ = yz
func double(p *curve.G1Jac) {
	var y2, xy2, slope, t fp.Element
	y2.Square(&p.Y)
	xy2.Mul(&p.X, &y2)
	slope.Square(&p.X)
	t.Double(&slope)
	slope.Add(&slope, &t)
	slope.Halve()
	p.Z.Mul(&p.Z, &p.Y)
	p.X.Square(&slope)
	t.Double(&xy2)
	p.X.Sub(&p.X, &t)
	xy2.Sub(&xy2, &p.X)
	y2.Square(&y2)
	p.Y.Mul(&slope, &xy2)
	p.Y.Sub(&p.Y, &y2)
}

// normalize writes the affine form of each point, at most batchLen, with one
// inversion.
func (ws *workspace) normalize(dst []curve.G1Affine, src []curve.G1Jac) {
	s := ws.scratch
	s.used = max(s.used, len(src))
	z := s.dx[:len(src)]
	for i := range src {
		z[i] = src[i].Z
		if z[i].IsZero() {
			z[i].SetOne()
		}
	}
	s.invert(z)
	for i := range src {
		if src[i].Z.IsZero() {
			dst[i] = curve.G1Affine{}
			continue
		}
		var z2 fp.Element
		z2.Square(&z[i])
		dst[i].X.Mul(&src[i].X, &z2)
		dst[i].Y.Mul(&src[i].Y, &z2).Mul(&dst[i].Y, &z[i])
	}
}
