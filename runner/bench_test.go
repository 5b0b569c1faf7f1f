package runner_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
)

var _ runner.B = (*testing.B)(nil)

// fakeB runs n iterations and keeps the reported metrics.
type fakeB struct {
	ctx     context.Context
	n       int
	timing  bool
	metrics map[string]float64
	failure []any
}

func (b *fakeB) Helper()                          {}
func (b *fakeB) Context() context.Context         { return b.ctx }
func (b *fakeB) StartTimer()                      { b.timing = true }
func (b *fakeB) StopTimer()                       { b.timing = false }
func (b *fakeB) ReportAllocs()                    {}
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

// TestBenchReports checks the units for operations that compute, that are short,
// that wait, and that use goroutines.
func TestBenchReports(t *testing.T) {
	block := make([]byte, 1<<16)
	hash := func(context.Context) error {
		sum := sha256.Sum256(block)
		runtime.KeepAlive(sum)
		return nil
	}
	calls := 0
	fails := benched(t, 1000, runner.Func(func(context.Context) error {
		if calls++; calls == 1 {
			return errors.New("the first call")
		}
		return nil
	}))
	require.Len(t, fails.failure, 1)
	computes := benched(t, 1000, runner.Func(hash))
	require.Empty(t, computes.failure)
	require.Positive(t, computes.metrics["p50-ns/op"])
	short := benched(t, 1_000_000, runner.Func(func(context.Context) error { return nil }))
	require.Contains(t, short.metrics, "p50-ns/op")
	waits := benched(t, 50,
		runner.Func(func(context.Context) error { time.Sleep(time.Millisecond); return nil }))
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

// TestBenchDoesNotTimeInputs checks that inputs are made with the timer stopped,
// one for each operation, and that an operation without input fails the benchmark.
func TestBenchDoesNotTimeInputs(t *testing.T) {
	made := 0
	var b *fakeB
	op := runner.Each(func(context.Context, int) (int, error) {
		if b.timing {
			t.Error("an input is timed")
		}
		made++
		return made, nil
	}, func(_ context.Context, n int) error {
		if n != made {
			t.Error("an input is used twice")
		}
		return nil
	})
	b = &fakeB{ctx: t.Context(), n: 100, metrics: map[string]float64{}}
	runner.Bench(b, op)
	require.Empty(t, b.failure)
	require.GreaterOrEqual(t, made, 100)

	require.NotEmpty(t,
		benched(t, 10,
			runner.PerWorker(func(context.Context, int) (int, error) {
				return 0, errors.New("no")
			}, func(context.Context, int) error { return nil })).failure)
	require.NotEmpty(t, benched(t, 10, runner.Operation{}).failure)
}

func BenchmarkHashUnderBench(b *testing.B) {
	block := make([]byte, 1<<16)
	runner.Bench(b, runner.Func(func(context.Context) error {
		sum := sha256.Sum256(block)
		runtime.KeepAlive(sum)
		return nil
	}))
}
