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
	failed, err := team.Run(g, []Step[group.Scalar]{
		{
			Ask: func(s *group.Scalar, _ group.Group, sums *Lockstep) {
				sums.Ask(group.Row{Scalars: []group.Scalar{*s}})
			},
			Then: func(_ *group.Scalar, _ group.Group, sums *Lockstep) error {
				taken = append(taken, sums.Next())
				return nil
			},
		},
		{
			Ask: func(s *group.Scalar, g group.Group, sums *Lockstep) {
				sums.AskTerms(group.Terms{Points: []group.Point{g.Generator()}, Scalars: []group.Scalar{g.Mul(*s, g.Uint64(2))}})
			},
			Then: func(_ *group.Scalar, g group.Group, sums *Lockstep) error {
				p := taken[0]
				taken = taken[1:]
				require.True(t, g.Equal(g.AddPoints(p, p), sums.NextTerms()))
				return nil
			},
		},
	})
	require.NoError(t, err)
	require.Zero(t, failed)
	require.Empty(t, taken)
	left := 0
	team.Leave(func(s *group.Scalar) { left++; require.NotZero(t, *s) })
	require.Equal(t, MaxLockstep, left)
	require.Empty(t, team.Members)
	require.Nil(t, team.Table)
	require.Zero(t, team.memory)
	for _, p := range append(team.sums.fixed.results, team.sums.variable.results...) {
		require.True(t, g.IsIdentity(p))
	}
	for _, terms := range team.sums.variable.asked[:MaxLockstep] {
		require.Zero(t, terms)
	}
	for _, row := range team.sums.fixed.asked[:MaxLockstep] {
		require.Zero(t, row)
	}
}

// TestFailingStepEndsTheWork stops at the first member that fails.
func TestFailingStepEndsTheWork(t *testing.T) {
	g := grouptest.Toy(199)
	var team Team[int]
	for i := range 4 {
		team.Join(i)
	}
	var done []int
	failed, err := team.Run(g, []Step[int]{
		{Then: func(m *int, _ group.Group, _ *Lockstep) error {
			if done = append(done, *m); *m == 2 {
				return ErrWitness
			}
			return nil
		}},
		{Then: func(m *int, _ group.Group, _ *Lockstep) error { t.Fatal("a step after the failure"); return nil }},
	})
	require.ErrorIs(t, err, ErrWitness)
	require.Equal(t, 2, failed)
	require.Equal(t, []int{0, 1, 2}, done)
}
