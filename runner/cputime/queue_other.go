//go:build !linux

package cputime

import "time"

// RunQueue is known on Linux only.
type RunQueue struct{}

// OpenRunQueue returns an unknown RunQueue.
func OpenRunQueue() *RunQueue { return &RunQueue{} }

// Known returns false: only Linux tells how long a thread waited for a processor.
func (*RunQueue) Known() bool { return false }

// Delay returns 0.
func (*RunQueue) Delay() time.Duration { return 0 }

// Close has no effect.
func (*RunQueue) Close() {}
