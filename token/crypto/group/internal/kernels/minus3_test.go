package main

import (
	"math/big"
	"testing"
)

func TestMinus3Doubles(t *testing.T) {
	each(t, fields, coordinates, func(r *run) {
		minus3Doubles(r.pr, r.m)
		r.wantMinus3Double(t, r.product(r.in["az"], r.in["az"]))
	})
	each(t, fields, coordinates, func(r *run) {
		twistedDoubles(r.pr, r.m)
		r.wantMinus3Double(t, r.product(r.in["bx"], r.product(r.in["az"], r.in["az"])))
	})
}

// wantMinus3Double requires the double of (ax, ay, az), with δ.
func (r *run) wantMinus3Double(t *testing.T, delta *big.Int) {
	x, y, z := r.in["ax"], r.in["ay"], r.in["az"]
	gamma := r.product(y, y)
	beta := r.product(x, gamma)
	alpha := times(3, r.product(minus(x, delta), new(big.Int).Add(x, delta)))
	x3 := minus(r.product(alpha, alpha), times(8, beta))
	y3 := minus(r.product(alpha, minus(times(4, beta), x3)), times(8, r.product(gamma, gamma)))
	r.wantPoint(t, x3, y3, times(2, r.product(y, z)))
}

func TestJacobianAffines(t *testing.T) {
	each(t, fields, func(f *field) map[string]*big.Int {
		c := f.coordinate()
		return map[string]*big.Int{"ax": c, "ay": c, "d": f.denominator(), "p": f.product(), "next": c}
	}, func(r *run) {
		inverse := r.mont(r.in["next"], r.in["p"])
		jacobianAffines(r.pr, r.m)
		r.wantMod(t, "ax", r.product(r.in["ax"], inverse, inverse), r.f.coordinate())
		r.wantMod(t, "ay", r.product(r.in["ay"], inverse, inverse, inverse), r.f.coordinate())
		r.wantMod(t, "p", r.mont(r.in["next"], r.in["d"]), r.f.coordinate())
	})
	each(t, fields, func(f *field) map[string]*big.Int {
		return map[string]*big.Int{"az": f.coordinate(), "p": f.product()}
	}, func(r *run) {
		jacobianProducts(r.pr, r.m)
		r.wantMod(t, "d", r.in["az"], r.f.coordinate())
		r.wantMod(t, "next", r.mont(r.in["p"], r.in["az"]), r.f.product())
	})
}
