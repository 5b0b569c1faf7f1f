package runner_test

import (
	"context"
	"errors"
	"flag"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
)

// soakTime is what continuous integration sets to a minute (.ci/soak), and to
// sixty before a release.
var soakTime = flag.Duration("soak", 3*time.Second, "how long TestSoak counts")

// TestSoak counts for a long time: memory stays flat and the counters exact.
func TestSoak(t *testing.T) {
	var calls, failures atomic.Uint64
	boom := errors.New("boom")
	var heaps []uint64
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	d := *soakTime
	next := d / 20
	r := run(t, runner.Config{Workers: 4, Duration: d, WarmUp: -1, Exact: 1000, Progress: func(p runner.Progress) {
		if p.Elapsed >= next {
			heaps = append(heaps, heap())
			next += d / 10
		}
	}}, runner.Func(func(context.Context) error {
		switch n := calls.Add(1); {
		case n%1000 == 0:
			failures.Add(1)
			return boom
		case n%100_003 == 0:
			failures.Add(1)
			panic("now and then")
		}
		return nil
	}))
	require.Equal(t, calls.Load(), r.Done+r.Failed)
	require.Equal(t, failures.Load(), r.Failed)
	require.Equal(t, r.Done, r.Records)
	require.GreaterOrEqual(t, len(heaps), 2, "fewer cannot show that it grows")
	for _, h := range heaps[1:] {
		require.Less(t, float64(h), float64(heaps[0])+256<<10, "the heap grows: %v", heaps)
	}
}
