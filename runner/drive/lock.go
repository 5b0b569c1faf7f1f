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
	f, err := openOrCreate(name)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
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

// openOrCreate opens a file that all users share, who can lock it if they can
// read it. Creating and opening are apart because Linux lets nobody open with
// O_CREATE what another user made in a directory like /tmp.
func openOrCreate(name string) (*os.File, error) {
	f, err := os.Open(name)
	if !errors.Is(err, os.ErrNotExist) {
		return f, err
	}
	f, err = os.OpenFile(name, os.O_RDONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) { // made by somebody else meanwhile
		return os.Open(name)
	}
	if err == nil {
		err = f.Chmod(0o644) // whatever the mask
	}
	return f, err
}
