// Code generated from bn254/comparisons_amd64_test.go by bls12381/generate. DO NOT EDIT.

//go:build !purego

package bls12381 // equal is private: no known points differ in one coordinate from a multiple

import (
	"math/rand/v2"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
)

// TestLaneComparisons compares points in Jacobian coordinates with affine ones,
// where no, one or both coordinates are the same.
func TestLaneComparisons(t *testing.T) {
	needLanes(t)
	const places = 200
	rnd := rand.New(rand.NewPCG(17, 18))
	edges := edgeElements()
	element := func() fp.Element {
		if rnd.IntN(3) == 0 {
			return edges[rnd.IntN(len(edges))]
		}
		return randomElement(rnd)
	}
	ws := newForTest().take()
	defer ws.put()
	l, j := ws.acc.points.(*lanePoints), ws.acc.points.(*lanePoints).scratch.jacobian(0)
	equal := 0
	for n := 1; n <= 600; n++ {
		n := n%places + 1
		got, want := make([]bool, n), make([]bool, n)
		for k := range n {
			p, z := curve.G1Affine{X: element(), Y: element()}, element()
			q := p
			switch rnd.IntN(4) {
			case 0:
				q.X = element()
			case 1:
				q.Y = element()
			case 2:
				q.Y.Neg(&q.Y)
			}
			want[k] = p == q && !z.IsZero()
			if want[k] {
				equal++
			}
			var z2 fp.Element
			z2.Square(&z)
			q.X.Mul(&q.X, &z2)
			q.Y.Mul(&q.Y, &z2).Mul(&q.Y, &z)
			l.load(k, p)
			j.load(k, q)
			setLane(j.z, lanePlaces, k, &z)
		}
		j.equal(got, l)
		for k := range want {
			if got[k] != want[k] {
				t.Fatalf("place %d of %d: equal is %v", k, n, got[k])
			}
		}
	}
	if equal < 1000 {
		t.Fatalf("only %d points were equal", equal)
	}
}
