package sigma_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// TestProofsOfManyShapesTogether verifies proofs of different shapes together,
// all right and with one wrong: those before it are accepted, with the outputs
// without their type.
func TestProofsOfManyShapesTogether(t *testing.T) {
	for curve, k := range keys(t) {
		g := k.Group()
		var items []sigma.TypeAndSumItem
		for _, shape := range [][2]int{{1, 1}, {2, 2}, {1, 3}, {3, 1}, {2, 2}, {4, 5}} {
			e := newExample(t, k, shape[0], shape[1])
			p, err := sigma.ProveTypeAndSum(k, e.st, e.w, e.src)
			require.NoError(t, err)
			items = append(items, sigma.TypeAndSumItem{Statement: e.st, Proof: p})
		}
		for wrong := range len(items) + 1 {
			tried := append([]sigma.TypeAndSumItem(nil), items...)
			if wrong < len(items) {
				tried[wrong].Proof.ZS = g.Add(tried[wrong].Proof.ZS, g.Uint64(1))
			}
			require.Equal(t, wrong, sigma.VerifyTypeAndSums(k, tried), curve)
			for i, it := range tried {
				var want []group.Point
				for _, out := range it.Statement.Outputs {
					want = append(want, g.SubPoints(out, it.Proof.CT))
				}
				if i >= wrong {
					want = nil
				}
				require.Equal(t, want, it.OutputsWithoutType, "%s: item %d, %d is wrong", curve, i, wrong)
			}
		}
	}
}

// TestCheckWithSumsOfTheCaller verifies in two parts, as a verifier does that
// computes the sums together with others.
func TestCheckWithSumsOfTheCaller(t *testing.T) {
	for curve, k := range keys(t) {
		g, e := k.Group(), newExample(t, k, 2, 3)
		it := sigma.TypeAndSumItem{Statement: e.st, Proof: e.prove(t)}
		verify := func(it sigma.TypeAndSumItem, missing int) error {
			check, err := sigma.BeginTypeAndSum(k, it)
			if err != nil {
				return err
			}
			for j, v := range check.WithoutType() {
				require.True(t, g.Equal(g.SubPoints(it.Statement.Outputs[j], it.Proof.CT), v), curve)
			}
			sums := make([]group.Point, len(check.Terms()))
			g.MSMs(sums, check.Terms())
			return check.End(sums[missing:])
		}
		require.NoError(t, verify(it, 0), curve)
		require.ErrorIs(t, verify(it, 1), sigma.ErrRejected, curve)
		require.ErrorIs(t, sigma.TypeAndSumCheck{}.End(nil), sigma.ErrRejected)
		it.Proof.ZS = g.Add(it.Proof.ZS, g.Uint64(1))
		require.ErrorIs(t, verify(it, 0), sigma.ErrRejected, curve)
		it.Proof.ZV = it.Proof.ZV[1:]
		require.ErrorIs(t, verify(it, 0), sigma.ErrRejected, curve)
	}
}
