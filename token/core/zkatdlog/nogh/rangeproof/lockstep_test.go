package rangeproof

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
)

// TestTeamsForget looks at the memory that a team leaves to the next one.
func TestTeamsForget(t *testing.T) {
	g := grouptest.Toy(199)
	table := g.NewTable([]group.Point{g.Generator()}, 1)
	team := Team[group.Scalar]{Table: table}
	for i := range uint64(MaxLockstep) {
		team.Join(g.Uint64(1 + i))
	}
	var taken []group.Point
	team.Compute(g, func(s *group.Scalar, sums *Lockstep) {
		sums.Ask(group.Row{Scalars: []group.Scalar{*s}})
	}, func(_ *group.Scalar, sums *Lockstep) {
		p := sums.Next()
		taken = append(taken, p)
		team.Want(group.Terms{Points: []group.Point{p}, Scalars: []group.Scalar{g.Uint64(2)}})
	})
	for i, p := range team.Variable(g) {
		require.True(t, g.Equal(g.AddPoints(taken[i], taken[i]), p))
	}
	left := 0
	team.Leave(func(s *group.Scalar) { left++; require.NotZero(t, *s) })
	require.Equal(t, MaxLockstep, left)
	require.Empty(t, team.Members)
	require.Nil(t, team.Table)
	require.Zero(t, team.memory)
	for _, p := range append(team.Sums.sums, team.Results[:MaxLockstep]...) {
		require.True(t, g.IsIdentity(p))
	}
	for _, terms := range team.Terms[:MaxLockstep] {
		require.Zero(t, terms)
	}
	for _, row := range team.Sums.rows[:MaxLockstep] {
		require.Zero(t, row)
	}
}
