package metric

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// ThreadTime returns a clock of the processor time that the calling goroutine
// gets: other programs, which take the processor away, do not move it. It sees
// nothing of other goroutines. Where the system does not tell, it is wall time.
// done ends it.
func ThreadTime() (now func() time.Duration, done func()) {
	runtime.LockOSThread()
	return func() time.Duration {
		var t unix.Timespec
		// Every Linux that Go runs on has this clock.
		_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t)
		return time.Duration(t.Nano())
	}, runtime.UnlockOSThread
}
