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
	// heap is the least of some looks: what operations that panic leave behind
	// while the collector is at work, however long that takes, is not in all.
	heap := func(enough uint64) uint64 {
		least := uint64(math.MaxUint64)
		for look := 0; look == 0 || look < 20 && least > enough; look++ {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			least = min(least, m.HeapAlloc)
		}
		return least
	}
	const slack = 256 << 10
	d := *soakTime
	next := d / 20
	r := run(t, runner.Config{Workers: 4, Duration: d, WarmUp: -1, Exact: 1000, Progress: func(p runner.Progress) {
		if p.Elapsed >= next {
			enough := uint64(math.MaxUint64)
			if len(heaps) > 0 {
				enough = heaps[0] + slack
			}
			heaps = append(heaps, heap(enough))
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
		require.LessOrEqual(t, h, heaps[0]+slack, "the heap grows: %v", heaps)
	}
}
