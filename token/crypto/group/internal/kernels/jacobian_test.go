package main

import (
	"math/big"
	"testing"
)

// coordinates are the bounds of operands of kernels of Jacobian points.
func coordinates(f *field) map[string]*big.Int {
	bounds := map[string]*big.Int{}
	for _, name := range []string{"ax", "ay", "az", "bx", "by", "bz"} {
		bounds[name] = f.coordinate()
	}
	return bounds
}

// product multiplies elements in Montgomery form.
func (r *run) product(vs ...*big.Int) *big.Int {
	v := vs[0]
	for _, w := range vs[1:] {
		v = r.mont(v, w)
	}
	return v
}

func times(k int64, v *big.Int) *big.Int { return new(big.Int).Mul(big.NewInt(k), v) }

func minus(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }

func TestJacobianDoubles(t *testing.T) {
	each(t, curves, coordinates, func(r *run) {
		x, y, z := r.in["ax"], r.in["ay"], r.in["az"]
		jacobianDoubles(r.pr, r.m)
		e, d := times(3, r.product(x, x)), times(4, r.product(x, y, y))
		x3 := minus(r.product(e, e), times(2, d))
		y3 := minus(r.product(e, minus(d, x3)), times(8, r.product(y, y, y, y)))
		r.wantPoint(t, x3, y3, times(2, r.product(y, z)))
	})
}

func TestJacobianSums(t *testing.T) {
	each(t, fields, coordinates, func(r *run) {
		jacobianSums(r.pr, r.m)
		r.wantSum(t, r.in["bz"])
	})
	each(t, fields, coordinates, func(r *run) {
		jacobianMixed(r.pr, r.m)
		r.wantSum(t, r.f.one())
	})
}

// wantSum requires the sum of two points, the second with the given z.
func (r *run) wantSum(t *testing.T, z2 *big.Int) {
	t.Helper()
	x1, y1, z1, x2, y2 := r.in["ax"], r.in["ay"], r.in["az"], r.in["bx"], r.in["by"]
	u, s := r.product(x1, z2, z2), r.product(y1, z2, z2, z2)
	h, rise := minus(r.product(x2, z1, z1), u), minus(r.product(y2, z1, z1, z1), s)
	v := r.product(u, h, h)
	x3 := minus(minus(r.product(rise, rise), r.product(h, h, h)), times(2, v))
	y3 := minus(r.product(rise, minus(v, x3)), r.product(s, h, h, h))
	r.wantPoint(t, x3, y3, r.product(z1, z2, h))
}

func TestRescale(t *testing.T) {
	each(t, fields, coordinates, func(r *run) {
		z := r.in["az"]
		rescale(r.pr, r.m)
		r.wantMod(t, "ax", r.product(r.in["ax"], z, z), r.f.product())
		r.wantMod(t, "ay", r.product(r.in["ay"], z, z, z), r.f.product())
	})
}

func TestJacobianOffsets(t *testing.T) {
	each(t, fields, coordinates, func(r *run) {
		x, y, z := r.in["ax"], r.in["ay"], r.in["az"]
		jacobianOffsets(r.pr, r.m)
		r.wantPoint(t, minus(r.product(r.in["bx"], z, z), x), minus(r.product(r.in["by"], z, z, z), y), z)
	})
}

func (r *run) wantPoint(t *testing.T, x, y, z *big.Int) {
	t.Helper()
	for name, want := range map[string]*big.Int{"ax": x, "ay": y, "az": z} {
		r.wantMod(t, name, want, r.f.coordinate())
	}
}
