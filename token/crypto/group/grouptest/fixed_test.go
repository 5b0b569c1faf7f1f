package grouptest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// tables have their points, and may be empty.
func (c *suite) tables(t *testing.T) {
	ps, _ := c.points(20)
	table := c.NewTable(ps, 1)
	require.Equal(t, len(ps), table.Len())
	for i, p := range ps {
		require.True(t, c.Equal(p, table.Point(i)))
	}
	bits, digits := c.NewBitTable(ps[:9], ps[9:18]), c.NewDigitTable(ps[:2])
	require.Equal(t, [2]int{9, 2}, [2]int{bits.Len(), digits.Len()})
	require.Equal(t, digits.Bytes() > 0, bits.Bytes() > 0) // a group counts the memory of both or of none
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
		for range nightly.Pick(5, 20, 20) {
			fixed, msm := group.FixedSum(c, table, 0, scalars(ss)...), group.MSM(c, ps, scalars(ss))
			if !c.Equal(fixed, want) || !c.Equal(msm, want) ||
				!c.Equal(c.SumBits(bits, ^uint64(0)), wantBits) {
				t.Error("a different sum in another goroutine")
			}
		}
	})
}
