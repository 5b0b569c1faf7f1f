package runner

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/result"
)

// looping is a B that loops n times.
type looping struct {
	B
	ctx     context.Context
	n       int
	timing  int // Start less Stop
	metrics map[string]float64
	failure []any
	allocs  bool
}

func (b *looping) Helper() {}

func (b *looping) Context() context.Context { return b.ctx }

func (b *looping) Loop() bool { b.n--; return b.n >= 0 }

func (b *looping) StartTimer() { b.timing++ }

func (b *looping) StopTimer() { b.timing-- }

func (b *looping) ReportAllocs() { b.allocs = true }

func (b *looping) ReportMetric(v float64, u string) { b.metrics[u] = v }

func (b *looping) Fatal(args ...any) { b.failure = args }

// TestBenchCalls counts calls, inputs and batches, and fails at each place.
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
		b := &looping{ctx: t.Context(), n: c.loops, metrics: map[string]float64{}}
		calls, inputs := 0, 0
		work := func(context.Context) error {
			if calls++; calls == c.fails {
				return bad
			}
			return nil
		}
		op := Func(work)
		if c.each {
			op = Each(func(context.Context, int) (int, error) {
				if inputs++; inputs == c.failsInput {
					return 0, bad
				}
				return inputs, nil
			}, func(ctx context.Context, n int) error {
				require.Equal(t, inputs, n)
				return work(ctx)
			})
		}
		Bench(b, op)
		require.Equal(t, []int{c.calls, c.inputs}, []int{calls, inputs}, "%+v", c)
		require.True(t, b.allocs)
		if c.fails > 0 || c.failsInput > 0 && c.failsInput < 15 {
			require.Equal(t, []any{bad}, b.failure, "%+v", c)
			require.Empty(t, b.metrics)
			continue
		}
		require.Nil(t, b.failure, "%+v", c)
		require.Zero(t, b.timing)
		_, p50 := b.metrics["p50-ns/op"]
		require.True(t, p50 || !c.each, "each operation with an input is timed alone")
	}
	b := &looping{ctx: t.Context()}
	Bench(b, Pool([]int{}, func(context.Context, int) error { return nil }))
	require.ErrorIs(t, b.failure[0].(error), ErrConfig)
}

// TestFirstTick: repeated doubling ends at a hundredth of the window.
func TestFirstTick(t *testing.T) {
	for d, want := range map[time.Duration]time.Duration{0: time.Millisecond, 99: time.Millisecond, 100: 1,
		100 * time.Millisecond: time.Millisecond, 101 * time.Millisecond: 505 * time.Microsecond,
		time.Second: 625 * time.Microsecond} {
		require.Equal(t, want, firstTick(d), d)
	}
}

// TestWorkersOfAPlan: twice the operations in progress at the greatest rate, and a few.
func TestWorkersOfAPlan(t *testing.T) {
	for _, c := range []struct {
		arrival  string
		duration time.Duration
		service  time.Duration // 0: no operation ended in the warm-up
		most     int
		want     int
	}{
		{"constant", 10 * time.Second, 10 * time.Millisecond, 256, 7},
		{"constant", 10 * time.Second, 10 * time.Millisecond, 6, 6},
		{"constant", time.Second, 0, 4096, 240},
		{"constant,rate:400", 10 * time.Second, 9900 * time.Microsecond, 256, 17},
		{"ramp:400/5s,ramp:1/5s", 10 * time.Second, 9900 * time.Microsecond, 256, 17},
		{"constant,constant:9800ms,rate:400", 10 * time.Second, 9900 * time.Microsecond, 256, 12},
	} {
		config := Config{Duration: c.duration, MaxWorkers: c.most, Plan: parsed(99.5, c.arrival)}
		warm := result.NewSum(1)
		if c.service > 0 {
			warm.Service.Add(c.service/2, 1, c.service, 0)
			warm.Service.Add(c.service*3/2, 1, c.service, 0)
		}
		require.Equal(t, c.want, needed(config, warm), "%+v", c)
	}
}
