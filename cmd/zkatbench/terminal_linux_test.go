package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestRunOnATerminal checks that progress appears on a terminal without
// corrupting lines of results, and that a pipe gets no progress.
func TestRunOnATerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("starts runs")
	}
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.NoError(t, err)
	defer screen.Close()
	require.NoError(t, unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)

	run := measured(terminal, terminal)
	require.NoError(t, run.Start())
	require.NoError(t, terminal.Close())
	var out bytes.Buffer
	_, _ = io.Copy(&out, screen) // returns an error when the command closes its end
	require.NoError(t, run.Wait())
	require.Contains(t, out.String(), "s left, Sum/bits=8/")
	results := 0
	for line := range strings.Lines(out.String()) {
		const wiped = "\r\x1b[K"
		shown := line
		if i := strings.LastIndex(line, wiped); i >= 0 {
			shown = line[i+len(wiped):]
		}
		require.Equal(t, strings.Contains(line, "pkg: "), strings.HasPrefix(shown, "pkg: "), "%q", line)
		if strings.Contains(line, "ns/op") {
			require.True(t, strings.HasPrefix(shown, "Benchmark"), "%q", line)
			results++
		}
	}
	require.Equal(t, 6, results)

	var complaints bytes.Buffer
	out.Reset()
	require.NoError(t, measured(&out, &complaints).Run())
	require.NotContains(t, out.String()+complaints.String(), "left")
	require.NotContains(t, out.String()+complaints.String(), "\r")
}

// measured runs the synthetic benchmarks.
func measured(out, complaints io.Writer) *exec.Cmd {
	cmd := exec.Command("zkatbench", "run", "-count=2", ".", "--", "-bench=Sum", "-benchtime=10x")
	cmd.Dir = "../../bench/result/testdata/synthetic"
	cmd.Stdout, cmd.Stderr = out, complaints
	return cmd
}
