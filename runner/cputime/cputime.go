// Package cputime reads processor time: the time that processors spent on a
// thread or on this process. Time when other programs had the processor
// does not count, and neither does waiting.
//
// Thread and Process are clocks on Linux, macOS and FreeBSD; elsewhere they
// show wall time. A Meter sums sections. RunQueue, on Linux, is the time that a
// thread waited for a processor.
package cputime

import (
	"runtime"
	"time"
)

// Available reports whether this system has clocks of processor time. If not,
// the clocks of this package show wall time.
func Available() bool { return available }

// Thread returns a clock of the processor time of the calling goroutine, which
// stays on its thread until it calls done. The clock does not include other
// goroutines. Readings are only comparable with each other.
func Thread() (now func() time.Duration, done func()) {
	runtime.LockOSThread()
	return thread, runtime.UnlockOSThread
}

// Process returns the processor time of all threads of this process, including
// the garbage collector. Readings are only comparable with each other.
func Process() time.Duration { return process() }

// Usage is Process in steps of a microsecond. It is also right while a profile of
// the processor is taken: then an interval timer of the process runs, and Linux
// advances the clock of Process only now and then.
func Usage() time.Duration { return usage() }
