package runner_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
)

var _ runner.B = (*testing.B)(nil)

// fakeB runs n iterations and keeps what it is told.
type fakeB struct {
	ctx     context.Context
	n       int
	timing  bool
	allocs  bool
	metrics map[string]float64
	failure []any
}

func (b *fakeB) Helper()                          {}
func (b *fakeB) Context() context.Context         { return b.ctx }
func (b *fakeB) StartTimer()                      { b.timing = true }
func (b *fakeB) StopTimer()                       { b.timing = false }
func (b *fakeB) ReportAllocs()                    { b.allocs = true }
func (b *fakeB) ReportMetric(v float64, u string) { b.metrics[u] = v }
func (b *fakeB) Fatal(args ...any)                { b.failure = args }
func (b *fakeB) Loop() bool {
	b.timing = b.n > 0
	b.n--
	return b.n >= 0
}

func benched(t *testing.T, n int, op runner.Operation) *fakeB {
	t.Helper()
	b := &fakeB{ctx: t.Context(), n: n, metrics: map[string]float64{}}
	runner.Bench(b, op)
	return b
}

// hashes computes for some 50 µs.
func hashes() runner.Operation {
	block := make([]byte, 1<<16)
	return runner.Func(func(context.Context) error {
		sum := sha256.Sum256(block)
		runtime.KeepAlive(sum)
		return nil
	})
}

// TestBenchReports checks the units for operations that compute, that are short, and that wait.
func TestBenchReports(t *testing.T) {
	computes := benched(t, 1000, hashes())
	require.Empty(t, computes.failure)
	require.Positive(t, computes.metrics["p50-ns/op"])
	short := benched(t, 1_000_000, runner.Func(func(context.Context) error { return nil }))
	require.Contains(t, short.metrics, "p50-ns/op")
	waits := benched(t, 50, sleeper(ms))
	require.GreaterOrEqual(t, waits.metrics["p50-ns/op"], 1e6)
	require.NotContains(t, waits.metrics, "p99-ns/op", "too few latencies")
	if runtime.GOOS == "linux" {
		require.Positive(t, computes.metrics["cpu-ns/op"])
		// On a busy machine the idle time can be too large a part of the time of the
		// process; then the figure is missing.
		if ns, known := waits.metrics["cpu-ns/op"]; known {
			require.Positive(t, ns)
			require.Less(t, ns, 1e6)
			require.Positive(t, waits.metrics["cpu-threads"],
				"an operation that waits is not bound by the processor")
		}
	}
}

// TestBenchCalls counts calls, inputs and timed calls, and fails at each place. Five calls precede
// the loop. Inputs are made with the timer stopped.
func TestBenchCalls(t *testing.T) {
	bad := errors.New("bad")
	for _, c := range []struct {
		loops, fails, failsInput int // the call that fails; 0: none
		each                     bool
		calls, inputs            int
	}{
		{3000, 0, 0, false, 3005, 0}, {3000, 0, 0, true, 3005, 3005}, {0, 0, 0, false, 5, 0},
		{9, 3, 0, false, 3, 0}, {9, 5, 0, true, 5, 5}, {9, 6, 0, false, 6, 0}, {9, 14, 0, true, 14, 14},
		{9, 0, 1, true, 0, 1}, {9, 0, 5, true, 4, 5}, {9, 0, 6, true, 5, 6}, {9, 0, 15, true, 14, 14},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			b := &fakeB{ctx: t.Context(), n: c.loops, metrics: map[string]float64{}}
			calls, inputs, timed := 0, 0, 0
			work := func(context.Context) error {
				if b.timing {
					timed++
				}
				if calls++; calls == c.fails {
					return bad
				}
				return nil
			}
			op := runner.Func(work)
			if c.each {
				op = runner.Each(func(context.Context, int) (int, error) {
					require.False(t, b.timing)
					if inputs++; inputs == c.failsInput {
						return 0, bad
					}
					return inputs, nil
				}, func(ctx context.Context, n int) error {
					require.Equal(t, inputs, n)
					return work(ctx)
				})
			}
			runner.Bench(b, op)
			require.Equal(t, []int{c.calls, c.inputs, max(0, c.calls-5)}, []int{calls, inputs, timed})
			if c.fails > 0 || c.failsInput > 0 && c.failsInput < 15 {
				require.Equal(t, []any{bad}, b.failure)
				require.Empty(t, b.metrics)
				return
			}
			require.Nil(t, b.failure)
			require.True(t, b.allocs)
			_, p50 := b.metrics["p50-ns/op"]
			require.True(t, p50 || !c.each, "each operation with an input is timed alone")
		})
	}
	for name, op := range map[string]runner.Operation{
		"no inputs": runner.Pool(nil, func(context.Context, int) error { return nil }), "zero": {},
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, benched(t, 10, op).failure[0].(error), runner.ErrConfig)
		})
	}
}

func BenchmarkHashUnderBench(b *testing.B) { runner.Bench(b, hashes()) }
