package bls12381 // firstOutside is private: DecodePoints does not read the points alone

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
)

// strangers returns points of the curve that are not in the group: of every small
// order, of q times a small order, and of unknown order.
func strangers(t *testing.T) (ps []curve.G1Affine) {
	own := hashed(3)
	for _, p := range onTheCurve(t) {
		if !p.IsInSubGroup() {
			ps = append(ps, p, *new(curve.G1Affine).Add(&p, &own[len(ps)%3]))
		}
	}
	for _, order := range []int64{3, 11, 10177, 859267, 52437899} {
		found := false
		for i := range ps {
			// (1 - x)²/3 is the cofactor; the square of a prime may divide an order.
			p := ps[i]
			rest := new(big.Int).SetUint64(effectiveCofactor)
			for new(big.Int).Mod(rest, big.NewInt(order)).Sign() == 0 {
				rest.Div(rest, big.NewInt(order))
			}
			p = multiple(multiple(p, rest), fr.Modulus())
			for next := multiple(p, big.NewInt(order)); !next.IsInfinity(); next = multiple(p,
				big.NewInt(order)) {
				p = next
			}
			if !p.IsInfinity() {
				ps, found = append(ps, p, *new(curve.G1Affine).Add(&p, &own[0])), true
				break
			}
		}
		require.True(t, found, "no point of order %d", order)
	}
	return ps
}

// TestSubgroupAlone compares the check of one point with q·P and with the check of
// gnark-crypto, for the whole curve but the identity.
func TestSubgroupAlone(t *testing.T) {
	for i, p := range append(hashed(50), strangers(t)...) {
		product := multiple(p, fr.Modulus())
		require.Equal(t, product.IsInfinity(), inSubgroup(&p), "point %d", i)
		require.Equal(t, p.IsInSubGroup(), inSubgroup(&p), "point %d", i)
	}
}

// TestSubgroupTogether compares lists, with strangers and the identity in any place, with the
// check of gnark-crypto.
func TestSubgroupTogether(t *testing.T) {
	own, others := hashed(150), strangers(t)
	require.Greater(t, len(others), 50)
	random := rand.New(rand.NewPCG(7, 8))
	outside := map[curve.G1Affine]bool{}
	for _, p := range slices.Concat(own, others) {
		outside[p] = !p.IsInSubGroup()
	}
	check := func(ps []curve.G1Affine, what string, args ...any) {
		want := 0
		for want < len(ps) && !outside[ps[want]] {
			want++
		}
		ws := newForTest().take()
		defer ws.put()
		require.Equal(t, want, ws.firstOutside(ps), what, args)
	}
	check(nil, "no point")
	check(own, "points of the group")
	for i := 0; i < len(others); i += nightly.Pick(4, 1, 1) {
		p := others[i]
		for place := range 9 {
			ps := append([]curve.G1Affine{}, own[:9]...)
			ps[place] = p
			check(ps, "stranger %d in place %d", i, place)
		}
		check([]curve.G1Affine{p, p, p, p, p, p, p, p}, "stranger %d everywhere", i)
	}
	for range nightly.Pick(100, 400, 5000) {
		ps := make([]curve.G1Affine, 1+random.IntN(150)>>random.IntN(4))
		for i := range ps {
			switch ps[i] = own[random.IntN(len(own))]; random.IntN(len(ps) + 3) {
			case 0:
				ps[i] = others[random.IntN(len(others))]
			case 1, 2:
				ps[i] = curve.G1Affine{}
			}
		}
		check(ps, "a mixture")
	}
}

// BenchmarkSubgroup measures the check of a point, together with others.
func BenchmarkSubgroup(b *testing.B) {
	ps := hashed(64)
	for _, kernel := range []string{"vector", "portable"} {
		g := New(7)
		if kernel == "portable" {
			g = g.Portable()
		}
		ws := g.take()
		for _, n := range []int{1, 2, 4, 8, 16, 32, 64} {
			b.Run(fmt.Sprintf("kernel=%s/points=%d", kernel, n), func(b *testing.B) {
				for b.Loop() {
					if ws.firstOutside(ps[:n]) != n {
						b.Fatal("a point of the group is outside")
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/point")
			})
		}
	}
}
