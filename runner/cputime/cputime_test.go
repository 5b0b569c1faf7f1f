package cputime_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner/cputime"
)

// spin keeps the processor busy until its clock has advanced by d.
func spin(now func() time.Duration, d time.Duration) {
	for start := now(); now()-start < d; {
	}
}

// TestThreadCountsItsOwnWork checks that work counts, also for a meter, and that waiting and the
// work of another goroutine do not.
func TestThreadCountsItsOwnWork(t *testing.T) {
	now, done := cputime.Thread()
	defer done()
	m := cputime.ThreadMeter()
	defer m.Close()
	wall, start := time.Now(), now()
	m.Start()
	spin(now, 10*time.Millisecond)
	m.Stop()
	require.LessOrEqual(t, now()-start, time.Since(wall)+time.Millisecond)
	require.GreaterOrEqual(t, m.Sum(), 10*time.Millisecond)
	if !cputime.Available() {
		return
	}
	start = now()
	other := make(chan struct{})
	go func() {
		defer close(other)
		theirs, done := cputime.Thread()
		defer done()
		spin(theirs, 50*time.Millisecond)
	}()
	<-other
	time.Sleep(time.Millisecond)
	require.Less(t, now()-start, 25*time.Millisecond)
}

// TestProcessCountsAllThreads checks that the clock of the process includes the
// work of another goroutine.
func TestProcessCountsAllThreads(t *testing.T) {
	start := cputime.Process()
	other := make(chan struct{})
	go func() {
		defer close(other)
		theirs, done := cputime.Thread()
		defer done()
		spin(theirs, 20*time.Millisecond)
	}()
	<-other
	require.GreaterOrEqual(t, cputime.Process()-start, 20*time.Millisecond)
}

// TestWithoutIdleTime: the time of an idle program is taken off up to a twentieth; a
// greater rate, as of a collector that ran while it was sampled, hides the rest.
func TestWithoutIdleTime(t *testing.T) {
	for idle, want := range map[float64]time.Duration{0: time.Second, 0.001: 990 * time.Millisecond,
		0.005: 950 * time.Millisecond} {
		own, known := cputime.Without(idle, time.Second, 10*time.Second)
		require.True(t, known, idle)
		require.Equal(t, want, own)
	}
	for _, idle := range []float64{0.0051, 0.1, 2} {
		_, known := cputime.Without(idle, time.Second, 10*time.Second)
		require.False(t, known, idle)
	}
}
