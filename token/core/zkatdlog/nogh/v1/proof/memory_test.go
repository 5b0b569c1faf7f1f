package proof // verifiers is private: nothing outside sees memory that a pool keeps

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// without is an action without parts.
type without struct {
	Action
	err error
}

func (w without) Parts(*params.Params, *wire.Points, *round.Memory) (Parts, error) {
	return Parts{Ranges: []byte("ranges")}, w.err
}

// unused requires an empty list with zero memory.
func unused[T any](t *testing.T, items []T) {
	t.Helper()
	require.Empty(t, items)
	for _, item := range items[:cap(items)] {
		require.Zero(t, item)
	}
}

func (l *list[T]) unused(t *testing.T) {
	t.Helper()
	unused(t, l.items)
	require.Empty(t, l.of)
}

// TestVerifiersKeepMemoryOnly: a verifier left for others does not refer to values of
// the actions.
func TestVerifiersKeepMemoryOnly(t *testing.T) {
	kept, former := new(verifier), verifiers.New
	verifiers = sync.Pool{New: func() any { return kept }}
	defer func() { verifiers = sync.Pool{New: former} }()
	empty := func() {
		t.Helper()
		require.Nil(t, kept.params)
		require.Nil(t, kept.errs)
		require.Nil(t, kept.ranged)
		require.Empty(t, kept.kinds)
		unused(t, kept.parts)
		unused(t, kept.points)
		kept.sums.unused(t)
		kept.same.unused(t)
		require.Empty(t, kept.ranges)
		for _, l := range kept.ranges[:cap(kept.ranges)] {
			require.Nil(t, l.system)
			l.unused(t)
		}
	}
	refusal := errors.New("refused")
	require.NoError(t, round.Run(grouptest.Toy(199), func(r round.Round) error {
		placed := []Placed{{Action: without{err: refusal}}, {Action: without{}}}
		got := Composed.Verify(r, new(params.Params), placed)
		require.Equal(t, []error{refusal, nil}, got)
		return nil
	}))
	require.NotZero(t, cap(kept.parts))
	empty()

	point := []group.Point{grouptest.Toy(199).Generator()}
	kept.params, kept.errs, kept.ranged = new(params.Params), make([]error, 1), make([]error, 1)
	kept.parts, kept.kinds = []Parts{{WithoutType: point}}, []int{ofSums}
	kept.points = []*wire.Points{wire.OneByOne(grouptest.Toy(199))}
	kept.sums.add(0, sigma.Claim{Proof: sigma.TypeAndSum{CT: point[0]}})
	kept.same.add(0, sigma.SameType{CT: point[0]})
	kept.ranges = slices.Grow(kept.ranges, 1)[:1]
	kept.ranges[0].system = struct{ rangeproof.System }{}
	kept.ranges[0].add(0, rangeproof.Item{V: point[0]})
	kept.release()
	require.NotZero(t, cap(kept.ranges[:1][0].items))
	empty()
}
