package bls12381

import (
	"math/rand/v2"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/stretchr/testify/require"
)

// TestManyRoots computes square roots of 10000 random elements, of all powers of
// two, their neighbours and their negatives: about five million products.
func TestManyRoots(t *testing.T) {
	rnd := rand.New(rand.NewPCG(19, 20))
	var as []fp.Element
	var power, one fp.Element
	one.SetOne()
	power.SetOne()
	for range fp.Bits {
		var less, minus fp.Element
		less.Sub(&power, &one)
		minus.Neg(&power)
		as = append(as, power, less, minus)
		power.Double(&power)
	}
	for range 10_000 {
		var e fp.Element
		for i := range e {
			e[i] = rnd.Uint64()
		}
		e[fp.Limbs-1] %= fieldP[fp.Limbs-1]
		as = append(as, e)
	}
	ws := newForTest().take()
	defer ws.put()
	for len(as) > 0 {
		n := min(1+rnd.IntN(60), len(as))
		for i, got := range ws.squareRoots(as[:n]) {
			var want, square fp.Element
			square.Square(&got)
			require.Equal(t, want.Sqrt(&as[i]) != nil, square.Equal(&as[i]), "%x", as[i])
		}
		as = as[n:]
	}
}

// TestManySubgroupChecks compares the check of many points together with the one
// of a point, on points of the group and outside of it, in random places.
func TestManySubgroupChecks(t *testing.T) {
	rnd := rand.New(rand.NewPCG(21, 22))
	own, others := hashed(40), strangers(t)
	ws := newForTest().take()
	defer ws.put()
	found := 0
	for range 400 {
		ps := make([]curve.G1Affine, 1+rnd.IntN(20))
		for i := range ps {
			from := own
			if rnd.IntN(20) == 0 {
				from = others
			}
			ps[i].Add(&from[rnd.IntN(len(from))], &own[rnd.IntN(len(own))])
		}
		want := 0
		for want < len(ps) && (ps[want].IsInfinity() || ps[want].IsInSubGroup()) {
			want++
		}
		if want < len(ps) {
			found++
		}
		require.Equal(t, want, ws.firstOutside(ps))
	}
	require.Greater(t, found, 50)
}
