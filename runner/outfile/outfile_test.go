//go:build unix

package outfile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// contains checks the content of a file.
func contains(t *testing.T, name, want string) {
	t.Helper()
	content, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, want, string(content))
}

// TestFilesAppearWhole checks that a failed write leaves only the old file.
func TestFilesAppearWhole(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out.txt")
	require.NoError(t, outfile.WriteBytes(name, []byte("old")))
	broken := errors.New("broken")
	err := outfile.Write(name, func(w io.Writer) error {
		_, _ = io.WriteString(w, "half")
		return broken
	})
	require.EqualError(t, err, name+": broken")
	err = outfile.Write(name, func(io.Writer) error {
		return &os.PathError{Op: "write", Path: "other", Err: broken}
	})
	require.EqualError(t, err, name+": write other: broken")
	contains(t, name, "old")
	require.Equal(t, []string{"out.txt"}, files(t, dir))
	require.NoError(t, outfile.WriteBytes(name, []byte("new")))
	contains(t, name, "new")
	require.Equal(t, []string{"out.txt"}, files(t, dir))
	info, err := os.Stat(name)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o644), info.Mode())
}

// TestLinksStay checks that the target of a link is replaced.
func TestLinksStay(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(target, nil, 0o600))
	require.NoError(t, os.Symlink("target", link))
	require.NoError(t, outfile.WriteBytes(link, []byte("new")))
	contains(t, target, "new")
	info, err := os.Lstat(link)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeSymlink)
}

// TestDevicesAreRefused checks that devices, pipes and folders are refused,
// also through a link.
func TestDevicesAreRefused(t *testing.T) {
	dir := t.TempDir()
	pipe, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "link")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	require.NoError(t, os.Symlink(os.DevNull, link))
	for _, name := range []string{os.DevNull, pipe, dir, link} {
		called := false
		err := outfile.Write(name, func(io.Writer) error { called = true; return nil })
		require.ErrorIs(t, err, outfile.ErrDevice, name)
		require.False(t, called, name)
	}
	require.ElementsMatch(t, []string{"pipe", "link"}, files(t, dir))
	require.ErrorIs(t, outfile.WriteBytes(filepath.Join(dir, "no folder", "x"), nil), os.ErrNotExist)
}

// TestDevicesAreNoInput: Open reads files and links to them, and refuses devices.
func TestDevicesAreNoInput(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(name, []byte("text"), 0o600))
	require.NoError(t, os.Symlink(name, link))
	for _, n := range []string{name, link} {
		b, err := outfile.ReadFile(n)
		require.NoError(t, err)
		require.Equal(t, "text", string(b))
	}
	_, err := outfile.Open(os.DevNull)
	require.ErrorIs(t, err, outfile.ErrInput)
	_, err = outfile.ReadFile(dir)
	require.Error(t, err)
	_, err = outfile.ReadFile(os.DevNull)
	require.EqualError(t, err, os.DevNull+" is a device or a pipe; write it to a file first")
	_, err = outfile.ReadFile(filepath.Join(dir, "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestCheckIsTheErrorOfCreate(t *testing.T) {
	dir := t.TempDir()
	absent := filepath.Join(dir, "absent", "new")
	require.NoError(t, outfile.Check("", "-", filepath.Join(dir, "new")))
	require.Empty(t, files(t, dir))
	require.ErrorIs(t, outfile.Check("", absent), os.ErrNotExist)
	require.Error(t, outfile.SyncFolder(absent))
}

// TestFilesBeforeTheirNames are hidden files in the same folder, which Discard removes.
func TestFilesBeforeTheirNames(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.json")
	f, err := outfile.Create(name)
	require.NoError(t, err)
	require.Len(t, files(t, dir), 1)
	require.Regexp(t, `^\.a\.json\.`, files(t, dir)[0])
	require.NoError(t, f.Commit())
	f.Discard()
	require.Equal(t, []string{"a.json"}, files(t, dir))
	gone, err := outfile.Create(name)
	require.NoError(t, err)
	gone.Discard()
	require.ErrorContains(t, gone.Commit(), name+": ")
	require.Equal(t, []string{"a.json"}, files(t, dir))
}

func TestCauseIsWithoutNames(t *testing.T) {
	bad := errors.New("bad")
	for _, err := range []error{&os.PathError{Err: bad}, &os.LinkError{Err: bad}, bad} {
		require.Equal(t, bad, outfile.Cause(err))
	}
}
