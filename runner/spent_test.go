package runner // spent is private: the times of a benchmark are those of the machine

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestClockOfABusyMachine gives 36 results of work on one thread for each load: other
// programs take the processor away from the thread and from the threads that take it
// over, the collector runs meanwhile, and the two clocks are read at different moments.
// All of this must not count as work of several threads.
func TestClockOfABusyMachine(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 36))
	for _, load := range []float64{0, 1, 2, 6, 10, 26} {
		several := 0
		for range 36 {
			thread := time.Duration((0.1 + random.Float64()) * float64(time.Second))
			delay := time.Duration(load * random.ExpFloat64() * float64(thread))
			collector := time.Duration(0.4 * random.Float64() * float64(thread))
			stopped := time.Duration(0.1 * random.Float64() * float64(thread)) // by the collector
			misread := time.Duration((random.Float64() - 0.5) * float64(5*time.Millisecond))
			s := spent{wall: thread + delay + stopped, delay: max(0, delay+misread), known: true,
				thread: thread, process: thread + collector}
			if float64(s.delay) > 0.3*float64(s.wall) { // a busy machine
				s.wall += time.Duration(random.ExpFloat64() * float64(delay) / 4)
			}
			s.typical = float64(thread) / 100 * (0.9 + 0.2*random.Float64())
			ns, threads, ok := s.perOp(100)
			require.True(t, ok)
			if threads > 0 {
				several++
			}
			require.InDelta(t, float64(thread)/100, ns, 1)
		}
		require.Zero(t, several, "of 36 at a load of %v", load)
	}
}

// TestClockOfOtherWork: work that waits, or that uses other threads, has the time of
// the process; an unknown time is not used.
func TestClockOfOtherWork(t *testing.T) {
	const s = time.Second
	for name, c := range map[string]struct {
		spent
		ns      float64
		several bool
	}{
		"waits": {spent{wall: 10 * s, known: true, thread: s, process: s}, 1e9, true},
		"waits on a busy machine": {spent{wall: 30 * s, delay: 20 * s, known: true, thread: s, process: s,
			typical: 9e9}, 1e9, true},
		"waits at times": {spent{wall: 10 * s, delay: s, known: true, thread: s, process: s,
			typical: 1e9}, 1e9, true},
		"is handed over": {spent{wall: 30 * s, delay: 20 * s, known: true, thread: s, process: s,
			typical: 1e9}, 1e9, false},
		"other threads":             {spent{wall: s, known: true, thread: s, process: 4 * s}, 4e9, true},
		"no delay is told":          {spent{wall: 10 * s, thread: s, process: s}, 1e9, false},
		"only other threads":        {spent{wall: s, known: true, process: 2 * s}, 2e9, true},
		"hidden by the idle share":  {spent{wall: 10 * s, known: true, thread: 0, process: 0}, 0, false},
		"a clock without any steps": {spent{}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			ns, threads, ok := c.perOp(1)
			require.Equal(t, c.ns > 0, ok)
			if ok {
				require.Equal(t, c.ns, ns)
				require.Equal(t, c.several, threads > 0)
			}
		})
	}
	_, _, ok := spent{wall: s, thread: s, process: s}.perOp(0)
	require.False(t, ok, "no operation")
}
