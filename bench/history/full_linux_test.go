package history_test

import (
	"bytes"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/history"
)

// fileLimit is the environment variable that bounds files of a writer, in
// bytes.
const fileLimit = "ZKAT_HISTORY_LIMIT"

func limitFiles() error {
	n, err := strconv.ParseUint(os.Getenv(fileLimit), 10, 64)
	if err != nil {
		return nil // no limit
	}
	signal.Ignore(syscall.SIGXFSZ)
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n})
}

// TestFullDiskLosesNothing writes until there is no space: in a small file
// system if the test may mount one, and with a limit on file sizes in any case.
func TestFullDiskLosesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Run("limit", func(t *testing.T) { fill(t, t.TempDir(), "100000", "") })
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=100k"); err != nil {
		t.Logf("NOT RUN: a really full file system, which only root can mount: %v", err)
		return
	}
	defer func() { require.NoError(t, syscall.Unmount(dir, 0)) }()
	t.Run("tmpfs", func(t *testing.T) { fill(t, dir, "", history.ErrFull.Error()) })
}

func fill(t *testing.T, dir, limit, complaint string) {
	name := filepath.Join(dir, "h.db")
	cmd := writer(name, 0, 100000)
	var complaints bytes.Buffer
	cmd.Env, cmd.Stderr = append(cmd.Env, fileLimit+"="+limit), &complaints
	out, err := cmd.Output()
	require.Error(t, err, "the file system did not fill up")
	require.Contains(t, complaints.String(), complaint)
	content, err := os.ReadFile(name)
	require.NoError(t, err)
	require.True(t, bytes.HasSuffix(content, []byte("\n")), "the file has a part of a run")
	committed := strings.Fields(string(out))
	require.Greater(t, len(committed), 10)
	there := checkIntegrity(t, name, casesEach)
	require.Len(t, there, len(committed))
	for _, revision := range committed {
		require.True(t, there[revision], revision)
	}
}
