//go:build unix

package outfile

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"
)

// Lock waits until no other process holds the lock of a file, or until ctx ends. Closing the file,
// also by the end of the process, releases the lock. flock cannot wait with a context, so Lock tries
// again after every. waiting, unless nil, is called once if Lock has to wait.
func Lock(ctx context.Context, f *os.File, every time.Duration, waiting func()) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return err
		}
		if waiting != nil {
			waiting()
			waiting = nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(every):
		}
	}
}
