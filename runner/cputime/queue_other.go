//go:build !linux

package cputime

import "time"

// RunQueue is known on Linux only.
type RunQueue struct{}

// OpenRunQueue returns a RunQueue that is not known.
func OpenRunQueue() *RunQueue { return &RunQueue{} }

// Known returns false: only Linux tells how long a thread waited for a processor.
func (*RunQueue) Known() bool { return false }

// Delay returns 0.
func (*RunQueue) Delay() time.Duration { return 0 }

// Close does nothing.
func (*RunQueue) Close() {}
