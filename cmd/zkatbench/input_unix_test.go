//go:build unix

package main

import (
	"bytes"
	"context"
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
	for _, args := range [][]string{
		{"verify", dir}, {"report", pipe}, {"report", "/dev/zero"}, {"merge", pipe}, {"merge", "/dev/zero"},
		{"compare", pipe, pipe}, {"gate", pipe, pipe}, {"compare", "/dev/zero", "/dev/zero"},
		{"headroom", "-check", pipe}, {"ps18", "verify", pipe}, {"threshold", "replay", pipe},
		{"score", pipe},
	} {
		var out, complaints bytes.Buffer
		require.Equal(t, 2, run(context.Background(), args, streams{out: &out, err: &complaints}), "%v: %s",
			args, complaints.String())
		require.Equal(t, 1, strings.Count(complaints.String(), "\n"), "%v: %s", args, complaints.String())
		require.Contains(t, complaints.String(), "is a device or a pipe", "%v", args)
		require.Empty(t, out.String(), "%v", args)
	}
	_, err := os.Stat(pipe)
	require.NoError(t, err)
}
