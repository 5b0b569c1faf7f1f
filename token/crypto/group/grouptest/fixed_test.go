package grouptest_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

func (c *suite) tables(t *testing.T) {
	ps, logs := c.points(20)
	for _, budget := range nightly.Pick([]int{1}, []int{1, 1 << 20}, []int{1, 100 << 10, 1 << 20}) {
		table := c.NewTable(ps, budget)
		require.Equal(t, len(ps), table.Len())
		for i, p := range ps {
			require.True(t, c.Equal(p, table.Point(i)))
		}
		for _, s := range c.edges() {
			i := c.rand.IntN(len(ps))
			c.is(t, new(big.Int).Mul(s.v, logs[i]), group.FixedSum(c, table, i, s.s), "%v·P, %d bytes", s.v,
				budget)
		}
		for n := range len(ps) + 1 {
			first, ss := c.rand.IntN(len(ps)-n+1), c.some(n)
			c.is(t, inner(logs[first:first+n], ss), group.FixedSum(c, table, first, scalars(ss)...),
				"%d terms", n)
		}
	}
	require.Equal(t, 9, c.NewBitTable(ps[:9], ps[9:18]).Len())
	require.Equal(t, 2, c.NewDigitTable(ps[:2]).Len())
	c.FixedMSM(nil, c.NewTable(nil, 0), nil)
	require.True(t, group.IsIdentity(group.FixedSum(c, c.NewTable(nil, 0), 0)))
}

// concurrency computes the same sums concurrently over one table.
func (c *suite) concurrency(t *testing.T) {
	ps, logs := c.points(20)
	table, bits := c.NewTable(ps, 1), c.NewBitTable(ps, make([]group.Point, len(ps)))
	ss := c.some(len(ps))
	want, wantBits := c.point(inner(logs, ss)), group.Sum(c, ps)
	parallel(func(int) {
		for range 20 {
			fixed, msm := group.FixedSum(c, table, 0, scalars(ss)...), group.MSM(c, ps, scalars(ss))
			if !c.Equal(fixed, want) || !c.Equal(msm, want) ||
				!c.Equal(c.SumBits(bits, ^uint64(0)), wantBits) {
				t.Error("a different sum in another goroutine")
			}
		}
	})
}
