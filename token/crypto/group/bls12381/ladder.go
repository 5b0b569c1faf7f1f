// Code generated from bn254/ladder.go by bls12381/generate. DO NOT EDIT.

package bls12381

import curve "github.com/consensys/gnark-crypto/ecc/bls12-381"

// ladder combines the windows of all sums, as combine does for one sum.
func (s interleaved) ladder(sums []curve.G1Jac, windows []curve.G1Affine) {
	ws, n := s.ws, len(sums)
	ws.reset()
	acc, in := ws.acc.cut(0, n), ws.in.cut(0, n)
	for r := range sums {
		acc.load(r, windows[(r+1)*strausWindows-1])
	}
	for j := strausWindows - 2; j >= 0; j-- {
		for range strausWidth {
			acc.double(in)
		}
		for r := range sums {
			in.load(r, windows[r*strausWindows+j])
		}
		acc.add(in)
	}
	for i := range s.longest() {
		for r := range sums {
			var p curve.G1Affine // the identity for an odd half
			if from, to := s.halvesOf(r); from+i < to {
				p, _ = s.correction(from + i)
			}
			in.load(r, p)
		}
		acc.add(in)
	}
	for r, p := range ws.storePartial(n) {
		sums[r].FromAffine(&p)
	}
}
