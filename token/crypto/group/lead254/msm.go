package lead254

import (
	"math/big"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

const (
	// msmChunk bounds the points that are added up at once, so that their
	// multiples and the columns stay in the second-level cache.
	msmChunk = 96
	// straussFrom is the least number of points for which batches of affine
	// additions beat one scalar multiplication after the other.
	straussFrom = 5
)

// msmWindow returns the bits of a window for n points.
func msmWindow(n int) int {
	if n < 24 {
		return 4
	}
	return 5
}

// MSM returns Σ sᵢ·Pᵢ. Identities are left out. Few points take joint scalar
// multiplications with the endomorphism; more take a sum for each window, in
// batches over all points and windows, and one chain of doublings (Straus).
func (n *native) MSM(ps []group.Point, ss []group.Scalar) group.Point {
	if len(ps) < straussFrom {
		return n.fewMSM(ps, ss)
	}
	s := n.spaces.Get().(*space)
	defer n.spaces.Put(s)
	defer s.wipe()
	w := msmWindow(min(len(ps), msmChunk))
	s.chain = grow(s.chain, windows(w))
	windowSums := s.chain
	for j := range windowSums {
		windowSums[j].FromAffine(&affine{})
	}
	for len(ps) > 0 {
		m := min(len(ps), msmChunk)
		s.windowSums(ps[:m], ss[:m], w)
		for j := range windowSums {
			windowSums[j].AddAssign(&s.sums[j])
		}
		ps, ss = ps[m:], ss[m:]
	}
	total := windowSums[len(windowSums)-1]
	for j := len(windowSums) - 2; j >= 0; j-- {
		for range w {
			total.DoubleAssign()
		}
		total.AddAssign(&windowSums[j])
	}
	return wrapJacobian(&total)
}

// windowSums leaves in s.sums, for each window, the sum of the multiples that
// the digits of all points have there.
func (s *space) windowSums(ps []group.Point, ss []group.Scalar, w int) {
	n, rows := len(ps), windows(w)
	s.multiples(ps, w)
	s.columns(n, rows)
	s.digits = grow(s.digits, rows)
	for k := range ps {
		recode(s.digits, &ss[k], w)
		for j, d := range s.digits {
			e := &s.multi[int(d&^negative)*n+k]
			i := k*rows + j
			s.x[i] = e.X
			if d&negative != 0 {
				s.y[i].Neg(&e.Y)
			} else {
				s.y[i] = e.Y
			}
		}
	}
	s.reduce(n, rows)
}

// multiples leaves P, 3P, …, (2^w - 1)P of each point in s.multi, at
// [i·len(ps) + point].
func (s *space) multiples(ps []group.Point, w int) {
	n, m := len(ps), 1<<(w-1)
	s.columns(2, n)
	s.multi = grow(s.multi, m*n)
	for i := range ps {
		p := point(&ps[i])
		s.multi[i] = *p
		s.x[i], s.y[i], s.x[n+i], s.y[n+i] = p.X, p.Y, p.X, p.Y
	}
	s.double(n)
	s.twice = grow(s.twice, n)
	doubles := s.twice
	for i := range n {
		doubles[i] = affine{X: s.x[i], Y: s.y[i]}
		s.x[i], s.y[i] = s.multi[i].X, s.multi[i].Y
	}
	for k := 1; k < m; k++ {
		for i := range n {
			s.x[n+i], s.y[n+i] = doubles[i].X, doubles[i].Y
		}
		s.addHalves(n)
		for i := range n {
			s.multi[k*n+i] = affine{X: s.x[i], Y: s.y[i]}
		}
	}
}

// double doubles the first n points.
func (s *space) double(n int) {
	s.sums = grow(s.sums, n)
	for i := range n {
		s.sums[i].FromAffine(&affine{X: s.x[i], Y: s.y[i]})
		s.sums[i].DoubleAssign()
	}
	for i, p := range s.normalise(n) {
		s.x[i], s.y[i] = p.X, p.Y
	}
}

// fewMSM adds up scalar multiplications, two at a time.
func (n *native) fewMSM(ps []group.Point, ss []group.Scalar) group.Point {
	var total jacobian
	total.FromAffine(&affine{})
	var k1, k2 big.Int
	for len(ps) >= 2 {
		var j curve.G1Jac
		j.JointScalarMultiplication(point(&ps[0]), point(&ps[1]), in(&ss[0]).BigInt(&k1), in(&ss[1]).BigInt(&k2))
		total.AddAssign(&j)
		ps, ss = ps[2:], ss[2:]
	}
	if len(ps) == 1 {
		p := n.MulPoint(ps[0], ss[0])
		total.AddMixed(point(&p))
	}
	return wrapJacobian(&total)
}
