// Code generated from bn254/batch_test.go by bls12381/generate. DO NOT EDIT.

package bls12381 // addOrDouble and invert are private: a sum has no exception at a chosen place of a batch

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// made are the points that hashed returned before.
var made []curve.G1Affine

// hashed returns n different points: hashes, and doubles of points before them.
func hashed(n int) []curve.G1Affine {
	const hashes = 300
	for i := len(made); i < n; i++ {
		var p curve.G1Affine
		if i < hashes {
			p = newForTest().hash(fmt.Append(nil, i))
		} else {
			p.Double(&made[i-hashes])
		}
		made = append(made, p)
	}
	return slices.Clone(made[:n])
}

func affineOf(p *curve.G1Jac) (a curve.G1Affine) { return *a.FromJacobian(p) }

// pairing makes the second operand for a first one.
type pairing struct {
	name string
	of   func(p, other curve.G1Affine) (a, b curve.G1Affine)
}

var pairings = []pairing{
	{"P + Q", func(p, q curve.G1Affine) (a, b curve.G1Affine) { return p, q }},
	{"P + P", func(p, _ curve.G1Affine) (a, b curve.G1Affine) { return p, p }},
	{"P - P", func(p, _ curve.G1Affine) (a, b curve.G1Affine) { return p, *new(curve.G1Affine).Neg(&p) }},
	{"P + 0", func(p, _ curve.G1Affine) (a, b curve.G1Affine) { return p, curve.G1Affine{} }},
	{"0 + P", func(p, _ curve.G1Affine) (a, b curve.G1Affine) { return curve.G1Affine{}, p }},
	{"0 + 0", func(_, _ curve.G1Affine) (a, b curve.G1Affine) { return curve.G1Affine{}, curve.G1Affine{} }},
}

// requireAdds adds b to a in the first sums places, and doubles a in the others, twice:
// the first time may make the identity.
func requireAdds(t *testing.T, g *Group, a, b []curve.G1Affine, sums int, what string) {
	t.Helper()
	ws := g.take()
	defer ws.put()
	acc, in := ws.acc.cut(3, 3+len(a)), ws.in.cut(2, 2+len(a))
	want, got := make([]curve.G1Jac, len(a)), make([]curve.G1Affine, len(a))
	for i := range a {
		want[i].FromAffine(&a[i])
		acc.load(i, a[i])
	}
	for range 2 {
		for i := range a {
			if i < sums {
				in.load(i, b[i])
				want[i].AddMixed(&b[i])
			} else {
				want[i].DoubleAssign()
			}
		}
		acc.addOrDouble(in, sums)
		acc.store(got)
		for i := range a {
			require.Equal(t, affineOf(&want[i]), got[i], "%s, place %d of %d, %d sums", what, i, len(a), sums)
		}
	}
}

func TestEveryExceptionInEveryPlace(t *testing.T) {
	sizes := []int{1, 2, 8, 9, 17, 7, 16, 33, 15, 64}
	for _, n := range nightly.Pick(sizes[:5], sizes[:8], sizes) {
		ps := hashed(2 * n)
		for _, p := range pairings {
			for _, g := range kernels() {
				everywhereA, everywhereB := slices.Clone(ps[:n]), slices.Clone(ps[n:])
				for i := range n {
					a, b := slices.Clone(ps[:n]), slices.Clone(ps[n:])
					a[i], b[i] = p.of(a[i], b[i])
					requireAdds(t, g, a, b, n, p.name)
					requireAdds(t, g, a, b, i, p.name)
					everywhereA[i], everywhereB[i] = a[i], b[i]
				}
				requireAdds(t, g, everywhereA, everywhereB, n, p.name+" everywhere")
				requireAdds(t, g, everywhereA, everywhereB, n/2, p.name+" everywhere")
			}
		}
	}
}

func TestInvertRefusesZeroAnywhere(t *testing.T) {
	s := newInverter()
	for _, n := range []int{1, 2, 8, 15, 16, 17, 100} {
		for zero := range n {
			v := make(vector, n)
			for i := range v {
				v[i].SetUint64(uint64(i + 2))
			}
			v[zero].SetZero()
			before := append(v[:0:0], v...)
			require.False(t, s.invert(v))
			require.Equal(t, before, v)
			v[zero].SetUint64(1)
			before[zero].SetUint64(1)
			require.True(t, s.invert(v))
			for i := range v {
				v[i].Mul(&v[i], &before[i])
				require.True(t, v[i].IsOne(), "%d of %d", i, n)
			}
		}
	}
}

// TestNormalizeWithIdentities puts the identity into every place of a batch,
// where a shared inversion would fail.
func TestNormalizeWithIdentities(t *testing.T) {
	for _, n := range []int{1, 2, 3, 15, 16, 17, 33} {
		ps := hashed(n)
		for zero := range n {
			ws := newForTest().take()
			src := make([]curve.G1Jac, n)
			want := make([]curve.G1Affine, n)
			for i := range src {
				if i != zero {
					src[i].FromAffine(&ps[i])
					double(&src[i])
					want[i].Double(&ps[i])
				}
			}
			got := make([]curve.G1Affine, n)
			ws.normalize(got, src)
			require.Equal(t, want, got, "place %d of %d", zero, n)
			ws.put()
			if zero == 0 && n > 16 {
				memory{}.requireWiped(t, reflect.ValueOf(*ws), "workspace", map[uintptr]bool{})
			}
		}
	}
}
