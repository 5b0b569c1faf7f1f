package cputime // Meter.now, RunQueue.file and idle are private: clocks of a machine are not known

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestDelayOfAThread is the second number of its file.
func TestDelayOfAThread(t *testing.T) {
	for text, want := range map[string]time.Duration{"1 23456 7\n": 23456, "1 5": 5, "": 0, "1": 0,
		"1 x 2": 0,
		"12345678901234567890 12345678901234567 12345678901234567890 " +
			"99999999999999999999 1": 12345678901234567} {
		name := filepath.Join(t.TempDir(), "schedstat")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
		f, err := os.Open(name)
		require.NoError(t, err)
		q := &RunQueue{file: f}
		require.True(t, q.Known())
		require.Equal(t, want, q.Delay(), text)
		require.Equal(t, want, q.Delay(), "it is read again")
		q.Close()
		require.ErrorIs(t, f.Close(), os.ErrClosed)
	}
	unknown := &RunQueue{}
	require.False(t, unknown.Known())
	require.Zero(t, unknown.Delay())
	unknown.Close()
}

// TestMeterOfAKnownClock adds up the sections of a clock that the test sets.
func TestMeterOfAKnownClock(t *testing.T) {
	clock, closed := time.Duration(100), 0
	m := &Meter{now: func() time.Duration { return clock }, done: func() { closed++ }}
	m.Stop()
	for range 3 {
		m.Start()
		time.Sleep(time.Millisecond)
		clock += 50
		m.Stop()
		clock += 1000
		m.Stop()
	}
	require.EqualValues(t, 150, m.Sum())
	require.GreaterOrEqual(t, m.Wall(), 3*time.Millisecond)
	m.wall, m.sum, m.idle = time.Second, time.Second, 0.05
	require.Equal(t, 950*time.Millisecond, m.Sum())
	m.idle = 0.0501
	require.Zero(t, m.Sum(), "not known")
	m.Close()
	require.Equal(t, 1, closed)
	p := ProcessMeter(0.5)
	require.Equal(t, 0.5, p.idle)
	p.Close()
	before := Usage()
	for from := Process(); Process()-from < 5*time.Millisecond; {
	}
	require.GreaterOrEqual(t, Usage()-before, 4*time.Millisecond)
	require.Equal(t, IdleOnce(), IdleOnce())
	own, _ := Without(0.5, 100, 1000)
	require.Zero(t, own, "never negative")
}

// TestIdleLeavesOutTheSleepItself: a program works a share of the time between its
// sleeps, and each sleep costs between 50 and 150 µs. The share is found to within a
// fifth and 0.5 %; on a busy machine sleeps take up to three times their time. Without work,
// the share is 0 in at least 19 of 20 measurements.
func TestIdleLeavesOutTheSleepItself(t *testing.T) {
	const trials = 2000
	random := rand.New(rand.NewPCG(63, 8))
	for _, share := range []float64{0, 0.001, 0.01, 0.1, 1, 3} {
		works := 0
		for range trials {
			got := idle(func(d time.Duration) (cpu, wall time.Duration) {
				wall = d + time.Duration(2*random.Float64()*float64(d))
				waking := 50*time.Microsecond + time.Duration(random.IntN(100_000))
				return waking + time.Duration(share*float64(wall)), wall
			})
			require.InDelta(t, share, got, share/5+0.005)
			if got > 0 {
				works++
			}
		}
		t.Logf("share %g: work is seen in %d of %d (seed 63)", share, works, trials)
		if share == 0 {
			require.LessOrEqual(t, works, trials/20)
		} else if share >= 0.01 {
			require.Equal(t, trials, works)
		}
	}
}
