// Code generated from bn254/add_test.go by bls12381/generate. DO NOT EDIT.

package bls12381

import (
	"fmt"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/stretchr/testify/require"
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

func TestWorkspacesForget(t *testing.T) {
	g := newForTest()
	ps := g.pointsForTest(200)
	ss := g.scalarsForTest(200)
	ws := &workspace{}
	*ws = *pool.New().(*workspace)
	bases := ws.entries[:0]
	for i := range ps {
		ws.addTerm(uint32(i), element(&ss[i]).Bits())
		bases = append(bases, affine(&ps[i]))
	}
	ws.entries = bases
	ws.pippenger(len(bases))
	require.NotZero(t, ws.acc.at(0))
	ws.put()
	for _, v := range [][]curve.G1Affine{ws.entries, ws.bases, ws.sums, ws.pile.piles[0], ws.pile.piles[1]} {
		for _, p := range v[:cap(v)] {
			require.Zero(t, p)
		}
	}
	for _, c := range []columns{ws.acc, ws.in, {ws.dx, ws.temp}} {
		for i := range c.x {
			require.Zero(t, c.at(i))
		}
	}
	for _, h := range ws.halves[:cap(ws.halves)] {
		require.Zero(t, h)
	}
	for _, d := range ws.digits[:cap(ws.digits)] {
		require.Zero(t, d)
	}
}
