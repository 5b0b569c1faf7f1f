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

// TestTamperedProofIsRejected verifies the changed proof directly and after
// encoding.
func TestTamperedProofIsRejected(t *testing.T) {
	for _, curve := range rangetest.Curves {
		for _, bits := range []int{16, 32, 64} {
			p := rangetest.NewProver(t, maker, curve, bits)
			s := p.System.(*scheme)
			other := p.Prove(t, 5)
			for name, tamper := range tampers {
				it := p.Prove(t, 4)
				tamper(p.Group, &it, it.Proof.(*Proof), other.Proof.(*Proof))
				where := fmt.Sprintf("%s, %d bits: %s", curve, bits, name)
				require.ErrorIs(t, rangeproof.Verify(s.Group, s, []rangeproof.Item{it}), rangeproof.ErrRejected, where)
				require.Error(t, judge(s, it), where)
			}
		}
	}
}

// TestListsHaveOneEntryForEachRound: proofs made in memory with one list that is
// shorter or longer than the others.
func TestListsHaveOneEntryForEachRound(t *testing.T) {
	p := rangetest.NewProver(t, maker, "BN254", 16)
	for name, change := range map[string]func(p *Proof, n int){
		"Lc": func(p *Proof, n int) { p.LeftC = resized(p.LeftC, n) },
		"Rc": func(p *Proof, n int) { p.RightC = resized(p.RightC, n) },
		"l":  func(p *Proof, n int) { p.Left = resized(p.Left, n) },
		"r":  func(p *Proof, n int) { p.Right = resized(p.Right, n) },
	} {
		for _, by := range []int{-1, 1} {
			it := p.Prove(t, 4)
			proof := it.Proof.(*Proof)
			change(proof, len(proof.Left)+by)
			require.ErrorIs(t, p.Verify([]rangeproof.Item{it}), rangeproof.ErrRejected, "%s %+d", name, by)
		}
	}
}

// resized returns list with n entries; new ones are zero.
func resized[T any](list []T, n int) []T {
	return append(slices.Clone(list), *new(T))[:n]
}

// TestZeroProofIsRefused: the only proof with identity points and valid equations, in
// which all nonces are zero and V is the identity, a commitment to 0.
func TestZeroProofIsRefused(t *testing.T) {
	p := rangetest.NewProver(t, maker, "BN254", 16)
	zero := p.System.(*scheme).newProof(p.Group)
	_, err := p.Decode(zero.Append(nil))
	require.ErrorIs(t, err, group.ErrIdentity)
}
