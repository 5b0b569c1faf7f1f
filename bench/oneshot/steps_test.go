package oneshot_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/oneshot"
	"github.com/zkatbench/zkatbench/bench/step"
	"github.com/zkatbench/zkatbench/count"
)

var sink []byte

// toy allocates, reads randomness and counts in steps of known cost.
var toy = bench.Op{
	Name:  "Toy",
	Setup: func(c bench.Case, seed uint64) (bench.Instance, error) { return newToy(c, seed, bench.Tools{}) },
	On:    newToy,
}

func newToy(_ bench.Case, seed uint64, tools bench.Tools) (bench.Instance, error) {
	if tools.Random == nil {
		tools.Random = oneshot.Random(seed)
	}
	tools.Counts.Count(count.One(count.ScalarMul), 100) // set-up is not counted
	return bench.Instance{
		Work: func() ([]byte, error) {
			tools.Counts.Count(count.One(count.Add), 1)
			sink = make([]byte, 1000)
			inner := tools.Steps.Enter("inner step")
			defer inner.Leave()
			tools.Counts.Sub("inner step").Count(count.Of(count.MSM, 5), 2)
			sink = make([]byte, 20_000)
			mask := make([]byte, 32)
			_, err := tools.Random.Read(mask)
			return mask, err
		},
		Check: func([]byte) error {
			tools.Counts.Count(count.One(count.ScalarMul), 100) // nor is the check
			return nil
		},
	}, nil
}

func TestByStep(t *testing.T) {
	table, took, err := oneshot.ByStep(t.Context(), oneshot.Program{Op: toy, Records: 3, Seed: 1})
	require.NoError(t, err)
	require.Len(t, table, 2)
	outer, inner := table["Toy"], table["Toy/inner-step"]
	want := map[string][2]uint64{"Calls": {3, 3}, "Add": {3, 0}, "ScalarMul": {0, 0}, "MSM": {0, 6},
		"MSM_terms": {0, 30}, "Rand_bytes": {0, 96}}
	for _, c := range step.Columns() {
		if figures, known := want[c.String()]; known {
			require.Equal(t, figures, [2]uint64{outer[c], inner[c]}, c.String())
			delete(want, c.String())
		}
	}
	require.Empty(t, want)
	require.GreaterOrEqual(t, inner[step.AllocBytes], uint64(3*20_000))
	require.LessOrEqual(t, outer[step.AllocBytes], uint64(3*20_000))
	require.LessOrEqual(t, table.Total()[step.TimeNs], uint64(took))
	require.Positive(t, runtime.GOMAXPROCS(0))
}

func TestStepsNeedAnInsideAndOneGoroutine(t *testing.T) {
	closed := toy
	closed.On = nil
	_, _, err := oneshot.ByStep(t.Context(), oneshot.Program{Op: closed, Records: 1})
	require.EqualError(t, err, "Toy has no steps that can be observed")
	many := toy
	many.Concurrent = func(bench.Case) bool { return true }
	_, _, err = oneshot.ByStep(t.Context(), oneshot.Program{Op: many, Records: 1})
	require.ErrorContains(t, err, "several goroutines")
}
