package bulletproof_test

import (
	"crypto/rand"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/bulletproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// prover holds what an honest prover of one system has.
type prover struct {
	g group.Group
	s *bulletproof.System
	c bulletproof.Config
}

func newProver(t testing.TB, curve string, bits int) prover {
	g := vectors.Curve(t, curve)
	return prover{g: g, s: system(t, g, bits), c: config(g, bits)}
}

func (p prover) scalar(t testing.TB) group.Scalar {
	t.Helper()
	var s [1]group.Scalar
	require.NoError(t, group.Sample(p.g, rand.Reader, s[:]))
	return s[0]
}

// commit returns value·g₁ + blinding·h.
func (p prover) commit(value, blinding group.Scalar) group.Point {
	return p.g.MSM([]group.Point{p.c.G1, p.c.H}, []group.Scalar{value, blinding})
}

// prove returns a fresh proof for value with its statement.
func (p prover) prove(t testing.TB, value uint64) rangeproof.Item {
	t.Helper()
	w := rangeproof.Witness{Value: value, Blinding: p.scalar(t)}
	v := p.commit(p.g.Uint64(value), w.Blinding)
	hedge, err := nonce.NewHedge(p.g, rand.Reader, nil, w.Blinding)
	require.NoError(t, err)
	proof, err := p.s.Prove(v, w, hedge.Stream("test", 0))
	require.NoError(t, err)
	return rangeproof.Item{V: v, Proof: proof}
}

func TestHonestProofsAreAccepted(t *testing.T) {
	for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
		for _, bits := range []int{1, 2, 4, 8, 16, 32, 64} {
			p := newProver(t, curve, bits)
			most := ^uint64(0) >> (64 - bits)
			var items []rangeproof.Item
			for _, value := range []uint64{0, 1, most, most >> 1} {
				items = append(items, p.prove(t, value))
			}
			require.NoError(t, p.s.Verify(items), "%s, %d bits", curve, bits)
			require.Len(t, items[0].Proof.Append(nil), p.s.ProofLen())
		}
	}
}

func TestBitLengthsThatAreNoPowerOfTwoAreRefused(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	for _, bits := range []int{-1, 0, 3, 7, 20, 33, 63, 65, 128} {
		_, err := bulletproof.New(bulletproof.Config{Group: g, Bits: bits})
		require.ErrorIs(t, err, bulletproof.ErrConfig, fmt.Sprint(bits))
	}
	_, err := bulletproof.New(bulletproof.Config{Group: g, Bits: 4, Left: make([]group.Point, 4), Right: make([]group.Point, 3)})
	require.ErrorIs(t, err, bulletproof.ErrConfig)
}

func TestProverRefusesWhatIsNotAnOpeningInTheRange(t *testing.T) {
	p := newProver(t, "BN254", 16)
	r := p.scalar(t)
	var one = p.g.Uint64(1)
	for name, c := range map[string]struct {
		v group.Point
		w rangeproof.Witness
	}{
		"value of 17 bits": {p.commit(p.g.Uint64(1<<16), r), rangeproof.Witness{Value: 1 << 16, Blinding: r}},
		"other value":      {p.commit(one, r), rangeproof.Witness{Value: 2, Blinding: r}},
		"other blinding":   {p.commit(one, r), rangeproof.Witness{Value: 1, Blinding: one}},
		"identity":         {group.Point{}, rangeproof.Witness{Value: 1, Blinding: r}},
	} {
		_, err := p.s.Prove(c.v, c.w, &nonce.Fixed{})
		require.ErrorIs(t, err, rangeproof.ErrWitness, name)
	}
	_, err := p.s.Prove(p.commit(one, r), rangeproof.Witness{Value: 1, Blinding: r}, &nonce.Fixed{})
	require.ErrorIs(t, err, group.ErrRandom)
}

