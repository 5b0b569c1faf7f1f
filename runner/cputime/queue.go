package cputime

import (
	"bytes"
	"os"
	"strconv"
	"time"
)

// RunQueue reads how long a thread was ready to run while other programs had the
// processors. It is known on Linux only.
type RunQueue struct {
	file *os.File
	buf  [96]byte
}

// OpenRunQueue opens the figures of the calling thread; the caller stays on it
// (see Thread) until Close.
func OpenRunQueue() *RunQueue {
	f, err := os.Open("/proc/thread-self/schedstat")
	if err != nil {
		return &RunQueue{}
	}
	return &RunQueue{file: f}
}

// Known reports whether the system tells.
func (q *RunQueue) Known() bool { return q.file != nil }

// Delay returns the time that the thread has waited for a processor; 0 if the
// system does not tell. The second field of schedstat has it in ns (Linux,
// Documentation/scheduler/sched-stats).
func (q *RunQueue) Delay() time.Duration {
	if q.file == nil {
		return 0
	}
	n, _ := q.file.ReadAt(q.buf[:], 0)
	_, rest, _ := bytes.Cut(q.buf[:n], []byte(" "))
	second, _, _ := bytes.Cut(rest, []byte(" "))
	ns, err := strconv.ParseInt(string(second), 10, 64)
	if err != nil {
		return 0
	}
	return time.Duration(ns)
}

// Close closes the file.
func (q *RunQueue) Close() {
	if q.file != nil {
		_ = q.file.Close()
	}
}
