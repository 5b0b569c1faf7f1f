//go:build unix

package drive

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestHolders describes processes that hold the lock.
func TestHolders(t *testing.T) {
	since := time.Date(2026, 1, 2, 15, 4, 5, 0, time.Local)
	for want, h := range map[string]Holder{
		"a process that the system does not name": {Command: "x", Since: since}, "process 12": {PID: 12},
		"process 12 (go test)":                 {PID: 12, Command: "go test"},
		"process 12, since 15:04:05":           {PID: 12, Since: since},
		"process 12 (go test), since 15:04:05": {PID: 12, Command: "go test", Since: since},
	} {
		require.Equal(t, want, h.String())
		require.Equal(t,
			"waiting for another measurement on this machine: "+want+" (-nolock measures without waiting)",
			h.Waiting())
	}
	const locks = "1: POSIX  ADVISORY  WRITE 11 08:02:5678 0 EOF\n2: FLOCK  ADVISORY  WRITE\n3: FLOCK  " +
		"ADVISORY  WRITE x 08:02:5678 0 EOF\n4: FLOCK  ADVISORY  WRITE 12 08:02:15678 0 EOF\n4: -> FLOCK  " +
		"ADVISORY  WRITE 13 08:02:5678 0 EOF\n5: FLOCK  ADVISORY  WRITE 14 08:02:5678\n6: FLOCK  ADVISORY  " +
		"WRITE 15 08:02:5678 0 EOF\n"
	for inode, want := range map[uint64]int{5678: 14, 15678: 12, 78: 0} {
		require.Equal(t, want, lockHolder(locks, inode))
	}
	require.Zero(t, lockHolder("", 1))
	require.True(t, alive(os.Getpid()))
	require.True(t, alive(1))
	require.False(t, alive(1<<30))
}

// TestLockFiles takes, waits for and refuses files.
func TestLockFiles(t *testing.T) {
	t.Setenv(lentEnv, "")
	dir := t.TempDir()
	name := filepath.Join(dir, "lock")
	defer syscall.Umask(syscall.Umask(0o777))
	unlock, err := LockFile(t.Context(), name, nil)
	require.NoError(t, err)
	info, err := os.Stat(name)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o644), info.Mode().Perm(), "regardless of the umask")
	old := time.Unix(1000, 0)
	unlock()
	require.NoError(t, os.Chtimes(name, old, old))
	before := time.Now().Add(-time.Second)
	unlock, err = LockFile(t.Context(), name, nil)
	require.NoError(t, err)
	info, err = os.Stat(name)
	require.NoError(t, err)
	require.True(t, info.ModTime().After(before), "the time of the lock")
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	if h := holderOf(f); h.PID != 0 { // Linux tells
		require.Equal(t, os.Getpid(), h.PID)
		require.True(t, strings.HasPrefix(h.Command, filepath.Base(os.Args[0])), h.Command)
		require.True(t, h.Since.Equal(info.ModTime()))
		require.NoError(t, os.Chtimes(name, old, old))
		require.True(t, holderOf(f).Since.After(old), "the process is younger than the file")
	}
	ctx, cancel := context.WithCancel(t.Context())
	var waits []Holder
	_, err = LockFile(ctx, name, func(h Holder) {
		waits = append(waits, h)
		time.AfterFunc(3*lockRetry, cancel)
	})
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "lock "+name+", which another measurement holds: ")
	require.Len(t, waits, 1)
	taken := make(chan error)
	go func() {
		second, err := LockFile(t.Context(), name, func(Holder) { unlock() })
		if err == nil {
			second()
		}
		taken <- err
	}()
	require.NoError(t, <-taken)

	syscall.Umask(0o022)
	t.Setenv("TMPDIR", dir)
	held, err := Lock(t.Context(), nil)
	require.NoError(t, err)
	var told bytes.Buffer
	ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err = Start(ctx, &Options{}, Streams{Out: io.Discard, Err: &told})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NotContains(t, err.Error(), "-nolock")
	require.True(t, strings.HasPrefix(told.String(), "waiting for another measurement on this machine: "),
		told.String())
	require.Equal(t, 1, strings.Count(told.String(), "\n"))
	held()
	x, err := Start(t.Context(), &Options{}, Streams{Out: io.Discard, Err: io.Discard})
	require.NoError(t, err)
	x.Close()
	x, err = Start(t.Context(), &Options{}, Streams{Out: io.Discard, Err: io.Discard})
	require.NoError(t, err, "the lock is free again")
	x.Close()
	_, err = LockFile(t.Context(), filepath.Join(dir, "none", "lock"), nil)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "lock: ")
}
