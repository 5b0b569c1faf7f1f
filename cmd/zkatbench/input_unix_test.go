//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPipesAndDevicesAreNoInput: commands that read files refuse pipes and devices in
// one line, with status 2, and do not wait for them.
func TestPipesAndDevicesAreNoInput(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe.json")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	cases := map[string]string{}
	for _, line := range []string{"verify " + dir, "report PIPE", "report /dev/zero", "merge PIPE",
		"merge /dev/zero", "compare PIPE PIPE", "gate PIPE PIPE", "compare /dev/zero /dev/zero",
		"headroom -check PIPE", "ps18 verify PIPE", "threshold replay PIPE", "score PIPE"} {
		cases[strings.ReplaceAll(line, "PIPE", pipe)] = "is a device or a pipe"
	}
	refuses(t, cases)
	_, err := os.Stat(pipe)
	require.NoError(t, err)
}
