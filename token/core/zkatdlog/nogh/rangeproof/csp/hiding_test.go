package csp // basis and products are private: a guess of Pc is made of them

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// confirms reports whether Pc equals the commitment of a prover of value
// without r: u = Σ aᵢ·μᵢ(c) gives a₀, and the bits and a₀ determine Pc.
func confirms(s *scheme, it rangeproof.Item, value uint64) bool {
	m := round.NewMemory()
	defer m.Wipe()
	g, p := s.Group, it.Proof.(*Proof)
	l := s.basis.newLagrange(m)
	s.basis.evaluate(g, &l, replayed(s, it.V, p).c)
	w := s.witness(g, m, rangeproof.Witness{Value: value}, group.Scalar{})
	bits := g.Inner(w[1:s.N+1], l.mu[1:])
	w[0] = g.Mul(g.Sub(p.U, bits), g.Inv(l.mu[0]))
	s.products(g, m, w)
	pc := group.FixedSum(g, s.Tables().Points, 0, w[:2*s.N+2]...)
	return g.Equal(pc, p.Pc)
}

// TestTheCheckRecognisesProofsWithoutBlinding is the control of the test below:
// confirms recognises proofs that are made with r = 0, like the known answers.
func TestTheCheckRecognisesProofsWithoutBlinding(t *testing.T) {
	p := rangetest.NewProver(t, maker, "BN254", 6)
	s := p.System.(*scheme)
	w := rangeproof.Witness{Value: 41, Blinding: p.Scalar(t)}
	nonces := nonceList(t, s)
	nonces[len(nonces)-1] = group.Scalar{}
	v := p.Commit(p.Group.Uint64(w.Value), w.Blinding)
	proof, err := p.ProveFor(v, w, &nonces)
	require.NoError(t, err)
	for guess := range uint64(1) << 6 {
		confirmed := confirms(s, rangeproof.Item{V: v, Proof: proof}, guess)
		require.Equal(t, guess == w.Value, confirmed, "guess %d", guess)
	}
}

// TestProofsHideTheValue tries every value of a small range: the commitment Pc is
// blinded by r.
func TestProofsHideTheValue(t *testing.T) {
	for _, n := range []int{1, 2, 4, 6} {
		p := rangetest.NewProver(t, maker, "BN254", n)
		it := p.Prove(t, 1)
		for guess := range uint64(1) << n {
			require.False(t, confirms(p.System.(*scheme), it, guess), "%d bits, guess %d", n, guess)
		}
	}
}
