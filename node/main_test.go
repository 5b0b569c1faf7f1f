package main

import (
	"bytes"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/internal/testflags"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// The flags of other benchmarks are accepted and ignored.
func init() { testflags.Accept(flag.CommandLine) }

// TestFlagsAreWords: flags have the names and meanings of flags.Words; an earlier name is
// answered with the present one.
func TestFlagsAreWords(t *testing.T) {
	set := new(settings).flags()
	for _, f := range set.All() {
		at := slices.IndexFunc(flags.Words, func(w flags.Word) bool { return w.Name == f.Name })
		require.GreaterOrEqual(t, at, 0, f.Name)
		require.True(t, strings.HasPrefix(f.Usage, flags.Words[at].Meaning), f.Name)
	}
	for earlier, now := range map[string]string{"store": "dir", "client-ca": "tls-ca", "payments": "count",
		"blocks": "workers", "key": "tls-key"} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, 2, run(t.Context(), []string{"-" + earlier + "=1", "-nothing"}, &stdout, &stderr))
		require.Equal(t, fmt.Sprintf("node: -%s is now -%s\nnode: there is no flag -nothing\n", earlier, now),
			stderr.String())
	}
}

// TestBadInput: wrong flags and files are one line on stderr, before any work.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, []byte("no parameters"), 0o600))
	for line, status := range map[string]int{
		"-batch=0": 2, "-batch=x": 2, "-queue=-1": 2, "-linger=-1s": 2, "-linger=0s": 2,
		"-connections=0": 2, "-count=0": 2,
		"word":                2,
		"-listen=localhost:0": 2, "-listen=localhost:0 -params=" + file: 2, "-idle=0s": 2,
		"-send=a -listen=b": 2,
		"-follow=v9":        2, "-nothing": 2, "-dir=s": 2,
		"-listen=localhost:0 -dir=s -params=" + file:                     2,
		"-listen=localhost:0 -dir=s -params=" + filepath.Join(dir, "no"): 2,
		"-send=localhost:1 -count=1":                                     1,
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, status, run(t.Context(), strings.Fields(line), &stdout, &stderr), line)
		require.Empty(t, stdout.String(), line)
		first, _, _ := strings.Cut(stderr.String(), "\n")
		require.NotEmpty(t, first, line)
		require.Equal(t, 1, strings.Count(stderr.String(), "\n"), line)
	}
	require.NoFileExists(t, "s")
}

// TestDemonstration: without flags, all payments are accepted.
func TestDemonstration(t *testing.T) {
	var stdout, stderr bytes.Buffer
	require.Zero(t, run(t.Context(), []string{"-count=20", "-reserve=1"}, &stdout, &stderr),
		stderr.String())
	require.Contains(t, stdout.String(), "20 payments accepted")
}

// TestManyConnections: the server closes idle connections beyond the limit of an address. Its
// memory stays bounded, and it answers when they are gone.
func TestManyConnections(t *testing.T) {
	connections := nightly.Pick(200, 2000, 10_000)
	pool, list := take(t, 1)
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
	// the server closes connections until it has noticed that others ended
	require.NoError(t, submit(t.Context(), server.connect(t, 1)[0], list[0], grpc.WaitForReady(true)))
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
