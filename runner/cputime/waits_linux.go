package cputime

import "golang.org/x/sys/unix"

// Waits returns how many times the calling thread has waited: gave up the
// processor by itself. Readings are only comparable with each other on one
// thread; other systems than Linux always return 0.
func Waits() int64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
		return 0
	}
	return u.Nvcsw
}
