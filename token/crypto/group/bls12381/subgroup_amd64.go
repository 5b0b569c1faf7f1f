//go:build !purego

package bls12381

import (
	"math/bits"

	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
)

// showSubgroup does as inSubgroup, in lanes, but leaves a single point of the last
// block to inSubgroup, which costs less than a block. For a P ≠ 0 of the group no multiple
// that occurs is an exception of the formulas, since they are ±m·P and ±n·P for
// different m, n below q/2. Other points, including the identity, may end with z = 0
// and are not shown. If z is 0 after x·P, φ²(P) becomes (0, 0). The last step is a
// doubling, and a double with z ≠ 0 is never (0, 0), so that P is not shown.
func (ws *workspace) showSubgroup(shown []bool, ps []curve.G1Affine) {
	image, ok := ws.acc.points.(*lanePoints)
	n := len(ps)
	if n%lanes == 1 {
		n--
	}
	if !ok || n == 0 {
		return
	}
	refs := ws.inOrder(n)
	once, twice := image.scratch.jacobian(0), image.scratch.jacobian(1)
	for i := range refs {
		refs[i] |= 1 // of -P
	}
	image.gather(0, entries{points: ps}, refs)
	once.multiply(curveX, image, n)
	twice.multiply(curveX, once.lanePoints, n)
	image.gather(0, entries{points: ps}, ws.inOrder(n))
	image.endomorphism(0, n)
	image.endomorphism(0, n)
	laneRescale(&laneArgs{ax: &image.x[0], ay: &image.y[0], az: &once.z[0], temp: image.scratch.temp, n: n})
	twice.equal(shown[:n], image)
}

// multiply sets n points to k·p for k > 0. Multiples of a point with an order that
// divides k or a number less 1 that begins it may get z = 0.
func (j *laneJacobian) multiply(k uint64, p *lanePoints, n int) {
	j.setAffine(p, n)
	for bit := bits.Len64(k) - 1; bit > 0; {
		rest := k & (1<<bit - 1)
		next := max(bits.Len64(rest)-1, 0)
		j.double(n, bit-next)
		if rest != 0 {
			j.addAffine(p, n)
		}
		bit = next
	}
}
