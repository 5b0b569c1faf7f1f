package metric

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// ThreadTime returns a clock of the processor time of the calling goroutine:
// other programs that take the processor away do not affect it. It does not
// include other goroutines. If the system has no such clock, it is wall time.
// The caller must call done when finished.
func ThreadTime() (now func() time.Duration, done func()) {
	runtime.LockOSThread()
	return func() time.Duration {
		var t unix.Timespec
		// Every Linux that Go runs on has this clock.
		_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t)
		return time.Duration(t.Nano())
	}, runtime.UnlockOSThread
}
