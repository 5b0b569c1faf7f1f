package outfile

import (
	"context"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// Lock waits until no other process holds the lock of a file. Closing the file, also by the end of the
// process, releases the lock. It covers a byte far behind the content, so that readers are not
// refused. The wait does not end with the context, and the function is not called.
func Lock(_ context.Context, f *os.File, _ time.Duration, _ func()) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0,
		&windows.Overlapped{OffsetHigh: 1 << 30})
}
