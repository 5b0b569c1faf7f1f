package csp

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// tampers change a proof, or the statement, of an honest prover.
var tampers = map[string]func(g group.Group, it *rangeproof.Item, p, other *Proof){
	"Pc and Sc swapped":     func(_ group.Group, _ *rangeproof.Item, p, _ *Proof) { p.Pc, p.Sc = p.Sc, p.Pc },
	"Pc and A swapped":      func(_ group.Group, _ *rangeproof.Item, p, _ *Proof) { p.Pc, p.A = p.A, p.Pc },
	"u and sigma swapped":   func(_ group.Group, _ *rangeproof.Item, p, _ *Proof) { p.U, p.Sigma = p.Sigma, p.U },
	"responses swapped":     func(_ group.Group, _ *rangeproof.Item, p, _ *Proof) { slices.Reverse(p.Zeta[:]) },
	"left and right":        func(_ group.Group, _ *rangeproof.Item, p, _ *Proof) { p.LeftC, p.RightC = p.RightC, p.LeftC },
	"l and r":               func(_ group.Group, _ *rangeproof.Item, p, _ *Proof) { p.Left, p.Right = p.Right, p.Left },
	"rounds reversed":       func(_ group.Group, _ *rangeproof.Item, p, _ *Proof) { reverseRounds(p, len(p.Left)) },
	"first rounds swapped":  func(_ group.Group, _ *rangeproof.Item, p, _ *Proof) { reverseRounds(p, 2) },
	"commitment of another": func(_ group.Group, _ *rangeproof.Item, p, o *Proof) { p.Pc, p.U = o.Pc, o.U },
	"mask of another":       func(_ group.Group, _ *rangeproof.Item, p, o *Proof) { p.Sc, p.Sigma = o.Sc, o.Sigma },
	"knowledge of another":  func(_ group.Group, _ *rangeproof.Item, p, o *Proof) { p.A, p.Zeta = o.A, o.Zeta },
	"argument of another": func(_ group.Group, _ *rangeproof.Item, p, o *Proof) {
		p.LeftC, p.RightC, p.Left, p.Right = o.LeftC, o.RightC, o.Left, o.Right
	},
	"all but knowledge of another": func(_ group.Group, _ *rangeproof.Item, p, o *Proof) {
		a, zeta := p.A, p.Zeta
		*p = *o
		p.A, p.Zeta = a, zeta
	},
	"a round missing": func(_ group.Group, _ *rangeproof.Item, p, _ *Proof) {
		p.LeftC, p.RightC, p.Left, p.Right = p.LeftC[1:], p.RightC[1:], p.Left[1:], p.Right[1:]
	},
	"another commitment": func(g group.Group, it *rangeproof.Item, _, _ *Proof) {
		it.V = g.AddPoints(it.V, g.Generator())
	},
	"negated commitment": func(g group.Group, it *rangeproof.Item, _, _ *Proof) {
		it.V = g.SubPoints(group.Point{}, it.V)
	},
	"the identity is claimed": func(_ group.Group, it *rangeproof.Item, _, _ *Proof) { it.V = group.Point{} },
}

func reverseRounds(p *Proof, n int) {
	slices.Reverse(p.LeftC[:n])
	slices.Reverse(p.RightC[:n])
	slices.Reverse(p.Left[:n])
	slices.Reverse(p.Right[:n])
}

func scalarsOf(p *Proof) []*group.Scalar {
	all := []*group.Scalar{&p.Zeta[0], &p.Zeta[1], &p.U, &p.Sigma}
	for j := range p.Left {
		all = append(all, &p.Left[j], &p.Right[j])
	}
	return all
}

func pointsOf(p *Proof) []*group.Point {
	all := []*group.Point{&p.Pc, &p.A, &p.Sc}
	for j := range p.LeftC {
		all = append(all, &p.LeftC[j], &p.RightC[j])
	}
	return all
}

// TestTamperedProofIsRejected gives the changed proof to the verifier as it is,
// and as bytes.
func TestTamperedProofIsRejected(t *testing.T) {
	for _, curve := range rangetest.Curves {
		for _, bits := range []int{16, 32, 64} {
			p := rangetest.NewProver(t, maker, curve, bits)
			s := p.System.(*System)
			other := p.Prove(t, 5)
			for name, tamper := range tampers {
				it := p.Prove(t, 4)
				tamper(p.Group, &it, it.Proof.(*Proof), other.Proof.(*Proof))
				where := fmt.Sprintf("%s, %d bits: %s", curve, bits, name)
				require.ErrorIs(t, s.Verify([]rangeproof.Item{it}), rangeproof.ErrRejected, where)
				require.Error(t, judge(s, it), where)
			}
		}
	}
}

// TestEveryFieldIsBound tampers with each scalar and each point alone.
func TestEveryFieldIsBound(t *testing.T) {
	for _, curve := range rangetest.Curves {
		p := rangetest.NewProver(t, maker, curve, 16)
		g, honest := p.Group, p.Prove(t, 1234)
		encoded := honest.Proof.Append(nil)
		fresh := func() *Proof {
			proof, err := p.System.Decode(encoded)
			require.NoError(t, err)
			return proof.(*Proof)
		}
		rejected := func(proof *Proof, what string, i int) {
			t.Helper()
			err := p.System.Verify([]rangeproof.Item{{V: honest.V, Proof: proof}})
			require.ErrorIs(t, err, rangeproof.ErrRejected, "%s: %s %d", curve, what, i)
		}
		for i := range scalarsOf(fresh()) {
			for _, change := range []func(group.Scalar) group.Scalar{
				func(s group.Scalar) group.Scalar { return g.Add(s, g.Uint64(1)) },
				g.Neg,
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
				func(q group.Point) group.Point { return g.AddPoints(q, g.Generator()) },
				func(q group.Point) group.Point { return g.SubPoints(group.Point{}, q) },
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

// TestIdentityPointsAreRefused covers the one proof whose equations hold: all
// nonces zero, for V the identity, which is a commitment to 0.
func TestIdentityPointsAreRefused(t *testing.T) {
	p := rangetest.NewProver(t, maker, "BN254", 16)
	for i := range pointsOf(p.System.(*System).newProof()) {
		proof := p.Prove(t, 4).Proof.(*Proof)
		*pointsOf(proof)[i] = group.Point{}
		_, err := p.System.Decode(proof.Append(nil))
		require.ErrorIs(t, err, group.ErrIdentity, "point %d", i)
	}
	zero := p.System.(*System).newProof()
	_, err := p.System.Decode(zero.Append(nil))
	require.ErrorIs(t, err, group.ErrIdentity)
}
