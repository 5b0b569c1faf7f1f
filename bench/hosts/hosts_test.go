package hosts // look, run and program are private steps of a fleet of several machines

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner"
	load "github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// script is an ssh that runs commands here. Some destinations have faults.
const script = `#!/bin/sh
while :; do case $1 in -o) shift 2;; --) shift; break;; *) echo "no -- before $1" >&2; exit 1;; esac; done
host=$1; shift
case $host in
gone) echo "ssh: connect to host gone port 22: Connection refused" >&2; exit 255;;
full) case "$*" in *tar*)
	cat >/dev/null; echo "tar: ./zkatbench: Cannot write: No space left on device" >&2; exit 2;;
	esac;;
vax) uname() { echo VMS vax; };;
late) date() { echo 4000000000.5; };;
esac
eval "$*"
`

// fakeSSH makes ssh run commands on this machine.
func fakeSSH(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ssh"), []byte(script), 0o755))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func TestReadHosts(t *testing.T) {
	name := filepath.Join(t.TempDir(), "hosts")
	read := func(text string) ([]*Host, error) {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		return Read(name)
	}
	all, err := read("# a comment\n\nbench@node7 0-3 /scratch\nnode8\tall  bench dir\n")
	require.ErrorContains(t, err, "line 4")
	require.Empty(t, all)
	all, err = read("# a comment\n\nbench@node7 0-3 /scratch\nbench@node7 4,5 /scratch\nnode8\tall  bench\n")
	require.NoError(t, err)
	require.Equal(t,
		[]*Host{{Destination: "bench@node7", Cores: "0-3", Folder: "/scratch"},
			{Destination: "bench@node7", Cores: "4,5", Folder: "/scratch"},
			{Destination: "node8", Cores: "all", Folder: "bench"}}, all)
	require.Equal(t, []string{"-pin=4,5"}, all[1].Pin())
	require.Empty(t, all[2].Pin())
	for text, complaint := range map[string]string{
		"": "has no hosts", "a 0": "is not a line of hosts", "a x b": `"x" is not auto or a list`,
		"-oProxyCommand=x 0 b": "is not a line of hosts",
		"a 0-1 b\na 1 b":       "line 2: a stands there twice", "a all b\na 1 b": "stands there twice",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			_, err := read(text)
			require.ErrorContains(t, err, complaint)
			require.NotContains(t, err.Error(), "\n")
		})
	}
	_, err = Read(name + "x")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestLook(t *testing.T) {
	fakeSSH(t)
	look := func(all ...*Host) error { return look(t.Context(), all) }
	here, other := &Host{Destination: "here", Cores: "0"}, &Host{Destination: "other", Cores: "1"}
	require.NoError(t, look(here, other))
	require.Equal(t, Platform{runtime.GOOS, runtime.GOARCH}, here.Platform)
	require.Positive(t, here.ClockError)
	require.LessOrEqual(t, here.Clock.Abs(), here.ClockError+2*time.Microsecond,
		"the clock of this machine is right within its error")
	late := &Host{Destination: "late", Cores: "2"}
	require.NoError(t, look(late))
	require.InDelta(t, 4e9-float64(time.Now().Unix()), late.Clock.Seconds(), 60)
	for _, c := range []struct {
		hosts     []*Host
		complaint string
	}{
		{[]*Host{here, {Destination: "same", Cores: "0-1"}},
			"here and same are the same machine and share cores"},
		{[]*Host{here, {Destination: "same", Cores: "all"}},
			"here and same are the same machine and share cores"},
		{[]*Host{{Destination: "vax", Cores: "0"}}, `vax: no program is built for "VMS vax"`},
		{[]*Host{{Destination: "gone", Cores: "0"}},
			"gone: cannot be reached: ssh: connect to host gone port 22: Connection refused"},
	} {
		t.Run(c.complaint, func(t *testing.T) {
			require.ErrorContains(t, look(c.hosts...), c.complaint)
		})
	}
	require.ErrorIs(t, look(&Host{Destination: "gone", Cores: "0"}), errGone)
}

