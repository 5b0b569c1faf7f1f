// Code generated from bn254/curvepoint.go by bls12381/generate. DO NOT EDIT.

package bls12381

import (
	"math/bits"

	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/internal/rep"
)

// DecodeCurvePoint reads one uncompressed point of the curve.
func (g *Group) DecodeCurvePoint(b []byte) (p group.CurvePoint, err error) {
	a, err := decodeAffine(b)
	if err != nil {
		return p, err
	}
	return curvePoint(&a), nil
}

// CurveSum returns Σ over row plus Σ sᵢ·Pᵢ, up to torsion.
func (g *Group) CurveSum(t group.Table, row group.Row, ps []group.CurvePoint,
	ss []group.Scalar) group.CurvePoint {
	var fixed [1]group.Point
	g.FixedMSM(fixed[:], t, []group.Row{row})
	ws := g.take()
	defer ws.put()
	for i := range ps {
		if a := onAffine(&ps[i]); !a.IsInfinity() && ss[i] != (group.Scalar{}) {
			ws.addTerm(uint32(len(ws.bases)), element(&ss[i]).Bits())
			ws.bases = append(ws.bases, a)
		}
	}
	sum := ws.sum()
	known := affine(&fixed[0])
	sum.AddMixed(&known)
	var a curve.G1Affine
	a.FromJacobian(&sum)
	return curvePoint(&a)
}

// sum returns the sum of the terms in ws.halves over the bases in ws.bases.
func (ws *workspace) sum() curve.G1Jac {
	sum := grow(&ws.totals, 1)
	if len(ws.bases) < pippengerFrom {
		ws.ends = append(ws.ends, len(ws.halves))
		ws.straus(sum, ws.bases)
	} else {
		sum[0] = ws.pippenger(ws.bases)
	}
	return sum[0]
}

// IsTorsion reports whether effectiveCofactor·p is the identity.
func (g *Group) IsTorsion(p group.CurvePoint) bool {
	a := onAffine(&p)
	if a.IsInfinity() { // the usual case
		return true
	}
	product := times(&a, effectiveCofactor)
	return product.Z.IsZero()
}

// times returns k·a for k > 0, for any point a of any curve y² = x³ + c.
func times(a *curve.G1Affine, k uint64) (product curve.G1Jac) {
	product.FromAffine(a)
	for bit := bits.Len64(k) - 2; bit >= 0; bit-- {
		double(&product)
		if k>>bit&1 == 1 {
			product.AddMixed(a)
		}
	}
	return product
}

func onAffine(p *group.CurvePoint) curve.G1Affine { return affine(rep.Coordinates(p)) }

func curvePoint(a *curve.G1Affine) (p group.CurvePoint) {
	*rep.Coordinates(&p) = point(a)
	return p
}
