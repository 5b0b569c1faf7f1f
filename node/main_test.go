package main

import (
	"bytes"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/internal/testflags"
	"github.com/zkatbench/zkatbench/node/payments"
)

// The flags of other benchmarks are accepted and ignored.
func init() { testflags.Accept(flag.CommandLine) }

// TestBadInput: wrong flags and files are one line on stderr, before any work.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, []byte("no parameters"), 0o600))
	for line, status := range map[string]int{
		"-batch=0": 2, "-batch=x": 2, "-queue=-1": 2, "-linger=-1s": 2, "-connections=0": 2, "-payments=0": 2, "word": 2,
		"-listen=:0": 2, "-listen=:0 -params=" + file: 2, "-cert=a": 2, "-key=a": 2, "-client-ca=a": 2, "-follow=v9": 2, "-nothing": 2,
		"-listen=:0 -store=s -params=" + file:                     1,
		"-listen=:0 -store=s -params=" + filepath.Join(dir, "no"): 1,
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, status, run(t.Context(), strings.Fields(line), &stdout, &stderr), line)
		require.Empty(t, stdout.String(), line)
		first, _, _ := strings.Cut(stderr.String(), "\n")
		require.NotEmpty(t, first, line)
		if status == 1 {
			require.Equal(t, 1, strings.Count(stderr.String(), "\n"), line)
		}
	}
	require.NoFileExists(t, "s")
}

// TestDemonstration: without flags, all payments are accepted.
func TestDemonstration(t *testing.T) {
	var stdout, stderr bytes.Buffer
	require.Zero(t, run(t.Context(), []string{"-payments=20", "-reserve=1"}, &stdout, &stderr), stderr.String())
	require.Contains(t, stdout.String(), "20 payments accepted")
}

// TestManyConnections: idle connections beyond the limit wait outside the server. Its
// memory stays bounded, and it answers when they are gone.
func TestManyConnections(t *testing.T) {
	connections := nightly.Pick(200, 2000, 10_000)
	pool, err := payments.New(payments.Config{Bits: 16})
	require.NoError(t, err)
	list, err := pool.Take(1)
	require.NoError(t, err)
	server := startRemote(t, newLedger(t, pool, list), "-connections=100", "-reserve=1")
	before := residentBytes(t, server)
	var idle []net.Conn
	for len(idle) < connections {
		c, err := net.DialTimeout("tcp", server.address, 10*time.Second)
		if err != nil {
			t.Logf("connection %d: %v", len(idle), err) // the backlog of the system is full
			break
		}
		idle = append(idle, c)
	}
	require.GreaterOrEqual(t, len(idle), 100)
	grown := residentBytes(t, server) - before
	t.Logf("%d idle connections, 100 of them accepted: %d kB more memory", len(idle), grown>>10)
	require.Less(t, grown, int64(64<<20))
	for _, c := range idle {
		c.Close()
	}
	require.NoError(t, submit(t.Context(), server.connect(t, 1)[0], list[0]))
}

// residentBytes returns the memory of the server in use, 0 where the system does not
// tell.
func residentBytes(t *testing.T, r *remote) int64 {
	if runtime.GOOS != "linux" {
		return 0
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", r.process.Process.Pid))
	require.NoError(t, err)
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	require.NoError(t, err)
	return pages * int64(os.Getpagesize())
}
