package sigma_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// item is a statement with its proof.
type item struct {
	st sigma.TypeAndSumStatement
	p  sigma.TypeAndSum
}

// verifySums returns the index of the first rejected item, or their
// number. It verifies all together.
func verifySums(k *pedersen.Key, items ...item) int {
	m := round.NewMemory()
	defer m.Wipe()
	wrong := len(items)
	err := round.Run(k.Group(), func(r round.Round) error {
		return r.Each(len(items), func(r round.Round, i int) error {
			it := items[i]
			d, err := it.st.Derive(r, m, it.p.CT)
			if err == nil {
				err = sigma.VerifyTypeAndSum(r, k, d, it.p)
			}
			if err != nil {
				wrong = min(wrong, i)
				return fmt.Errorf("item %d: %w", i, err)
			}
			return nil
		})
	})
	if wrong < len(items) && !errors.Is(err, sigma.ErrRejected) {
		panic(err)
	}
	return wrong
}

func verifySum(k *pedersen.Key, st sigma.TypeAndSumStatement, p sigma.TypeAndSum) error {
	if verifySums(k, item{st, p}) == 0 {
		return sigma.ErrRejected
	}
	return nil
}

func verifySame(k *pedersen.Key, p sigma.SameType) error {
	return round.Run(k.Group(), func(r round.Round) error { return sigma.VerifySameType(r, k, p) })
}

// TestProofsOfManyShapesTogether verifies proofs of different shapes together,
// all right and with one wrong or malformed.
func TestProofsOfManyShapesTogether(t *testing.T) {
	for curve, k := range keys(t) {
		g := k.Group()
		var items []item
		for _, shape := range [][2]int{{1, 1}, {2, 2}, {1, 3}, {3, 1}, {2, 2}, {4, 5}} {
			e := newExample(t, k, shape[0], shape[1])
			items = append(items, item{e.st, e.prove(t)})
		}
		require.Equal(t, len(items), verifySums(k, items...), curve)
		for wrong := range items {
			tried := slices.Clone(items)
			tried[wrong].p.ZS = g.Add(tried[wrong].p.ZS, g.Uint64(1))
			require.Equal(t, wrong, verifySums(k, tried...), curve)
			tried[wrong].p.ZV = nil
			require.Equal(t, wrong, verifySums(k, tried...), curve)
		}
	}
}

// TestDerivedPoints compares the points that range proofs are about with their
// definition.
func TestDerivedPoints(t *testing.T) {
	for curve, k := range keys(t) {
		m, g, e := round.NewMemory(), k.Group(), newExample(t, k, 2, 3)
		p := e.prove(t)
		require.NoError(t, round.Run(g, func(r round.Round) error {
			d, err := e.st.Derive(r, m, p.CT)
			require.Len(t, d.Out, 3)
			for j, v := range d.Out {
				require.True(t, g.Equal(g.SubPoints(e.st.Outputs[j], p.CT), v), curve)
			}
			return err
		}))
		m.Wipe()
	}
}
