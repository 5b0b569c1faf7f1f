package bench // goTestStream is private: a run uses the streams of its own process

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReportStreams checks that output captured by go test goes to the stream
// of go test itself.
func TestReportStreams(t *testing.T) {
	_, own := pipe(t)
	r, theirs := pipe(t)
	file, err := os.Create(filepath.Join(t.TempDir(), "out.txt"))
	require.NoError(t, err)
	defer file.Close()
	for _, c := range []struct {
		name, parent string
		stream       *os.File // of the parent
		redirected   bool
		lost         bool
	}{
		{"package mode", "go", theirs, true, false},
		{"the same stream", "go", own, false, false},
		{"no child of go test", "bash", theirs, false, false},
		{"a file", "go", file, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "comm"), []byte(c.parent+"\n"), 0o600))
			require.NoError(t, os.Mkdir(filepath.Join(dir, "fd"), 0o700))
			stream := fmt.Sprintf("/proc/self/fd/%d", c.stream.Fd())
			require.NoError(t, os.Symlink(stream, filepath.Join(dir, "fd", fmt.Sprint(own.Fd()))))
			w, lost := goTestStream(dir, own)
			require.Equal(t, c.lost, lost)
			if !c.redirected {
				require.Same(t, own, w)
				return
			}
			_, err := io.WriteString(w, "report")
			require.NoError(t, err)
			got := make([]byte, 6)
			_, err = io.ReadFull(r, got)
			require.NoError(t, err)
			require.Equal(t, "report", string(got))
		})
	}
	w, lost := goTestStream("/proc/0", own)
	require.Same(t, own, w)
	require.False(t, lost)
	w, _ = goTestStream("/proc/self", io.Discard)
	require.Equal(t, io.Discard, w)
}

func pipe(t *testing.T) (r, w *os.File) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}
