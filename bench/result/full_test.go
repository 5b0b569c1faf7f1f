//go:build unix

package result_test

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
)

// limitVariable has the most bytes that a file of the process may have.
const limitVariable = "APPEND_UP_TO"

// limitFiles makes the system write files in part, as a full disk does.
func limitFiles(most uint64) error {
	signal.Ignore(syscall.SIGXFSZ)
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: most, Max: most})
}

// TestFullDisk: a result that does not fit is removed again, so the file ends with the
// last whole line. If the head of a file does not fit, only the older file is left. The run
// ends with an error.
func TestFullDisk(t *testing.T) {
	if most, err := strconv.ParseUint(os.Getenv(limitVariable), 10, 64); err == nil {
		if err := limitFiles(most); err != nil {
			t.Fatal(err)
		}
		appendForever(os.Getenv("FULL"))
		return
	}
	for _, most := range []int{3, 5000, 5001, 8192 + 40} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "results.txt")
			require.NoError(t, os.WriteFile(name, []byte("old"), 0o600))
			cmd := exec.Command(os.Args[0], "-test.run=^TestFullDisk$")
			cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", limitVariable, most), "FULL="+name)
			out, err := cmd.CombinedOutput()
			require.Error(t, err)
			entries, err := os.ReadDir(filepath.Dir(name))
			require.NoError(t, err)
			require.Len(t, entries, 1)
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			if most == 3 {
				require.Contains(t, string(out), "file too large")
				require.Equal(t, "old", string(text))
				return
			}
			require.LessOrEqual(t, len(text), most)
			require.Greater(t, len(text), most-100, "the disk is full")
			lines := strings.Split(string(text), "\n")
			require.Empty(t, lines[len(lines)-1])
			require.True(t, strings.HasSuffix(lines[len(lines)-2], " ns/op"), lines[len(lines)-2])
			d, err := result.ReadFiles(name)
			require.NoError(t, err)
			require.Equal(t, "X/i=0", d.Cases[0].Name)
			require.Equal(t, fmt.Sprintf("X/i=%d", len(d.Cases)-1), d.Cases[len(d.Cases)-1].Name)
		})
	}
}