// Forgers change a proof, or the statement, of an honest prover.
var forgers = map[string]func(g group.Group, it *rangeproof.Item, p, other *bulletproof.Proof){
	"T1 and T2 swapped":     func(_ group.Group, _ *rangeproof.Item, p, _ *bulletproof.Proof) { p.T1, p.T2 = p.T2, p.T1 },
	"C and D swapped":       func(_ group.Group, _ *rangeproof.Item, p, _ *bulletproof.Proof) { p.C, p.D = p.D, p.C },
	"a and b swapped":       func(_ group.Group, _ *rangeproof.Item, p, _ *bulletproof.Proof) { p.A, p.B = p.B, p.A },
	"tau and delta swapped": func(_ group.Group, _ *rangeproof.Item, p, _ *bulletproof.Proof) { p.Tau, p.Delta = p.Delta, p.Tau },
	"L and R swapped":       func(_ group.Group, _ *rangeproof.Item, p, _ *bulletproof.Proof) { p.L, p.R = p.R, p.L },
	"rounds swapped": func(_ group.Group, _ *rangeproof.Item, p, _ *bulletproof.Proof) {
		p.L[0], p.L[1], p.R[0], p.R[1] = p.L[1], p.L[0], p.R[1], p.R[0]
	},
	"a round missing": func(_ group.Group, _ *rangeproof.Item, p, _ *bulletproof.Proof) { p.L, p.R = p.L[1:], p.R[1:] },
	"argument of another": func(_ group.Group, _ *rangeproof.Item, p, o *bulletproof.Proof) {
		p.A, p.B, p.L, p.R = o.A, o.B, o.L, o.R
	},
	"polynomials of another": func(_ group.Group, _ *rangeproof.Item, p, o *bulletproof.Proof) {
		p.T1, p.T2, p.Tau, p.That = o.T1, o.T2, o.Tau, o.That
	},
	"commitments of another": func(_ group.Group, _ *rangeproof.Item, p, o *bulletproof.Proof) {
		p.C, p.D, p.Delta = o.C, o.D, o.Delta
	},
	"T1 for another x": func(_ group.Group, _ *rangeproof.Item, p, o *bulletproof.Proof) { p.T1 = o.T1 },
	"another commitment": func(g group.Group, it *rangeproof.Item, _, _ *bulletproof.Proof) {
		it.V = g.AddPoints(it.V, g.Generator())
	},
	"the identity is claimed": func(_ group.Group, it *rangeproof.Item, _, _ *bulletproof.Proof) { it.V = group.Point{} },
	"negated commitment": func(g group.Group, it *rangeproof.Item, _, _ *bulletproof.Proof) {
		it.V = g.SubPoints(group.Point{}, it.V)
	},
	"everything zero": func(_ group.Group, it *rangeproof.Item, p, _ *bulletproof.Proof) {
		it.V = group.Point{}
		p.T1, p.T2, p.C, p.D = group.Point{}, group.Point{}, group.Point{}, group.Point{}
		p.Tau, p.Delta, p.That, p.A, p.B = group.Scalar{}, group.Scalar{}, group.Scalar{}, group.Scalar{}, group.Scalar{}
		clear(p.L)
		clear(p.R)
	},
}

func TestForgedProofIsRejected(t *testing.T) {
	for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
		for _, bits := range []int{16, 32, 64} {
			p := newProver(t, curve, bits)
			other := p.prove(t, 5)
			for name, forge := range forgers {
				it := p.prove(t, 4)
				forge(p.g, &it, it.Proof.(*bulletproof.Proof), other.Proof.(*bulletproof.Proof))
				require.ErrorIs(t, p.s.Verify([]rangeproof.Item{it}), rangeproof.ErrRejected, "%s/%d: %s", curve, bits, name)
			}
		}
	}
}

