package bls12381

import (
	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
)

// curveX is -x for the curve parameter x.
const curveX = 0xd201000000010000

// inSubgroup reports whether p ≠ 0, on the curve, is in the group of order q:
// φ²(P) = -x²·P (Scott, "A note on group membership tests for G1, G2 and GT on
// BLS pairing-friendly curves", ePrint 2021/1130, section 4). With
// x·P = (X/Z², Y/Z³), the affine point (X, Y) is its image on the isomorphic curve
// y² = x³ + 4Z⁶, so that all additions there are of an affine point, too. If x·P is
// the identity, Z stays 0.
func inSubgroup(p *curve.G1Affine) bool {
	once := times(p, curveX)
	twice := times(&curve.G1Affine{X: once.X, Y: once.Y}, curveX)
	twice.Z.Mul(&twice.Z, &once.Z)
	var z2, x, y fp.Element
	z2.Square(&twice.Z)
	x.Mul(&p.X, &z2).Mul(&x, &glv.beta).Mul(&x, &glv.beta)
	y.Mul(&p.Y, &z2).Mul(&y, &twice.Z).Neg(&y)
	return !twice.Z.IsZero() && x.Equal(&twice.X) && y.Equal(&twice.Y)
}

// subgroupLen is how many points are checked together. Their coordinates stay in
// the first-level cache.
const subgroupLen = 64

// firstOutside returns the index of the first point outside the group, or
// their number. Points that the check in lanes does not show to be in the group,
// for example of small order, are checked alone: the verdict equals the one of
// inSubgroup.
func (ws *workspace) firstOutside(ps []curve.G1Affine) int {
	for i := 0; i < len(ps); i += subgroupLen {
		part := ps[i:min(i+subgroupLen, len(ps))]
		var shown [subgroupLen]bool
		ws.showSubgroup(shown[:len(part)], part)
		for k := range part {
			if !shown[k] && !part[k].IsInfinity() && !inSubgroup(&part[k]) {
				return i + k
			}
		}
	}
	return len(ps)
}
