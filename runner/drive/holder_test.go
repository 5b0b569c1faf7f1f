//go:build unix

package drive

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/result"
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
	for _, c := range []struct {
		env    string
		holder int
		want   bool
	}{{"", 0, false}, {noLock, 0, true}, {"x", 0, false}, {fmt.Sprint(os.Getpid()), os.Getpid(), false},
		{fmt.Sprint(os.Getppid()), os.Getppid(), true}, {fmt.Sprint(os.Getppid()), 1 << 30, false},
		{fmt.Sprint(os.Getppid()), 0, true}, {fmt.Sprint(1 << 30), 0, false}} {
		t.Setenv(lentEnv, c.env)
		require.Equal(t, c.want, lent(func() Holder { return Holder{PID: c.holder} }), "%+v", c)
	}
	require.NoError(t, Lend())
	require.Equal(t, fmt.Sprint(os.Getpid()), os.Getenv(lentEnv))
	require.NoError(t, WithoutLock())
	require.Equal(t, "none", os.Getenv(lentEnv))
	require.True(t, alive(os.Getpid()))
	require.True(t, alive(1))
	require.False(t, alive(1<<30))
	for want, p := range map[string]result.Progress{
		"window: 1.2s of 10s, 34 operations op": {Phase: "window", Elapsed: 1234 * time.Millisecond,
			Limit: 10 * time.Second, Done: 34}, "warm-up: 0s, 0 operations op": {Phase: "warm-up"},
		"window: 100ms of 1ns, 0 operations op": {Phase: "window", Elapsed: 50 * time.Millisecond, Limit: 1},
	} {
		require.Equal(t, want, progressLine(p, "op"))
	}
	show, erase := progress(io.Discard, "op")
	require.Nil(t, show)
	erase()
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
	t.Setenv(lentEnv, noLock)
	free, err := LockFile(t.Context(), name, nil)
	require.NoError(t, err)
	again, err := LockFile(t.Context(), name, nil)
	require.NoError(t, err, "nothing is locked")
	free()
	again()
	t.Setenv(lentEnv, "")

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
	for bad, make := range map[string]func(name string) error{
		"full": func(name string) error {
			return os.WriteFile(name, []byte("x"), 0o644)
		}, "folder": func(name string) error { return os.Mkdir(name, 0o755) },
		"pipe": func(name string) error {
			return syscall.Mkfifo(name, 0o644)
		}, "link": func(at string) error { return os.Symlink(name, at) },
	} {
		bad = filepath.Join(dir, bad)
		require.NoError(t, make(bad))
		_, err := LockFile(t.Context(), bad, nil)
		require.ErrorIs(t, err, ErrLock, bad)
		require.ErrorContains(t, err, "lock: "+bad+" is not an empty regular file")
	}
	_, err = LockFile(t.Context(), filepath.Join(dir, "none", "lock"), nil)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "lock: ")
}
