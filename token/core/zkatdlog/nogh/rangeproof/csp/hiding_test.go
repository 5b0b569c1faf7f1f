package csp

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// confirms reports whether Pc equals the commitment of a prover of value
// without r: u = Σ aᵢ·μᵢ(c) gives a₀, and the bits and a₀ determine Pc.
func confirms(s *System, it rangeproof.Item, value uint64) bool {
	ws := s.Shared.Take()
	defer s.Shared.Put(ws)
	p := it.Proof.(*Proof)
	c := s.Shared.replay(s.Group, ws, it.V, p)
	s.Shared.basis.evaluate(s.Group, &ws.lagrange, c.c)
	pr := prover{shared: s.Shared, workspace: ws, tables: s.Shared.Tables()}
	pr.witness(s.Group, rangeproof.Witness{Value: value})
	bits := s.Group.Inner(ws.w[1:s.Shared.N+1], ws.lagrange.mu[1:])
	ws.w[0] = s.Group.Mul(s.Group.Sub(p.U, bits), s.Group.Inv(ws.lagrange.mu[0]))
	pr.products(s.Group)
	pc := group.FixedSum(s.Group, pr.tables.Points, 0, ws.w[:2*s.Shared.N+2]...)
	return s.Group.Equal(pc, p.Pc)
}

// TestTheCheckRecognisesProofsWithoutBlinding is the control of the test below: the
// known answers are made with r = 0, and confirms recognises them.
func TestTheCheckRecognisesProofsWithoutBlinding(t *testing.T) {
	eachRecorded(t, func(t *testing.T, k known) {
		p, err := k.s.Decode(k.Proof)
		require.NoError(t, err)
		value, err := strconv.ParseUint(k.Value, 10, 64)
		require.NoError(t, err)
		it := rangeproof.Item{V: k.v, Proof: p}
		require.True(t, confirms(k.s, it, value))
		require.False(t, confirms(k.s, it, value^1))
	})
}

// TestProofsHideTheValue tries every value of a small range: the commitment Pc is
// blinded by r.
func TestProofsHideTheValue(t *testing.T) {
	for _, n := range []int{1, 2, 4, 6} {
		p := rangetest.NewProver(t, maker, "BN254", n)
		it := p.Prove(t, 1)
		for guess := range uint64(1) << n {
			require.False(t, confirms(p.System.(*System), it, guess), "%d bits, guess %d", n, guess)
		}
	}
}
