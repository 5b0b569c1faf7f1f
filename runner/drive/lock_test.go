//go:build unix

package drive_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/drive"
)

// TestOnlyLockFilesAreLocked: a pipe, a link, a folder or a file with content in
// the place of the lock file is one line, without waiting.
func TestOnlyLockFilesAreLocked(t *testing.T) {
	for name, create := range map[string]func(path string) error{
		"pipe":     func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"link":     func(path string) error { return os.Symlink(os.DevNull, path) },
		"dangling": func(path string) error { return os.Symlink("nowhere", path) },
		"folder":   func(path string) error { return os.Mkdir(path, 0o700) },
		"content":  func(path string) error { return os.WriteFile(path, []byte("mine"), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			require.NoError(t, create(filepath.Join(os.TempDir(), drive.LockName)))
			_, err := drive.Lock(context.Background(), func(drive.Holder) { t.Error("waits for a " + name) })
			require.ErrorIs(t, err, drive.ErrLock)
			require.ErrorContains(t, err, "is not an empty regular file")
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

// TestLockFiles have the time of the lock, and anyone may read them.
func TestLockFiles(t *testing.T) {
	t.Setenv("ZKATBENCH_LOCK", "")
	name := filepath.Join(t.TempDir(), "lock")
	defer syscall.Umask(syscall.Umask(0o777))
	unlock, err := drive.LockFile(t.Context(), name, nil)
	require.NoError(t, err)
	info, err := os.Stat(name)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o644), info.Mode().Perm(), "regardless of the umask")
	unlock()
	old := time.Unix(1000, 0)
	require.NoError(t, os.Chtimes(name, old, old))
	before := time.Now().Add(-time.Second)
	unlock, err = drive.LockFile(t.Context(), name, nil)
	require.NoError(t, err)
	defer unlock()
	info, err = os.Stat(name)
	require.NoError(t, err)
	require.True(t, info.ModTime().After(before), "the time of the lock")
	_, err = drive.LockFile(t.Context(), filepath.Join(t.TempDir(), "none", "lock"), nil)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "lock: ")
}

// TestWaitingForALock tells who holds it, once, until it is free or the context ends.
func TestWaitingForALock(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("ZKATBENCH_LOCK", "")
	name, old := filepath.Join(os.TempDir(), drive.LockName), time.Unix(1000, 0)
	unlock, err := drive.Lock(t.Context(), nil)
	require.NoError(t, err)
	require.NoError(t, os.Chtimes(name, old, old))
	ctx, cancel := context.WithCancel(t.Context())
	var waits []drive.Holder
	_, err = drive.Lock(ctx, func(h drive.Holder) {
		waits = append(waits, h)
		time.AfterFunc(150*time.Millisecond, cancel)
	})
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "lock "+name+", which another measurement holds: ")
	require.Len(t, waits, 1)
	if runtime.GOOS == "linux" {
		require.Equal(t, os.Getpid(), waits[0].PID)
		require.True(t, strings.HasPrefix(waits[0].Command, filepath.Base(os.Args[0])), waits[0].Command)
		require.True(t, waits[0].Since.After(old), "the process is younger than the file")
	}
	var told bytes.Buffer
	ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err = drive.Start(ctx, &drive.Options{}, drive.Streams{Out: io.Discard, Err: &told})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NotContains(t, err.Error(), "-nolock")
	require.Regexp(t, `^waiting for another measurement on this machine: .*\n$`, told.String())
	second, err := drive.Lock(t.Context(), func(drive.Holder) { unlock() })
	require.NoError(t, err)
	second()
	for range 2 { // the lock is free again
		x, err := drive.Start(t.Context(), &drive.Options{}, quiet)
		require.NoError(t, err)
		x.Close()
	}
}
