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

	"github.com/zkatbench/zkatbench/runner/outfile"
)

// lockName is the name of the lock file of measurements, in the directory for
// temporary files.
const lockName = "zkatbench-measuring.lock"

// lockRetry is the time between attempts to take the lock: flock cannot wait
// with a context.
const lockRetry = 50 * time.Millisecond

// ErrLock says that a file with the name of the lock is not a lock file.
var ErrLock = errors.New("is not an empty regular file, as a lock file is: remove it, or set TMPDIR")

// Lock waits until no other process or session on this machine measures, or
// until ctx ends. waiting, unless nil, is called once if Lock has to wait. The
// operating system releases the lock when the process ends, also after a crash.
// Lock returns at once if a process that started this one lends its lock (Lend).
func Lock(ctx context.Context, waiting func(Holder)) (unlock func(), err error) {
	return LockFile(ctx, filepath.Join(os.TempDir(), lockName), waiting)
}

// alive reports whether a process exists.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// LockFile is Lock for an empty file of this name, which it creates.
func LockFile(ctx context.Context, name string, waiting func(Holder)) (unlock func(), err error) {
	f, err := openOrCreate(name)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > 0 {
		f.Close()
		return nil, errors.Join(err, fmt.Errorf("lock: %s %w", name, ErrLock))
	}
	if lent(func() Holder { return holderOf(f) }) {
		f.Close()
		return func() {}, nil
	}
	wait := func() {
		if waiting != nil {
			waiting(holderOf(f))
		}
	}
	if err := outfile.Lock(ctx, f, lockRetry, wait); err != nil {
		f.Close()
		if ctx.Err() != nil {
			return nil, fmt.Errorf("lock %s, which another measurement holds: %w", name, err)
		}
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	// Waiting processes show this time; only the owner of the file can set it.
	_ = os.Chtimes(name, time.Now(), time.Now())
	return func() { f.Close() }, nil
}

// openOrCreate opens a file shared by all users; read permission suffices to
// lock it. Creating and opening are separate calls because Linux refuses
// O_CREATE on another user's file in a sticky directory such as /tmp. Opening a
// pipe does not wait for a writer, and links are not followed.
func openOrCreate(name string) (*os.File, error) {
	const existing = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOFOLLOW
	f, err := os.OpenFile(name, existing, 0)
	if errors.Is(err, syscall.ELOOP) {
		return nil, fmt.Errorf("%s %w", name, ErrLock)
	}
	if !errors.Is(err, os.ErrNotExist) {
		return f, err
	}
	f, err = os.OpenFile(name, os.O_RDONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) { // created concurrently
		return os.OpenFile(name, existing, 0)
	}
	if err == nil {
		err = f.Chmod(0o644) // regardless of the umask
	}
	return f, err
}
