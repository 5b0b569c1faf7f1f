package v2

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

const withTorsion = "BLS12_381_BBS_GURVY"

// torsionPoints returns points of orders 3, 11, 33, 10177, and q times a point
// of the curve; its order is the order of the whole torsion.
func torsionPoints(t testing.TB) map[string][]byte {
	t.Helper()
	c := slowCurves[withTorsion]
	times := func(p *slowPoint, v *big.Int) (total *slowPoint) {
		for bit := v.BitLen() - 1; bit >= 0; bit-- {
			total = c.add(total, total)
			if v.Bit(bit) == 1 {
				total = c.add(total, p)
			}
		}
		return total
	}
	points := map[string][]byte{}
	encode := func(name string, p *slowPoint) {
		require.NotNil(t, p, name)
		b := append(p.x.FillBytes(make([]byte, c.wide)), p.y.FillBytes(make([]byte, c.wide))...)
		require.NotNil(t, c.decode(b))
		points[name] = b
	}
	encode("(0, 2)", &slowPoint{new(big.Int), big.NewInt(2)})
	for x := int64(4); len(points) < 6; x++ {
		y2 := new(big.Int).Add(big.NewInt(x*x*x), c.b)
		y := y2.ModSqrt(y2, c.p)
		if y == nil {
			continue
		}
		all := times(&slowPoint{big.NewInt(x), y}, c.q)
		encode("q times a point", all)
		for _, order := range []uint64{3, 11, 33, 10177} {
			if p := times(all, new(big.Int).SetUint64(c.clear/order)); p != nil {
				encode(fmt.Sprintf("order %d", order), p)
			}
		}
	}
	return points
}

// proveWithTorsion adds a torsion point to chosen points before they are
// hashed, or after.
func (lr *liar) proveWithTorsion(t *testing.T, torsion group.CurvePoint, chosen func(i int) bool,
	afterwards bool) []byte {
	t.Helper()
	g, l := lr.g, lr.l
	lr.commitTokens()
	tr := new(transcript.Chain)
	lr.p.begin(tr, lr.st)
	proof, at := []byte{version}, 0
	encode := func(cs ...coordinates) (hashed []byte) {
		for _, c := range cs {
			sent := group.OnCurve(lr.point(c))
			plain := group.AppendCurvePoint(g, nil, sent)
			if chosen(at) {
				sent = grouptest.AddCurvePoints(g, sent, torsion)
			}
			at++
			proof = group.AppendCurvePoint(g, proof, sent)
			if afterwards {
				hashed = append(hashed, plain...)
			} else {
				hashed = group.AppendCurvePoint(g, hashed, sent)
			}
		}
		return hashed
	}
	lr.first()
	lr.ch.afterDigits(g, tr, encode(append([]coordinates{lr.m}, lr.d...)...))
	lr.second()
	lr.ch.afterReciprocals(g, tr, encode(lr.r...))
	lr.third()
	lr.ch.afterMasks(g, tr, encode(lr.s, lr.q))
	responses, _, _ := lr.respond()
	for _, s := range responses {
		proof = g.AppendScalar(proof, s)
	}
	require.Len(t, proof, l.proofLen(g))
	return proof
}

// TestTorsion adds points of small order to points of a proof. Before hashing
// the result is another valid proof, afterwards it is invalid. All verifiers
// agree.
func TestTorsion(t *testing.T) {
	g := vectors.Curve(t, withTorsion)
	in := newInstance(t, g, shape{bits: 64, inputs: 2, outputs: 2}, 61)
	honest := Claim{in.st, in.prove(t)}
	points := in.p.layout(2, 2).points()
	subsets := map[string]func(i int) bool{
		"every point":        func(int) bool { return true },
		"every second point": func(i int) bool { return i%2 == 1 },
	}
	for only := 0; only < points; only += nightly.Pick(points, 4, 1) {
		subsets[in.p.layout(2, 2).pointName(only)] = func(i int) bool { return i == only }
	}
	for name, b := range torsionPoints(t) {
		torsion, err := g.DecodeCurvePoint(b)
		require.NoError(t, err)
		_, err = g.DecodePoint(b)
		require.ErrorIs(t, err, group.ErrNotInSubgroup, name)
		for which, chosen := range subsets {
			for _, afterwards := range []bool{false, true} {
				st := *in.st
				lr := newLiar(t, in.p, &st, in.w)
				proof := lr.proveWithTorsion(t, torsion, chosen, afterwards)
				want := ""
				if afterwards {
					want = "equation"
				}
				what := fmt.Sprintf("%s on %s, afterwards: %v", name, which, afterwards)
				require.Equal(t, want, verdict(in.p.Verify(&st, proof)), what)
				require.Equal(t, want, verdict(in.p.verifySlowly(&st, proof)), "%s, slowly", what)
				for _, n := range nightly.Pick([]int{2}, []int{2, 13}, []int{2, 13}) {
					batch := make([]Claim, n)
					for i := range batch {
						batch[i] = honest
					}
					batch[n-1] = Claim{&st, proof}
					err := in.p.VerifyBatch(batch)
					require.Equal(t, want, verdict(err), "%s, in a batch of %d", what, n)
				}
			}
		}
	}
}

// TestTokensWithTorsion shows that the proof does not cover torsion of inputs,
// and that an output with torsion cannot be encoded.
func TestTokensWithTorsion(t *testing.T) {
	g := vectors.Curve(t, withTorsion)
	in := newInstance(t, g, shape{bits: 64, inputs: 2, outputs: 1}, 62)
	for name, b := range torsionPoints(t) {
		torsion, err := g.DecodeCurvePoint(b)
		require.NoError(t, err)
		other := *in.st
		other.Inputs = append([]group.CurvePoint(nil), in.st.Inputs...)
		other.Inputs[1] = grouptest.AddCurvePoints(g, other.Inputs[1], torsion)
		proof, err := in.p.Prove(&other, in.w, newRandom(1))
		require.NoError(t, err)
		require.NoError(t, in.p.Verify(&other, proof), name)
		require.NoError(t, in.p.verifySlowly(&other, proof), name)
		require.ErrorIs(t, in.p.Verify(in.st, proof), ErrRejected, name)
		output := grouptest.AddCurvePoints(g, group.OnCurve(in.st.Outputs[0]), torsion)
		_, err = g.DecodePoint(group.AppendCurvePoint(g, nil, output))
		require.ErrorIs(t, err, group.ErrNotInSubgroup, name)
	}
}
