// Code generated from bn254/chains_amd64.go by bls12381/generate. DO NOT EDIT.

//go:build !purego

package bls12381

import curve "github.com/consensys/gnark-crypto/ecc/bls12-381"

//go:noescape
func laneChain(a *laneArgs)

//go:noescape
func laneJoin(a *laneArgs)

// chainArgs returns the arguments for the chains from place i on.
func (l *lanePoints) chainArgs(i, n int) laneArgs {
	s := l.scratch
	return laneArgs{ax: &l.x[i], ay: &l.y[i], azz: &s.zz[i], azzz: &s.zzz[i], n: n}
}

func (l *lanePoints) begin(n int) {
	s := l.scratch
	s.chains = max(s.chains, n)
	for limb := range laneLimbs {
		one := laneOnes[limb*lanes]
		for i := range n {
			s.zz[limb*lanePlaces+i], s.zzz[limb*lanePlaces+i] = one, one
		}
	}
}

func (l *lanePoints) extend(b points, j, n int) {
	in := b.(*lanePoints)
	a := l.chainArgs(0, n)
	a.bx, a.by = &in.x[j], &in.y[j]
	laneChain(&a)
}

func (l *lanePoints) join(i, n int) {
	a, b := l.chainArgs(0, n), l.chainArgs(i, n)
	a.bx, a.by, a.bzz, a.bzzz = b.ax, b.ay, b.azz, b.azzz
	laneJoin(&a)
}

// finish converts (X, Y, ZZ, ZZZ) to the Jacobian coordinates (X·ZZ, Y·ZZZ, ZZ).
func (l *lanePoints) finish(dst []curve.G1Jac) bool {
	s := l.scratch
	for i := 0; i < len(dst); i += batchLen / 2 {
		n := min(batchLen/2, len(dst)-i)
		words, z := s.words[:n], s.words[n:2*n]
		s.used = max(s.used, 2*n)
		storeLanes(words, l.x[i:], l.y[i:], s)
		storeLanes(z, s.zz[i:], s.zzz[i:], s)
		for k := range n {
			p := &dst[i+k]
			p.X.Mul(&words[k].X, &z[k].X)
			p.Y.Mul(&words[k].Y, &z[k].Y)
			p.Z = z[k].X
			if p.Z.IsZero() {
				return false
			}
		}
	}
	return true
}
