//go:build linux || darwin || freebsd

package cputime

import (
	"time"

	"golang.org/x/sys/unix"
)

const available = true

func thread() time.Duration  { return read(unix.CLOCK_THREAD_CPUTIME_ID) }
func process() time.Duration { return read(unix.CLOCK_PROCESS_CPUTIME_ID) }

func usage() time.Duration {
	var u unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// read returns the reading of a clock that the supported versions of these
// systems always have.
func read(clock int32) time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(clock, &t)
	return time.Duration(t.Nano())
}
