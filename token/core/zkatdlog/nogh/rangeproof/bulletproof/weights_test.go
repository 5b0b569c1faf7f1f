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

func made(t testing.TB, g group.Group, bits int) rangeproof.System {
	key := generators.Key(g)
	c := Config{Group: g, Bits: bits, G1: key.Base(1), H: key.Base(2), P: g.HashToPoint([]byte("P")),
		Q: g.HashToPoint([]byte("Q")), TableBytes: 1}
	for i := range bits {
		c.Left, c.Right = append(c.Left, g.HashToPoint(fmt.Append(nil, "L", i))),
			append(c.Right, g.HashToPoint(fmt.Append(nil, "R", i)))
	}
	made, err := New(c)
	require.NoError(t, err)
	return made
}

// TestWeightsBind: challenges and weights bind all values, and each equation has its weight.
func TestWeightsBind(t *testing.T) {
	b := rangetest.NewBinding(t, made, 2)
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
	b.Scalar("τ", "h", polynomial, one, func(p rangeproof.Proof) *group.Scalar { return &p.(*Proof).Tau })
	b.Point("T₁", polynomial, of(func(c claim) group.Scalar { return g.Neg(c.x) }),
		func(it *rangeproof.Item) *group.Point {
			return &it.Proof.(*Proof).T1
		})
	b.Point("V", polynomial, of(func(c claim) group.Scalar { return g.Neg(g.Mul(c.z, c.z)) }),
		func(it *rangeproof.Item) *group.Point {
			return &it.V
		})
	b.Point("C", product, of(func(claim) group.Scalar { return one }),
		func(it *rangeproof.Item) *group.Point {
			return &it.Proof.(*Proof).C
		})
	b.Point("last L", product,
		of(func(c claim) group.Scalar { return g.Mul(c.rounds[s.rounds-1], c.rounds[s.rounds-1]) }),
		func(it *rangeproof.Item) *group.Point {
			return &it.Proof.(*Proof).L[s.rounds-1]
		})
	b.Test(t)
}
