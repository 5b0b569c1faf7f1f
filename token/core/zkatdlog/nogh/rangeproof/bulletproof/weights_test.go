package bulletproof // replay is private: factors of the equations are made of challenges

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// TestWeightsBind: challenges and weights bind all values, and each equation has its weight.
func TestWeightsBind(t *testing.T) {
	b := rangetest.NewBinding(t, rangetest.Made(Family, 1), 2)
	g, s := b.Prover.Group, b.Prover.System.(*scheme)
	const polynomial, product = 0, 1
	of := func(factor func(c claim) group.Scalar) func(it *rangeproof.Item) group.Scalar {
		return func(it *rangeproof.Item) group.Scalar {
			claims := []claim{{v: it.V, p: it.Proof.(*Proof)}}
			require.NoError(t, round.Run(g, func(r round.Round) error {
				s.replay(r, claims)
				return nil
			}))
			return factor(claims[0])
		}
	}
	one := g.Uint64(1)
	b.Scalar("Tau", "h", polynomial, one)
	b.Point("T1", polynomial, of(func(c claim) group.Scalar { return g.Neg(c.x) }))
	b.Point("V", polynomial, of(func(c claim) group.Scalar { return g.Neg(g.Mul(c.z, c.z)) }))
	b.Point("C", product, of(func(claim) group.Scalar { return one }))
	last := s.rounds - 1
	b.Point(fmt.Sprint("L ", last), product, of(func(c claim) group.Scalar {
		return g.Mul(c.rounds[last], c.rounds[last])
	}))
	b.Test(t)
}
