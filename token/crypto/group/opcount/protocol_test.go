package opcount_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/bulletproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount/count"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
)

func rangeSystem(t testing.TB, g group.Group, n int) (bulletproof.Config, rangeproof.System) {
	base := func(name string) group.Point { return g.HashToPoint([]byte(name)) }
	c := bulletproof.Config{Group: g, Bits: n, G1: base("g1"), H: base("h"), P: base("p"), Q: base("q")}
	for i := range n {
		c.Left = append(c.Left, base("left "+strconv.Itoa(i)))
		c.Right = append(c.Right, base("right "+strconv.Itoa(i)))
	}
	s, err := bulletproof.New(c)
	require.NoError(t, err)
	s.Precompute()
	return c, s
}

// prove makes one proof under a fixed seed, verifies it, and returns it.
func prove(t testing.TB, g group.Group, c bulletproof.Config, s rangeproof.System) []byte {
	seed := rand.NewChaCha8([32]byte{5})
	blinding := make([]group.Scalar, 1)
	require.NoError(t, group.Sample(c.Group, seed, blinding))
	w := rangeproof.Witness{Value: 12345, Blinding: blinding[0]}
	v := c.Group.MSM([]group.Point{c.G1, c.H}, []group.Scalar{c.Group.Uint64(w.Value), w.Blinding})
	hedge, err := nonce.NewHedge(c.Group, seed, nil)
	require.NoError(t, err)
	p, err := s.On(group.Phase(g, "prove")).Prove(v, w, hedge.Stream("proof", 0))
	require.NoError(t, err)
	require.NoError(t, s.On(group.Phase(g, "verify")).Verify([]rangeproof.Item{{V: v, Proof: p}}))
	return p.Append(nil)
}

func TestProofsAreTheSameWithAndWithoutCounting(t *testing.T) {
	for _, name := range curves.Names {
		g := curve(t, name)
		c, s := rangeSystem(t, g, 16)
		counted := map[int]count.Phases{}
		for run := range 2 {
			counting, rec := wrap(t, g, &opcount.Textbook)
			require.Equal(t, prove(t, g, c, s), prove(t, counting, c, s), name)
			counted[run] = rec.Snapshot()
		}
		require.Equal(t, counted[0], counted[1], name)
		require.NotZero(t, counted[0].Total().Total())
	}
}
