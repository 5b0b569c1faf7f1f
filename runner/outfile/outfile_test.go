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
	require.ErrorIs(t, err, broken)
	require.ErrorContains(t, err, name)
	content, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "old", string(content))
	require.Equal(t, []string{"out.txt"}, files(t, dir))
	require.NoError(t, outfile.WriteBytes(name, []byte("new")))
	content, err = os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "new", string(content))
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
	content, err := os.ReadFile(target)
	require.NoError(t, err)
	require.Equal(t, "new", string(content))
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
	_, err = outfile.ReadFile(os.DevNull)
	require.EqualError(t, err, os.DevNull+" is a device or a pipe; write it to a file first")
	_, err = outfile.ReadFile(filepath.Join(dir, "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestCheckIsTheErrorOfCreate(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, outfile.Check("", "-", filepath.Join(dir, "new")))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
	require.ErrorIs(t, outfile.Check(filepath.Join(dir, "absent", "new")), os.ErrNotExist)
}
