//go:build unix

package drive_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

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
		t.Setenv("TMPDIR", t.TempDir())
		require.NoError(t, create(filepath.Join(os.TempDir(), drive.LockName)), name)
		_, err := drive.Lock(context.Background(), func(drive.Holder) { t.Error("waits for a " + name) })
		require.ErrorIs(t, err, drive.ErrLock, name)
		require.ErrorContains(t, err, "is not an empty regular file")
		require.Equal(t, 1, strings.Count(err.Error()+"\n", "\n"), name)
	}
	t.Setenv("TMPDIR", t.TempDir())
	for range 2 {
		unlock, err := drive.Lock(context.Background(), nil)
		require.NoError(t, err)
		unlock()
	}
}