// TestEveryFieldIsBound tampers with each scalar and each point alone.
func TestEveryFieldIsBound(t *testing.T) {
	for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
		p := newProver(t, curve, 16)
		honest := p.prove(t, 1234)
		encoded := honest.Proof.Append(nil)
		fresh := func() *bulletproof.Proof {
			proof, err := p.s.Decode(encoded)
			require.NoError(t, err)
			return proof.(*bulletproof.Proof)
		}
		rejected := func(proof *bulletproof.Proof, what string, i int) {
			t.Helper()
			err := p.s.Verify([]rangeproof.Item{{V: honest.V, Proof: proof}})
			require.ErrorIs(t, err, rangeproof.ErrRejected, "%s: %s %d", curve, what, i)
		}
		for i := range scalarsOf(fresh()) {
			for _, change := range []func(group.Scalar) group.Scalar{
				func(s group.Scalar) group.Scalar { return p.g.Add(s, p.g.Uint64(1)) },
				p.g.Neg,
				func(group.Scalar) group.Scalar { return group.Scalar{} },
			} {
				proof := fresh()
				s := scalarsOf(proof)[i]
				*s = change(*s)
				rejected(proof, "scalar", i)
			}
		}
		for i := range pointsOf(fresh()) {
			for _, change := range []func(group.Point) group.Point{
				func(q group.Point) group.Point { return p.g.AddPoints(q, p.g.Generator()) },
				func(q group.Point) group.Point { return p.g.SubPoints(group.Point{}, q) },
				func(group.Point) group.Point { return group.Point{} },
			} {
				proof := fresh()
				q := pointsOf(proof)[i]
				*q = change(*q)
				rejected(proof, "point", i)
			}
		}
	}
}

func scalarsOf(p *bulletproof.Proof) []*group.Scalar {
	return []*group.Scalar{&p.Tau, &p.Delta, &p.That, &p.A, &p.B}
}

func pointsOf(p *bulletproof.Proof) []*group.Point {
	all := []*group.Point{&p.T1, &p.T2, &p.C, &p.D}
	for j := range p.L {
		all = append(all, &p.L[j], &p.R[j])
	}
	return all
}

// TestProofsOfAnotherLengthOrCurveAreRefused moves a proof between systems.
func TestProofsOfAnotherLengthOrCurveAreRefused(t *testing.T) {
	short, long, other := newProver(t, "BN254", 16), newProver(t, "BN254", 32), newProver(t, "BLS12_381_BBS_GURVY", 16)
	it := short.prove(t, 9)
	for name, s := range map[string]*bulletproof.System{"length": long.s, "curve": other.s} {
		_, err := s.Decode(it.Proof.Append(nil))
		require.Error(t, err, name)
	}
	require.ErrorIs(t, long.s.Verify([]rangeproof.Item{it}), rangeproof.ErrRejected)
}

// TestBatchNamesTheFirstWrongItem spoils two items of a batch.
func TestBatchNamesTheFirstWrongItem(t *testing.T) {
	p := newProver(t, "BN254", 16)
	items := make([]rangeproof.Item, 9)
	for i := range items {
		items[i] = p.prove(t, uint64(i))
	}
	require.NoError(t, p.s.Verify(items))
	require.NoError(t, p.s.Verify(nil))
	last := len(items) - 1
	for wrong := range last {
		spoiled := append([]rangeproof.Item(nil), items...)
		spoiled[wrong].V = p.g.AddPoints(spoiled[wrong].V, p.c.G1)
		spoiled[last].V = p.g.SubPoints(spoiled[last].V, p.c.G1)
		var rejected *rangeproof.RejectedError
		require.ErrorAs(t, p.s.Verify(spoiled), &rejected)
		require.Equal(t, wrong, rejected.Index)
	}
}

// TestOpposedErrorsDoNotCancel spoils two copies of one proof, whose equations
// have the same challenges, by opposite amounts of t̂-independent τ: without
// weights their sum would hold.
func TestOpposedErrorsDoNotCancel(t *testing.T) {
	p := newProver(t, "BN254", 16)
	it := p.prove(t, 77)
	for trial := range 50 {
		one, two := *it.Proof.(*bulletproof.Proof), *it.Proof.(*bulletproof.Proof)
		delta := p.g.Uint64(uint64(trial + 1))
		one.Tau, two.Tau = p.g.Add(one.Tau, delta), p.g.Sub(two.Tau, delta)
		err := p.s.Verify([]rangeproof.Item{{V: it.V, Proof: &one}, {V: it.V, Proof: &two}})
		var rejected *rangeproof.RejectedError
		require.ErrorAs(t, err, &rejected)
		require.Zero(t, rejected.Index)
	}
}
