//go:build !linux

package metric

import "time"

// ThreadTime returns wall time, since only the Linux version can read the
// processor time of one thread.
func ThreadTime() (now func() time.Duration, done func()) {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }, func() {}
}
