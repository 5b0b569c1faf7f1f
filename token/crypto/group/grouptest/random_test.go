package grouptest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// everyWay computes random multiples with every primitive that has separate
// code for vectors or batches, and compares with multiplying and adding one by
// one.
func (c *suite) everyWay(t *testing.T) {
	const n = 64
	ps, _ := c.points(n)
	for range trials(t, 128) / n {
		ss := scalars(c.some(n))
		table := c.NewTable(ps[:8], 1)
		want, fixed, variable := make([]group.Point, n), make([]group.Point, n), make([]group.Point, n)
		rows, terms := make([]group.Row, n), make([]group.Terms, n)
		for i := range want {
			want[i] = group.MulPoint(c, ps[i%8], ss[i])
			rows[i] = group.Row{First: i % 8, Scalars: ss[i : i+1]}
			terms[i] = group.Terms{Points: ps[i%8 : i%8+1], Scalars: ss[i : i+1]}
		}
		c.FixedMSM(fixed, table, rows)
		c.MSMs(variable, terms)
		var sum group.Point
		for i := range want {
			require.True(t, c.Equal(want[i], fixed[i]), "FixedMSM, %x", c.AppendScalar(nil, ss[i]))
			require.True(t, c.Equal(want[i], variable[i]), "MSMs, %x", c.AppendScalar(nil, ss[i]))
			sum = c.AddPoints(sum, want[i])
		}
		require.True(t, c.Equal(sum, group.Sum(c, want)), "Sum")
		long := group.Row{Scalars: ss}
		spread := make([]group.Point, n)
		for i := range spread {
			long.Index = append(long.Index, int32(i%8))
			spread[i] = ps[i%8]
		}
		c.FixedMSM(fixed[:1], table, []group.Row{long})
		require.True(t, c.Equal(sum, fixed[0]), "FixedMSM of all")
		require.True(t, c.Equal(sum, group.MSM(c, spread, ss)), "MSM of all")
		c.SubPointVec(fixed, want, variable)
		for i := range fixed {
			require.True(t, group.IsIdentity(fixed[i]), "SubPointVec")
		}
		ps[c.rand.IntN(n)] = sum // introduces new points
	}
}
