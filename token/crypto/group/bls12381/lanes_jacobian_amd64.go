// Code generated from bn254/lanes_jacobian_amd64.go by bls12381/generate. DO NOT EDIT.

//go:build !purego

package bls12381

import curve "github.com/consensys/gnark-crypto/ecc/bls12-381"

// laneJacobian is points (x/z², y/z³) in lanes, for chains of doublings, which
// then need no inversion. Blocks are computed whole.
type laneJacobian struct {
	*lanePoints
	z laneCoords
}

//go:noescape
func laneJacobianDoubles(a *laneArgs)

//go:noescape
func laneJacobianMixed(a *laneArgs)

//go:noescape
func laneJacobianOffsets(a *laneArgs)

//go:noescape
func laneRescale(a *laneArgs)

// jacobian returns memory number i for points in Jacobian coordinates.
func (s *laneScratch) jacobian(i int) *laneJacobian {
	for len(s.jac) <= i {
		s.jac = append(s.jac, &laneJacobian{newLanePoints(s), make(laneCoords, laneLimbs*lanePlaces)})
	}
	return s.jac[i]
}

func (j *laneJacobian) wipe() {
	j.z.wipe(roundUp(j.used))
	j.used = roundUp(j.used)
	j.lanePoints.wipe()
}

// roundUp returns the number of places in the blocks of n places.
func roundUp(n int) int { return min(blocksOf(n)*lanes, lanePlaces) }

// setAffine sets the first n places to the places of src, with z = 1.
func (j *laneJacobian) setAffine(src *lanePoints, n int) {
	j.used, n = max(j.used, n), roundUp(n)
	j.x.copy(0, src.x, 0, n)
	j.y.copy(0, src.y, 0, n)
	for limb := range laneLimbs {
		one, plane := laneOnes[limb*lanes], j.z[limb*lanePlaces:][:n]
		for i := range plane {
			plane[i] = one
		}
	}
}

func (j *laneJacobian) args(n int) laneArgs {
	return laneArgs{ax: &j.x[0], ay: &j.y[0], az: &j.z[0], temp: j.scratch.temp, n: n}
}

// double doubles n points the given number of times, at least once. If z is 0, it stays
// so.
func (j *laneJacobian) double(n, times int) {
	a := j.args(n)
	a.times = times
	laneJacobianDoubles(&a)
}

// addAffine adds n affine points, which are not the identity. Places where x is the
// same in both, and places with z = 0, get z = 0.
func (j *laneJacobian) addAffine(p *lanePoints, n int) {
	j.demandApart(0, p, 0, n)
	a := j.args(n)
	a.bx, a.by = &p.x[0], &p.y[0]
	laneJacobianMixed(&a)
}

// combine implements combiner.
func (l *lanePoints) combine(sums []curve.G1Jac, windows []curve.G1Affine) {
	n, j := len(sums), l.scratch.jacobian(0)
	var refs [maxRows]uint32
	from := entries{points: windows}
	window := func(to *lanePoints, w int) {
		for r := range n {
			refs[r] = uint32(r*strausWindows+w) << 1
		}
		to.gather(0, from, refs[:n])
	}
	window(l, strausWindows-1)
	j.setAffine(l, n)
	for w := strausWindows - 2; w >= 0; w-- {
		j.double(n, strausWidth)
		window(l, w)
		j.addAffine(l, n)
	}
	var points, zs [lanes]curve.G1Affine
	for i := 0; i < n; i += lanes {
		laneStore(&points[0].X[0], &j.x[i], &j.y[i], lanes)
		laneStore(&zs[0].X[0], &j.z[i], &j.z[i], lanes)
		for k := range min(lanes, n-i) {
			sums[i+k] = curve.G1Jac{X: points[k].X, Y: points[k].Y, Z: zs[k].X}
		}
	}
	clear(points[:])
	clear(zs[:])
}

// oddMultiples implements multiplier. Doubling P gives 2P = (x/z², y/z³). Both are
// affine on an isomorphic curve, P as (xₚz², yₚz³) and 2P as (x, y), so that
// 2P can be added to chains there ("effective affine" points). In the end ZZ·z²
// and ZZZ·z³ bring the chains back.
func (l *lanePoints) oddMultiples(n int) bool {
	s := l.scratch
	twice := s.jacobian(0)
	twice.setAffine(l, n)
	twice.double(n, 1)
	laneRescale(&laneArgs{ax: &l.x[0], ay: &l.y[0], az: &twice.z[0], temp: s.temp, n: n})
	all := n * strausPlaces
	l.used, s.chains = max(l.used, all), max(s.chains, all)
	l.begin(n)
	for i := n; i < all; i += n {
		for _, v := range []laneCoords{l.x, l.y, s.zz, s.zzz} {
			v.copy(i, v, i-n, n)
		}
		a := l.chainArgs(i, n)
		a.bx, a.by = &twice.x[0], &twice.y[0]
		laneChain(&a)
	}
	for i := 0; i < all; i += n {
		laneRescale(&laneArgs{ax: &s.zz[i], ay: &s.zzz[i], az: &twice.z[0], temp: s.temp, n: n})
	}
	return l.affine(all)
}

// copy sets n elements from place to on to the elements of src from place from on.
func (v laneCoords) copy(to int, src laneCoords, from, n int) {
	for limb := range laneLimbs {
		plane := limb * lanePlaces
		copy(v[plane+to:][:n], src[plane+from:])
	}
}

// equal sets same[i] to whether the point in place i of j is the one in place i
// of p. It is false for z = 0. It overwrites the points of j.
func (j *laneJacobian) equal(same []bool, p *lanePoints) {
	n, a := len(same), j.args(len(same))
	j.demandApart(0, p, 0, n)
	a.bx, a.by = &p.x[0], &p.y[0]
	laneJacobianOffsets(&a)
	var offsets, zs [lanes]curve.G1Affine
	for i := 0; i < n; i += lanes {
		laneStore(&offsets[0].X[0], &j.x[i], &j.y[i], lanes)
		laneStore(&zs[0].X[0], &j.z[i], &j.z[i], lanes)
		for k := range min(lanes, n-i) {
			same[i+k] = offsets[k].X.IsZero() && offsets[k].Y.IsZero() && !zs[k].X.IsZero()
		}
	}
}
