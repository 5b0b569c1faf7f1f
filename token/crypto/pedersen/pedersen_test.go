package pedersen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

func TestCommitIsTheSumOfItsTerms(t *testing.T) {
	for _, name := range curves.Names {
		g := vectors.Curve(t, name)
		k := vectors.Key(g)
		tvr := []group.Scalar{g.Uint64(5), g.Uint64(0), g.Neg(g.Uint64(9))}
		want := group.MSM(g, []group.Point{k.Base(pedersen.G0), k.Base(pedersen.G1), k.Base(pedersen.H)}, tvr)
		require.True(t, g.Equal(want, k.Commit(tvr[0], tvr[1], tvr[2])), name)
	}
}

func TestOnlyTheOpeningOpens(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	k := vectors.Key(g)
	one, two, three := g.Uint64(1), g.Uint64(2), g.Uint64(3)
	c := k.Commit(one, two, three)
	require.NoError(t, k.Open(c, one, two, three))
	require.ErrorIs(t, k.Open(c, two, one, three), pedersen.ErrOpening)
	require.ErrorIs(t, k.Open(c, one, two, two), pedersen.ErrOpening)
	require.ErrorIs(t, k.Open(group.Point{}, one, two, three), pedersen.ErrOpening)
	require.ErrorIs(t, new(pedersen.Key).Open(group.Point{}, group.Scalar{}, group.Scalar{}, group.Scalar{}),
		pedersen.ErrOpening)
}

// watching is a group that keeps the scalars of its sums over tables.
type watching struct {
	group.Group
	rows [][]group.Scalar
}

func (w *watching) FixedMSM(dst []group.Point, t group.Table, rows []group.Row) {
	for _, r := range rows {
		w.rows = append(w.rows, r.Scalars)
	}
	w.Group.FixedMSM(dst, t, rows)
}

// TestManyValuesAreCommittedToLikeOne, and the memory of their scalars is wiped.
func TestManyValuesAreCommittedToLikeOne(t *testing.T) {
	for _, name := range curves.Names {
		g := vectors.Curve(t, name)
		w := &watching{Group: g}
		k := vectors.Key(g)
		typ := g.Uint64(7)
		vs, rs := []group.Scalar{g.Uint64(1), g.Uint64(2), {}},
			[]group.Scalar{g.Uint64(3), {}, g.Neg(g.Uint64(4))}
		for i, c := range k.On(w).CommitValues(typ, vs, rs) {
			require.True(t, g.Equal(k.Commit(typ, vs[i], rs[i]), c), "%s: %d", name, i)
		}
		require.Len(t, w.rows, len(vs), name)
		for _, scalars := range w.rows {
			require.Equal(t, make([]group.Scalar, len(scalars)), scalars, name)
		}
	}
}

// TestEachCommitmentHasItsType: the types of several commitments are their own.
func TestEachCommitmentHasItsType(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	k := vectors.Key(g)
	ts := []group.Scalar{g.Uint64(1), {}, g.Uint64(3)}
	vs, rs := []group.Scalar{g.Uint64(4), g.Uint64(5), {}}, []group.Scalar{{}, g.Uint64(7), g.Uint64(8)}
	for range 2 { // in the same memory
		got := k.Commitments(ts, vs, rs)
		require.Len(t, got, 3)
		for i, c := range got {
			require.True(t, g.Equal(k.Commit(ts[i], vs[i], rs[i]), c), i)
		}
		require.Empty(t, k.Commitments(nil, nil, nil))
	}
}
