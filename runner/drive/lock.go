//go:build unix

package drive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// LockName is the file in the directory for temporary files whose lock whoever
// measures on this machine holds.
const LockName = "zkatbench-measuring.lock"

// lockEvery is how often Lock tries again: flock cannot be waited for with a
// context.
const lockEvery = 50 * time.Millisecond

// Lock waits until nobody else on this machine measures, or ctx ends; waiting,
// unless nil, is called once if there is somebody. The operating system takes
// the lock back when the process ends, however it does.
func Lock(ctx context.Context, waiting func()) (unlock func(), err error) {
	return lockFile(ctx, filepath.Join(os.TempDir(), LockName), waiting)
}

func lockFile(ctx context.Context, name string, waiting func()) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	// For all users, whatever the mask; fails if another one made the file.
	_ = f.Chmod(0o666)
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			f.Close()
			return nil, fmt.Errorf("lock %s: %w", name, err)
		}
		if waiting != nil {
			waiting()
			waiting = nil
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, fmt.Errorf("lock %s, which another measurement holds: %w", name, ctx.Err())
		case <-time.After(lockEvery):
		}
	}
}
