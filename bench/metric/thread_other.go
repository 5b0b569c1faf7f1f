//go:build !linux

package metric

import "time"

// ThreadTime is wall time, since the system does not tell the processor time of
// one thread; on Linux it is that.
func ThreadTime() (now func() time.Duration, done func()) {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }, func() {}
}
