package bulletproof

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	generators "github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestWeightsDependOnTau: the τ of two proofs are changed such that the errors cancel under weights that do
// not depend on one of them. Such proofs are refused.
func TestWeightsDependOnTau(t *testing.T) {
	p := rangetest.NewProver(t, func(t testing.TB, g group.Group, bits int) rangeproof.System {
		key := generators.Key(g)
		c := Config{Group: g, Bits: bits, G1: key.Base(1), H: key.Base(2), P: g.HashToPoint([]byte("P")), Q: g.HashToPoint([]byte("Q")), TableBytes: 1}
		for i := range bits {
			c.Left, c.Right = append(c.Left, g.HashToPoint(fmt.Append(nil, "L", i))), append(c.Right, g.HashToPoint(fmt.Append(nil, "R", i)))
		}
		made, err := New(c)
		require.NoError(t, err)
		return made
	}, "BN254", 8)
	s, g := p.System.(*scheme), p.Group
	for free := range 2 { // the claim whose τ would not be bound, or both
		var claims []claim
		for i := range uint64(2) {
			item := p.Prove(t, i)
			claims = append(claims, claim{v: item.V, p: item.Proof.(*Proof)})
		}
		require.NoError(t, round.Run(g, func(r round.Round) error {
			s.replay(r, claims)
			return nil
		}))
		require.True(t, s.hold(g, claims))
		w := rangeproof.NewWeights(g, nil)
		for i := range claims {
			c, tau := &claims[i], claims[i].p.Tau
			if i <= free {
				tau = group.Scalar{}
			}
			w.Scalars(c.rounds[:s.rounds])
			for _, bound := range []group.Scalar{c.y, c.x, c.x0, tau, c.p.A, c.p.B} {
				w.Scalar(bound)
			}
		}
		w.Seal()
		first, _, second := w.Next(), w.Next(), w.Next() // the others are of inner products
		claims[0].p.Tau = g.Add(claims[0].p.Tau, second)
		claims[1].p.Tau = g.Sub(claims[1].p.Tau, first)
		require.False(t, s.hold(g, claims))
	}
}
