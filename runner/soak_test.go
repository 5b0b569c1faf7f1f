package runner_test

import (
	"context"
	"errors"
	"flag"
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/result"
)

// soakTime is one minute in continuous integration (.ci/soak), and sixty before
// a release.
var soakTime = flag.Duration("soak", 3*time.Second, "duration of TestSoak")

// TestSoak runs for a long time: memory must stay flat and counters exact.
func TestSoak(t *testing.T) {
	var calls, failures atomic.Uint64
	boom := errors.New("boom")
	var heaps []uint64
	// heap is the least of several readings: garbage of operations that
	// panicked while the collector runs is not in all of them.
	heap := func(target uint64) uint64 {
		least := uint64(math.MaxUint64)
		for look := 0; look == 0 || look < 20 && least > target; look++ {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			least = min(least, m.HeapAlloc)
		}
		return least
	}
	const slack = 256 << 10
	d := nightly.Pick(min(200*ms, *soakTime), *soakTime, *soakTime)
	pause := nightly.Pick(ms, 0, 0) // in which other tests have the processors
	next := d / 20
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := runner.Run(ctx,
		runner.Config{Workers: 4, Duration: 1000 * time.Hour, WarmUp: -1, Progress: func(p result.Progress) {
			if p.Elapsed >= next {
				target := uint64(math.MaxUint64)
				if len(heaps) > 0 {
					target = heaps[0] + slack
				}
				heaps = append(heaps, heap(target))
				next += d / 10
			}
			if p.Elapsed >= d && len(heaps) >= 2 { // growth needs two readings, however busy the machine is
				cancel()
			}
		}}, runner.Func(func(context.Context) error {
			n := calls.Add(1)
			if n%500 == 1 {
				time.Sleep(pause)
			}
			switch {
			case n%1000 == 0:
				failures.Add(1)
				return boom
			case n%100_003 == 0:
				failures.Add(1)
				panic("sometimes panics")
			}
			return nil
		}))
	require.NoError(t, err)
	require.Zero(t, r.Abandoned)
	require.Equal(t, calls.Load(), r.Done+r.Failed)
	require.Equal(t, failures.Load(), r.Failed)
	require.Equal(t, r.Done, r.Records)
	for _, h := range heaps[1:] {
		require.LessOrEqual(t, h, heaps[0]+slack, "the heap grows: %v", heaps)
	}
}
