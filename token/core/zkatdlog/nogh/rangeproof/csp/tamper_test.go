package csp

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// TestListsHaveOneEntryForEachRound: the verifier refuses proofs made in memory if
// one list is shorter or longer than the others.
func TestListsHaveOneEntryForEachRound(t *testing.T) {
	p := rangetest.NewProver(t, maker, "BN254", 16)
	for name, change := range map[string]func(p *Proof, n int){
		"Lc": func(p *Proof, n int) { p.LeftC = resized(p.LeftC, n) },
		"Rc": func(p *Proof, n int) { p.RightC = resized(p.RightC, n) },
		"l":  func(p *Proof, n int) { p.Left = resized(p.Left, n) },
		"r":  func(p *Proof, n int) { p.Right = resized(p.Right, n) },
	} {
		t.Run(name, func(t *testing.T) {
			for _, by := range []int{-1, 1} {
				it := p.Prove(t, 4)
				proof := it.Proof.(*Proof)
				change(proof, len(proof.Left)+by)
				require.ErrorIs(t, p.Verify([]rangeproof.Item{it}), rangeproof.ErrRejected, "%+d", by)
			}
		})
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
