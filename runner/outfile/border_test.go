package outfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFilesBeforeTheirNames are hidden files in the same folder. Renamed, they have the
// rights of other files.
func TestFilesBeforeTheirNames(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.json")
	f, err := Create(name)
	require.NoError(t, err)
	require.Equal(t, dir, filepath.Dir(f.Name()))
	require.True(t, strings.HasPrefix(filepath.Base(f.Name()), ".a.json."), f.Name())
	_, err = f.WriteString("new")
	require.NoError(t, err)
	require.NoError(t, f.Commit())
	f.Discard()
	content, err := ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "new", string(content))
	info, err := os.Stat(name)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o644), info.Mode().Perm())
	gone, err := Create(name)
	require.NoError(t, err)
	gone.Discard()
	_, err = os.Stat(gone.Name())
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, gone.Commit(), name+": ")

	require.NoError(t, Check("", "-", name))
	require.ErrorContains(t, Check("", name, filepath.Join(dir, "none", "b")), "none")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
	require.ErrorIs(t, Check(dir), ErrDevice)
	require.ErrorContains(t, Check(dir), dir+" is not a regular file")
	_, err = ReadFile(filepath.Join(dir, "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = ReadFile(dir)
	require.Error(t, err)
	_, err = Open("/dev/null")
	require.ErrorIs(t, err, ErrInput)
	require.ErrorContains(t, err, "/dev/null is a device")

	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(name, link))
	require.NoError(t, WriteBytes(link, []byte("through")))
	content, err = ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "through", string(content))
	bad := errors.New("bad")
	err = Write(name, func(w io.Writer) error { _, _ = io.WriteString(w, "part"); return bad })
	require.ErrorIs(t, err, bad)
	require.EqualError(t, err, name+": bad")
	err = Write(name, func(io.Writer) error { return &os.PathError{Op: "write", Path: "other", Err: bad} })
	require.EqualError(t, err, name+": write other: bad")
	for _, err := range []error{&os.PathError{Err: bad}, &os.LinkError{Err: bad}, bad} {
		require.Equal(t, bad, Cause(err))
	}
	gone2 := filepath.Join(dir, "gone")
	require.NoError(t, os.Mkdir(gone2, 0o755))
	t.Chdir(gone2)
	require.NoError(t, os.Remove(gone2))
	require.NoError(t, Check("", "-"), "where no file can be made")
	require.Error(t, Check("x"))
	require.Error(t, SyncFolder(filepath.Join(dir, "none")))
	require.NoError(t, SyncFolder(dir))
}
