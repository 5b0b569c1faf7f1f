package bn254

import (
	"fmt"
	"reflect"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
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
func requireAdds(t *testing.T, a, b []curve.G1Affine, tainted bool, what string) {
	t.Helper()
	ws := take()
	defer ws.put()
	ws.tainted = tainted
	acc, in := newColumns(len(a)), newColumns(len(a))
	for i := range a {
		acc.set(i, &a[i])
		in.set(i, &b[i])
	}
	ws.add(acc, in)
	for i := range a {
		var want curve.G1Jac
		want.FromAffine(&a[i])
		want.AddMixed(&b[i])
		var p curve.G1Affine
		p.FromJacobian(&want)
		require.Equal(t, p, acc.at(i), "%s, place %d of %d", what, i, len(a))
		require.True(t, ws.tainted || !p.IsInfinity(), "an identity that is not announced")
	}
}

func TestEveryExceptionInEveryPlace(t *testing.T) {
	for _, n := range []int{1, 2, 7, 8, 9, 15, 16, 17, 33, 64} {
		ps := hashed(2 * n)
		for _, p := range pairings {
			for i := range n {
				a, b := append([]curve.G1Affine{}, ps[:n]...), append([]curve.G1Affine{}, ps[n:]...)
				a[i], b[i] = p.of(a[i], b[i])
				hasIdentity := a[i].IsInfinity() || b[i].IsInfinity()
				requireAdds(t, a, b, hasIdentity, p.name)
			}
			a, b := append([]curve.G1Affine{}, ps[:n]...), append([]curve.G1Affine{}, ps[n:]...)
			for i := range n {
				a[i], b[i] = p.of(a[i], b[i])
			}
			requireAdds(t, a, b, a[0].IsInfinity() || b[0].IsInfinity(), p.name+" everywhere")
		}
	}
}

func TestExceptionsMixed(t *testing.T) {
	const n = 60
	ps := hashed(2 * n)
	a, b := make([]curve.G1Affine, n), make([]curve.G1Affine, n)
	for i := range n {
		a[i], b[i] = pairings[i%len(pairings)].of(ps[i], ps[n+i])
	}
	requireAdds(t, a, b, true, "mixed")
}

func TestInvertRefusesZeroAnywhere(t *testing.T) {
	ws := take()
	defer ws.put()
	for _, n := range []int{1, 2, 8, 15, 16, 17, 100} {
		for zero := range n {
			v := newColumns(n).x
			for i := range v {
				v[i].SetUint64(uint64(i + 2))
			}
			v[zero].SetZero()
			before := append(v[:0:0], v...)
			require.False(t, ws.invert(v))
			require.Equal(t, before, v)
			v[zero].SetUint64(1)
			before[zero].SetUint64(1)
			require.True(t, ws.invert(v))
			for i := range v {
				v[i].Mul(&v[i], &before[i])
				require.True(t, v[i].IsOne(), "%d of %d", i, n)
			}
		}
	}
}

func TestDoublingWithIdentities(t *testing.T) {
	ws := take()
	defer ws.put()
	for _, n := range []int{1, 8, 17} {
		for _, skip := range []int{1, 2, 1000} {
			ps := hashed(n)
			c := newColumns(n)
			for i := range ps {
				if i%skip == 0 && skip < 1000 {
					ps[i] = curve.G1Affine{}
				}
				c.set(i, &ps[i])
			}
			ws.double(c)
			for i := range ps {
				require.Equal(t, *new(curve.G1Affine).Double(&ps[i]), c.at(i))
			}
		}
	}
}

// uses are what a workspace is used for, with n points.
var uses = map[string]func(ws *workspace, g *Group, n int){
	"fixed": func(ws *workspace, g *Group, n int) {
		row := group.Row{Scalars: g.scalarsForTest(2000)[2000-n:]}
		sums := fixedSums{ws, g.NewTable(g.pointsForTest(n), 1).(*table), []group.Row{row, row}}
		sums.compute(make([]group.Point, 2), []int{0, 1})
	},
	"odd multiples": func(ws *workspace, _ *Group, n int) {
		ws.oddMultiples(make([]curve.G1Affine, 4*n), hashed(n), 4)
	},
	"straus": func(ws *workspace, g *Group, n int) {
		ws.addRow(g.pointsForTest(n), g.scalarsForTest(2000)[2000-n:])
		ws.straus(grow(&ws.totals, 1))
	},
	"pippenger": func(ws *workspace, g *Group, n int) {
		ws.addRow(g.pointsForTest(n), g.scalarsForTest(2000)[2000-n:])
		ws.pippenger(n)
	},
	"normalize": func(ws *workspace, _ *Group, n int) {
		jac := make([]curve.G1Jac, n)
		for i, p := range hashed(n) {
			jac[i].FromAffine(&p)
			double(&jac[i])
		}
		ws.normalize(make([]curve.G1Affine, n), jac)
	},
	"add": func(ws *workspace, _ *Group, n int) {
		acc, in := ws.acc.cut(0, n), ws.in.cut(0, n)
		for i, p := range hashed(n) {
			acc.set(i, &p)
			in.set(n-1-i, &p)
		}
		ws.add(acc, in)
	},
}

// TestNormalizeWithIdentities puts the identity into every place of a batch,
// where a shared inversion would fail.
func TestNormalizeWithIdentities(t *testing.T) {
	for _, n := range []int{1, 2, 3, 15, 16, 17, 33} {
		ps := hashed(n)
		for zero := range n {
			ws := take()
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
		}
	}
}

// TestWorkspacesForget looks at all memory of a workspace after every use.
func TestWorkspacesForget(t *testing.T) {
	for name, use := range uses {
		for _, n := range []int{1, 31, 63, 200} {
			ws := pool.New().(*workspace)
			use(ws, newForTest(), n)
			require.NotZero(t, ws.used, "%s, %d points", name, n)
			ws.put()
			requireForgotten(t, reflect.ValueOf(*ws), fmt.Sprintf("%s, %d points", name, n))
		}
	}
}

// requireForgotten goes through v and the whole capacity of its slices, except
// for which rows go together: that depends on their lengths alone.
func requireForgotten(t *testing.T, v reflect.Value, path string) {
	t.Helper()
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i).Name; field != "class" && field != "done" {
				requireForgotten(t, v.Field(i), path+": "+field)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			requireForgotten(t, v.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
	case reflect.Slice:
		for i, whole := 0, v.Slice(0, v.Cap()); i < whole.Len(); i++ {
			require.True(t, whole.Index(i).IsZero(), "%s[%d]", path, i)
		}
	default:
		require.True(t, v.IsZero(), path)
	}
}
