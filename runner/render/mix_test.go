package render_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/render"
	"github.com/zkatbench/zkatbench/runner/result"
)

// TestOperationsOfAMix: a line for each operation has its throughput, its operations, its
// share of the weights, its latencies and its failures.
func TestOperationsOfAMix(t *testing.T) {
	equal := func(n int64) *result.Result {
		c := runner.Config{Workers: 1, Ops: n}
		return simulated(t, c, func(int) time.Duration { return time.Millisecond })
	}
	r := equal(20)
	r.Parts = []result.Part{
		{Name: "read", Weight: 6, Result: equal(15)},
		{Name: "write", Weight: 2, Result: equal(5)},
	}
	r.Parts[1].Result.Failed, r.Parts[1].Result.Errors = 2, map[string]uint64{"no": 2}
	r.Failed, r.Errors = 2, map[string]uint64{"no": 2}
	parts, err := render.Parts(r, render.Options{})
	require.NoError(t, err)
	i := slices.IndexFunc(parts, func(p render.Part) bool { return p.Title == "Operations of the mix" })
	require.GreaterOrEqual(t, i, 0, "no part about the mix: %v", parts)
	require.Equal(t, []render.Line{
		{Name: "read", Value: "1000 ops/s", Remark: "15 ops, weight 75 %; mean 1 ms, P50 1 ms, max 1 ms"},
		{Name: "write", Value: "1000 ops/s", Remark: "5 ops, weight 25 %; mean 1 ms, max 1 ms; failed 2"},
	}, parts[i].Lines)
	require.Contains(t, text(t, r, render.Options{}), "Operations of the mix\n")
}
