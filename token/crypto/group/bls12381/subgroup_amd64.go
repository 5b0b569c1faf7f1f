//go:build !purego

package bls12381

import curve "github.com/consensys/gnark-crypto/ecc/bls12-381"

// showSubgroup sets shown[i] if φ²(P) = -x²·P for P = ps[i], computed in lanes.
// φ² is the endomorphism with the eigenvalue λ² = -x²; as it satisfies
// φ⁴ + φ² + 1 = 0 on the whole curve, the equation says that (x⁴ - x² + 1)·P,
// which is q·P, is the identity. For a P ≠ 0 of the group no multiple that occurs
// is an exception of the formulas, since they are ±m·P and ±n·P for different m, n
// below q/2; other points, including the identity, may end with z = 0 and are not
// shown.
func (ws *workspace) showSubgroup(shown []bool, ps []curve.G1Affine) {
	acc, ok := ws.acc.points.(*lanePoints)
	if !ok {
		return
	}
	n, refs := len(ps), grow(&ws.refs, len(ps))
	for i := range refs {
		refs[i] = uint32(i) << 1
	}
	acc.gather(0, entries{points: ps}, refs)
	acc.endomorphism(0, n)
	acc.endomorphism(0, n)
	for i := range refs {
		refs[i] |= 1
	}
	a, b := acc.scratch.jacobian(0), acc.scratch.jacobian(1)
	a.gather(0, entries{points: ps}, refs)
	a.setOnes(n)
	a.multiply(curveX, b, n)
	a.multiply(curveX, b, n)
	a.equal(shown, acc)
}
