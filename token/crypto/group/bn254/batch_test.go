package bn254

import (
	"fmt"
	"reflect"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// hashed returns n different points.
func hashed(n int) []curve.G1Affine {
	g := newForTest()
	ps := make([]curve.G1Affine, n)
	for i := range ps {
		ps[i] = g.hash(fmt.Append(nil, i))
	}
	return ps
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

// requireAdds adds a and b in one batch and one by one.
func requireAdds(t *testing.T, a, b []curve.G1Affine, what string) {
	t.Helper()
	ws := newForTest().take()
	defer ws.put()
	acc, in := ws.acc.cut(3, 3+len(a)), ws.in.cut(2, 2+len(a))
	for i := range a {
		acc.load(i, a[i])
		in.load(i, b[i])
	}
	acc.add(in)
	sums := make([]curve.G1Affine, len(a))
	acc.store(sums)
	for i := range a {
		var want curve.G1Jac
		want.FromAffine(&a[i])
		want.AddMixed(&b[i])
		var p curve.G1Affine
		p.FromJacobian(&want)
		require.Equal(t, p, sums[i], "%s, place %d of %d", what, i, len(a))
	}
}

func TestEveryExceptionInEveryPlace(t *testing.T) {
	for _, n := range []int{1, 2, 7, 8, 9, 15, 16, 17, 33, 64} {
		ps := hashed(2 * n)
		for _, p := range pairings {
			for i := range n {
				a, b := append([]curve.G1Affine{}, ps[:n]...), append([]curve.G1Affine{}, ps[n:]...)
				a[i], b[i] = p.of(a[i], b[i])
				requireAdds(t, a, b, p.name)
			}
			a, b := append([]curve.G1Affine{}, ps[:n]...), append([]curve.G1Affine{}, ps[n:]...)
			for i := range n {
				a[i], b[i] = p.of(a[i], b[i])
			}
			requireAdds(t, a, b, p.name+" everywhere")
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

// TestIdentityOutOfAdditions adds to sums that an addition made the identity.
func TestIdentityOutOfAdditions(t *testing.T) {
	ws := newForTest().take()
	defer ws.put()
	ps := hashed(20)
	acc, in := ws.acc.cut(0, len(ps)), ws.in.cut(0, len(ps))
	got := make([]curve.G1Affine, len(ps))
	for i := range ps {
		acc.load(i, ps[i])
		p := ps[i]
		if i%3 == 0 {
			p.Neg(&p)
		}
		in.load(i, p)
	}
	acc.add(in)
	for i := range ps {
		in.load(i, ps[i])
	}
	acc.add(in)
	acc.store(got)
	for i := range ps {
		want := ps[i]
		if i%3 != 0 {
			want.Double(&want).Add(&want, &ps[i])
		}
		require.Equal(t, want, got[i], "place %d", i)
	}
}

// TestAddOrDouble adds in the first places and doubles in the others, with and
// without exceptions among them.
func TestAddOrDouble(t *testing.T) {
	const n = 33
	ps := hashed(2 * n)
	for _, identities := range []bool{false, true} {
		for _, sums := range []int{0, 1, 7, 8, 16, 31, n} {
			ws := newForTest().take()
			acc, in := ws.acc.cut(0, n), ws.in.cut(0, n)
			want, got := make([]curve.G1Affine, n), make([]curve.G1Affine, n)
			for i := range n {
				a, b := ps[i], ps[n+i]
				if identities {
					a, b = pairings[i%len(pairings)].of(a, b)
				}
				acc.load(i, a)
				if i >= sums {
					b = a
				} else {
					in.load(i, b)
				}
				want[i].Add(&a, &b)
			}
			acc.addOrDouble(in, sums)
			acc.store(got)
			require.Equal(t, want, got, "%d sums", sums)
			ws.put()
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
				forgetting{}.require(t, reflect.ValueOf(*ws), fmt.Sprintf("%d points", n))
			}
		}
	}
}

// forgetting holds the pointers that were followed.
type forgetting map[uintptr]bool

// require requires that v and the whole capacity of its slices are zero, except
// for two fields that depend on the lengths of rows alone, and the length of a
// batch.
func (f forgetting) require(t *testing.T, v reflect.Value, path string) {
	t.Helper()
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i).Name; field != "class" && field != "done" && field != "n" &&
				field != "pool" {
				f.require(t, v.Field(i), path+": "+field)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			f.require(t, v.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
	case reflect.Interface:
		if !v.IsNil() {
			f.require(t, v.Elem(), path)
		}
	case reflect.Pointer:
		if !v.IsNil() && !f[v.Pointer()] {
			f[v.Pointer()] = true
			f.require(t, v.Elem(), path)
		}
	case reflect.Slice:
		for i, whole := 0, v.Slice(0, v.Cap()); i < whole.Len(); i++ {
			if at := fmt.Sprintf("%s[%d]", path, i); v.Type().Elem().Kind() == reflect.Pointer {
				f.require(t, whole.Index(i), at)
			} else if !whole.Index(i).IsZero() {
				require.Fail(t, "not zero", at)
			}
		}
	default:
		require.True(t, v.IsZero(), path)
	}
}

// TestEncodingsOfAListTakeOnePieceOfMemory, and so does the encoding of one point.
func TestEncodingsOfAListTakeOnePieceOfMemory(t *testing.T) {
	if nightly.Racing() {
		t.Skip("the race detector adds allocations")
	}
	g := newForTest()
	ps := g.pointsForTest(20)
	require.EqualValues(t, 1, testing.AllocsPerRun(5, func() { g.AppendPoints(nil, []byte("prefix"), ps) }))
	require.EqualValues(t, 1, testing.AllocsPerRun(5, func() { g.AppendPoint(nil, ps[0]) }))
}