// TestFullDisk checks the only line of a host with a full disk, and that no folder is left on
// the others.
func TestFullDisk(t *testing.T) {
	fakeSSH(t)
	dir := t.TempDir()
	all := []*Host{{Destination: "here", Cores: "0", Folder: dir},
		{Destination: "full", Cores: "1", Folder: dir}}
	_, err := Open(t.Context(), all, os.Stderr, nil, func(Platform, string) ([]result.Binary, error) {
		return nil, nil
	})
	require.EqualError(t, err, "full: tar: ./zkatbench: Cannot write: No space left on device")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestOtherArchitecture(t *testing.T) {
	t.Chdir(t.TempDir()) // no module
	err := program(t.Context(), Platform{"linux", "s390x"}, filepath.Join(t.TempDir(), programName))
	require.ErrorContains(t, err, "linux/s390x differs from this machine, and the module here does not build")
	require.NotContains(t, err.Error(), "\n")
}

// TestRunEndsWithItsConnection interrupts a program on a host, which writes its last results.
func TestRunEndsWithItsConnection(t *testing.T) {
	fakeSSH(t)
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "run"), 0o755))
	h := &Host{Destination: "here", Folder: dir}
	ctx, cancel := context.WithCancel(t.Context())
	var out bytes.Buffer
	started := &Lines{Each: func(string) error { cancel(); return nil }}
	err := h.run(ctx, "run",
		[]string{"sh", "-c",
			`trap 'echo partial; exit 143' TERM; echo ready >&2; while :; do sleep 0.05; done`}, &out,
		started)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, "partial\n", out.String())

	err = h.run(t.Context(), "run", []string{"sh", "-c", "echo it is broken >&2; exit 3"}, &out,
		&bytes.Buffer{})
	require.EqualError(t, err, "here: it is broken")
	require.ErrorIs(t,
		(&Host{Destination: "gone"}).run(t.Context(), "run", []string{"true"}, &out, &bytes.Buffer{}),
		errGone)
}

// TestShardsOfHostsThatGoAway lets every set of hosts go away, at every shard that they take:
// each shard is measured by a host that stays, or is named as missing if none does.
func TestShardsOfHostsThatGoAway(t *testing.T) {
	const n = 4
	for gone := range 1 << n {
		for after := range 2 { // shards that a host measures before it goes away
			f := &Fleet{say: log.New(io.Discard, "", 0)}
			for i := range n {
				f.Hosts = append(f.Hosts, &Host{Destination: fmt.Sprint(i)})
			}
			var mu sync.Mutex
			measured, taken := map[int]int{}, map[string]int{}
			err := f.Shards(t.Context(), func(h *Host, s result.Shard) error {
				mu.Lock()
				defer mu.Unlock()
				require.Equal(t, n, s.Of)
				var i int
				_, _ = fmt.Sscan(h.Destination, &i)
				if taken[h.Destination]++; gone>>i&1 == 1 && taken[h.Destination] > after {
					return fmt.Errorf("%d: %w", i, errGone)
				}
				measured[s.Index]++
				return nil
			})
			for i, times := range measured {
				require.Equal(t, 1, times, "shard %d", i)
			}
			missing := 0
			if err != nil {
				missing = strings.Count(err.Error(), "is missing: no host is left for it")
			}
			require.Equal(t, n, len(measured)+missing)
			if gone != 1<<n-1 {
				require.NoError(t, err)
			}
		}
	}
	f := &Fleet{Hosts: []*Host{{Destination: "a"}, {Destination: "b"}}, say: log.New(io.Discard, "", 0)}
	broken := errors.New("a benchmark failed")
	require.ErrorIs(t, f.Shards(t.Context(), func(*Host, result.Shard) error { return broken }), broken)
}

func TestLines(t *testing.T) {
	var got []string
	l := &Lines{Each: func(line string) error { got = append(got, line); return nil }}
	for _, part := range []string{"a", "b\nc\n", "", "\n", "d"} {
		n, err := l.Write([]byte(part))
		require.NoError(t, err)
		require.Equal(t, len(part), n)
	}
	require.Equal(t, []string{"ab", "c", ""}, got)
	full := errors.New("full")
	_, err := (&Lines{Each: func(string) error { return full }}).Write([]byte("x\n"))
	require.ErrorIs(t, err, full)
}

// TestJointMovesClocks merges results of hosts with clocks an hour apart, and names the
// generator with the latest starts.
func TestJointMovesClocks(t *testing.T) {
	run := func(i int) *load.Result {
		plan := schedule.Plan{Rate: 200, Seed: 1, Arrival: schedule.Poisson, Generator: i, Generators: 2}
		r, err := runner.Run(t.Context(), runner.Config{Workers: 2, Ops: 50, WarmUp: -1, Plan: &plan},
			runner.Func(func(context.Context) error { return nil }))
		require.NoError(t, err)
		return r
	}
	a, b := run(1), run(2)
	b.Begun = a.Begun.Add(time.Hour)
	a.Open.LagMean, b.Open.LagMean = time.Millisecond, time.Second
	parts := []Part{{Host: &Host{Destination: "a"}, Result: a},
		{Host: &Host{Destination: "b", Clock: time.Hour, ClockError: time.Millisecond}, Result: b}}
	joint, err := Joint(parts)
	require.NoError(t, err)
	require.Equal(t, uint64(100), joint.Done)
	var out strings.Builder
	require.NoError(t, WriteShares(&out, parts, joint, 80))
	require.Contains(t, out.String(), "slowest generator: b\n")
	require.Contains(t, out.String(), "+3600000.0 ± 1.0 ms")
	parts[1].Clock = 0
	_, err = Joint(parts)
	require.ErrorIs(t, err, load.ErrMerge)
}
