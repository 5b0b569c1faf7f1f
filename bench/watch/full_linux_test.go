package watch // watcher and whole are helpers of tests inside the package

import (
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFullFileSystemIsWaitedFor keeps the state in a small file system, which grows
// whenever it is full.
func TestFullFileSystemIsWaitedFor(t *testing.T) {
	dir := t.TempDir()
	size := func(kilobytes int, flags uintptr) error {
		return syscall.Mount("tmpfs", dir, "tmpfs", flags, fmt.Sprintf("size=%dk", kilobytes))
	}
	if err := size(8, 0); err != nil {
		t.Skipf("a really full file system, which only root can mount: %v", err)
	}
	defer func() { require.NoError(t, syscall.Unmount(dir, 0)) }()
	needsWhole(t)
	w := watcher(whole.repository, dir)
	full := 0
	for kilobytes := 16; ; kilobytes += 16 {
		err := once(t, w)
		if err == nil {
			break
		}
		full++
		require.Less(t, kilobytes, 4096, "%v", err)
		if !errors.Is(err, syscall.ENOSPC) {
			require.ErrorContains(t, err, "full")
		}
		require.NoError(t, size(kilobytes, syscall.MS_REMOUNT))
	}
	require.Greater(t, full, 3)
	require.Equal(t, whole.outcome, outcome(t, w))
}
