package v2 // pointName is private, and the liar of liar_test.go sends the points

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

const withTorsion = "BLS12_381_BBS_GURVY"

// torsionPoints returns q times a point of the curve, whose order is the order of the whole torsion,
// and points of small orders.
func torsionPoints(t testing.TB, g group.Group) map[string]group.CurvePoint {
	t.Helper()
	c, points := slowCurves[withTorsion], map[string]group.CurvePoint{}
	orders := nightly.Pick(nil, []int64{3, 10177}, []int64{3, 11, 33, 10177})
	add := func(name string, p *slowPoint) {
		if p == nil {
			return
		}
		_, err := g.DecodePoint(c.encode(p))
		require.ErrorIs(t, err, group.ErrNotInSubgroup, name)
		points[name], err = g.DecodeCurvePoint(c.encode(p))
		require.NoError(t, err, name)
	}
	for x := int64(4); len(points) < 1+len(orders); x++ {
		y2 := new(big.Int).Add(big.NewInt(x*x*x), c.b)
		y := y2.ModSqrt(y2, c.p)
		if y == nil {
			continue
		}
		all := c.times(&slowPoint{big.NewInt(x), y}, c.q)
		add("q times a point", all)
		for _, order := range orders {
			add(fmt.Sprint("order ", order), c.times(all, new(big.Int).Div(c.clear, big.NewInt(order))))
		}
	}
	return points
}

// TestTorsion adds points of small order to points of a proof. Before hashing
// the result is another valid proof, afterwards it is invalid. All verifiers
// agree.
func TestTorsion(t *testing.T) {
	g := vectors.Curve(t, withTorsion)
	in := newInstance(t, g, shape{bits: 64, inputs: 2, outputs: 2}, 61)
	honest, l := Claim{in.st, in.prove(t)}, in.p.layout(2, 2)
	subsets := map[string]func(i int) bool{
		"every point":        func(int) bool { return true },
		"every second point": func(i int) bool { return i%2 == 1 },
	}
	for only := 0; only < l.points(); only += nightly.Pick(l.points(), l.points(), 1) {
		subsets[l.pointName(only)] = func(i int) bool { return i == only }
	}
	for name, torsion := range torsionPoints(t, g) {
		t.Run(name, func(t *testing.T) {
			for which, chosen := range subsets {
				t.Run(which, func(t *testing.T) {
					for _, afterwards := range []bool{false, true} {
						st, at := *in.st, 0
						lr := newLiar(t, in.p, &st, in.w)
						lr.send = func(p group.CurvePoint) (sent, absorbed group.CurvePoint) {
							sent = p
							if chosen(at) {
								sent = grouptest.AddCurvePoints(g, p, torsion)
							}
							at++
							if afterwards {
								return sent, p
							}
							return sent, sent
						}
						proof, _, _ := lr.prove()
						want := map[bool]string{true: "equation"}[afterwards]
						what := fmt.Sprintf("on %s, afterwards: %v", which, afterwards)
						require.Equal(t, want, verdict(in.p.Verify(&st, proof)), what)
						require.Equal(t, want, verdict(in.p.verifySlowly(&st, proof)), "%s, slowly", what)
						for _, n := range nightly.Pick([]int{2}, []int{13}, []int{2, 13}) {
							batch := append(slices.Repeat([]Claim{honest}, n-1), Claim{&st, proof})
							err := in.p.VerifyBatch(batch)
							require.Equal(t, want, verdict(err), "%s, in a batch of %d", what, n)
						}
					}
				})
			}
		})
	}
}

// TestTokensWithTorsion: a proof for an input with torsion is right, and is of no other input.
func TestTokensWithTorsion(t *testing.T) {
	g := vectors.Curve(t, withTorsion)
	in := newInstance(t, g, shape{bits: 64, inputs: 2, outputs: 1}, 62)
	for name, torsion := range torsionPoints(t, g) {
		t.Run(name, func(t *testing.T) {
			other := *in.st
			other.Inputs = slices.Clone(in.st.Inputs)
			other.Inputs[1] = grouptest.AddCurvePoints(g, other.Inputs[1], torsion)
			proof := instance{in.p, &other, in.w}.prove(t)
			require.NoError(t, in.p.Verify(&other, proof))
			require.NoError(t, in.p.verifySlowly(&other, proof))
			require.ErrorIs(t, in.p.Verify(in.st, proof), ErrRejected)
		})
	}
}
