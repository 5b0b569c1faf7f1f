package bench // processorTime and Yardstick.time are private: runs have no coarse clock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/cputime"
)

// TestYardstickOnCoarseClock checks that a time covers enough calls for the
// steps of a clock, and that each is the time of one call.
func TestYardstickOnCoarseClock(t *testing.T) {
	const work = 300 * time.Nanosecond
	for _, step := range []time.Duration{1, time.Microsecond} {
		for _, least := range []time.Duration{0, lapTime} {
			now := time.Duration(0)
			y := Yardstick{Work: func() { now += work }}
			ns := y.time(func() time.Duration { return now / step * step }, least, nil)
			require.GreaterOrEqual(t, len(ns), yardstickLeast)
			if step > work && least == 0 {
				require.Contains(t, ns, 0.0, "a single call is too short for the clock")
				continue
			}
			for _, n := range ns {
				require.InDelta(t, float64(work), n, float64(work)/50, "%v, %v", step, least)
			}
		}
	}
}

// TestNoProcessorTimeOfZero: a time that the idle share hides is not reported.
func TestNoProcessorTimeOfZero(t *testing.T) {
	for idle, known := range map[float64]bool{1000: false, 0: cputime.Available()} {
		r := testing.Benchmark(func(b *testing.B) {
			p := processorTime{Meter: cputime.ProcessMeter(idle), threads: 2}
			p.Start()
			now, done := cputime.Thread()
			for start := now(); now()-start < time.Millisecond; {
			}
			done()
			p.report(b, 1)
		})
		require.Equal(t, known, r.Extra[cpuUnit] > 0)
		require.Len(t, r.Extra, map[bool]int{true: 2, false: 0}[known])
	}
}
