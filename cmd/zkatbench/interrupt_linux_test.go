package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
)

// clockTick is the unit of processor times in /proc/PID/stat.
const clockTick = time.Second / 100

// groupUsage is the processor time of the processes of a group, including children that
// have ended, and the number of the processes.
func groupUsage(group int) (used time.Duration, processes int) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if of, err := syscall.Getpgid(pid); err != nil || of != group {
			continue
		}
		text, _ := os.ReadFile("/proc/" + e.Name() + "/stat")
		_, after, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(after) // from state on; none if the process has ended
		if len(fields) < 15 || fields[0] == "Z" {
			continue
		}
		processes++
		for _, field := range fields[11:15] { // utime, stime, cutime, cstime
			ticks, _ := strconv.Atoi(field)
			used += time.Duration(ticks) * clockTick
		}
	}
	return used, processes
}

// Commands that are not short work for at least longEnough of processor time. A signal
// before atStart may come before the command handles signals.
const (
	atStart    = 150 * time.Millisecond
	longEnough = 300 * time.Millisecond
)

// interruptible is a command that does not end by itself for a long time.
type interruptible struct {
	args  []string
	stdin func(t *testing.T) io.Reader
	dir   string
	// idle says that the command waits and takes no processor time.
	idle bool
	// short says that the command may end before the signal.
	short bool
}

// silent is a server that accepts connections and does not answer.
func silent(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	return "http://" + l.Addr().String()
}

// never is a pipe without a writer.
func never(t *testing.T) io.Reader {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { r.Close(); w.Close() })
	return r
}

func interruptibles(t *testing.T) map[string]interruptible {
	t.Helper()
	dir := t.TempDir()
	synthetic := filepath.Join(dir, "synthetic")
	require.NoError(t, os.CopyFS(synthetic, os.DirFS("../../bench/result/testdata/synthetic")))
	snapshot := filepath.Join(dir, "snapshot.json")
	_, complaints, exit := try("threshold", "record", "-case=robust-presign", "-max-malicious=10",
		"-o="+snapshot)
	require.Zero(t, exit, complaints)
	one := []string{"-curves=BN254", "-bits=32", "-num_inputs=2", "-num_outputs=2"}
	measured := func(args ...string) interruptible { return interruptible{args: append(args, one...)} }
	return map[string]interruptible{
		"run": {args: []string{"run", "-nolock", ".", "--", "-bench=.", "-benchtime=1h"},
			dir: synthetic},
		"compare": {args: []string{"compare", "-nolock", synthetic, synthetic, ".", "--",
			"-bench=.", "-benchtime=1h"}, dir: synthetic},
		"gate": {args: []string{"gate", "-nolock", synthetic, synthetic, ".", "--", "-bench=.",
			"-benchtime=1h"}, dir: synthetic},
		"load of a command": {args: []string{"load", "-nolock", "-duration=1h", "--", "sleep", "1000"},
			idle: true},
		"load of commands": {args: []string{"load", "-nolock", "-duration=1h", "--", "true"}},
		"load of a server": {args: []string{"load", "-nolock", "-duration=1h", silent(t)}, idle: true},
		"score":            {args: []string{"score", "-nolock", "-duration=1h", "."}, dir: synthetic},
		"inside":           measured("inside", "-nolock", "-what=time", "-count=1000000", "Sender"),
		"inside, from stdin": {args: append([]string{"inside", "-nolock", "-what=run", "-stdin",
			"VerificationSenderProof"}, one...), stdin: never, idle: true},
		"shots": measured("shots", "-nolock", "Sender"),
		"ops":   {args: []string{"ops", "-costs=" + filepath.Join(dir, "ops.json")}},
		"costs": {args: []string{"costs", "-nolock", "-duration=1h",
			"-costs=" + filepath.Join(dir, "costs.json")}},
		"capacity": {args: []string{"capacity", "-nolock", "-rate=800"}},
		"vectors": {args: []string{"vectors", "-count=65536",
			"-o=" + filepath.Join(dir, "vectors")}},
		"threshold record": {args: []string{"threshold", "record", "-case=ot-triples", "-max-malicious=60",
			"-o=" + filepath.Join(dir, "large.json")}},
		"threshold replay":  {args: []string{"threshold", "replay", "-party=all", snapshot}, short: true},
		"threshold table":   {args: []string{"threshold", "table", "-nolock"}},
		"threshold picture": {args: []string{"threshold", "picture", "-nolock"}},
		"threshold growth":  {args: []string{"threshold", "growth", "-nolock"}},
		"headroom, all":     {args: []string{"headroom", "-what=settings", "-budget=1h"}},
		"headroom, sizes":   {args: []string{"headroom", "-what=sizes", "-modulus=p521"}, short: true},
		"limbs generate":    {args: []string{"limbs", "generate", "-help"}, short: true},
		"list":              {args: []string{"list"}, short: true},
	}
}

// TestInterruptsEndEveryCommand: ^C and SIGTERM end every command within two seconds,
// when it starts and after it has worked for some time, with status 130 and without
// leaving a process. On a busy machine a second of processor time after the signal is
// enough, however long that takes.
func TestInterruptsEndEveryCommand(t *testing.T) {
	commands := interruptibles(t)
	after := nightly.Pick([]time.Duration{200 * time.Millisecond}, []time.Duration{200 * time.Millisecond},
		[]time.Duration{20 * time.Millisecond, 200 * time.Millisecond, time.Second, 5 * time.Second})
	for i, name := range slices.Sorted(maps.Keys(commands)) {
		c := commands[name]
		for _, worked := range after {
			for k, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
				if !nightly.On() && i%2 != k || testing.Short() && i%8 != 0 {
					continue
				}
				t.Run(fmt.Sprintf("%s after %v, %v", name, worked, sig), func(t *testing.T) {
					interruptOne(t, c, worked, sig)
				})
			}
		}
	}
}

func interruptOne(t *testing.T, c interruptible, worked time.Duration, sig syscall.Signal) {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.Command("zkatbench", c.args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.dir, &out, &out
	if c.dir == "" {
		cmd.Dir = t.TempDir()
	}
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Minute
	if c.stdin != nil {
		cmd.Stdin = c.stdin(t)
	}
	require.NoError(t, cmd.Start())
	group := cmd.Process.Pid
	defer func() { _ = syscall.Kill(-group, syscall.SIGKILL) }()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()

	var used time.Duration
	for last := time.Now(); used < worked; time.Sleep(50 * time.Millisecond) {
		now, processes := groupUsage(group)
		if processes > 0 && now > used {
			used, last = now, time.Now()
		}
		if c.idle && time.Since(last) > time.Second {
			break // it waits
		}
		select {
		case err := <-ended:
			if err == nil && (c.short || worked > longEnough) {
				return
			}
			t.Fatalf("%v ended by itself: %v\n%s", c.args, err, out.String())
		default:
		}
	}
	if err := cmd.Process.Signal(sig); !c.short || !errors.Is(err, os.ErrProcessDone) {
		require.NoError(t, err)
	}
	signalled := time.Now()
	before, _ := groupUsage(group)
	for {
		select {
		case err := <-ended:
			if c.short && err == nil {
				return
			}
			exit := new(exec.ExitError)
			require.True(t, errors.As(err, &exit), "%v: %v\n%s", c.args, err, out.String())
			if status, ok := exit.Sys().(syscall.WaitStatus); ok && (c.idle || worked < atStart) &&
				status.Signaled() && status.Signal() == sig {
				return // it had not begun
			}
			require.Equal(t, interrupted, exit.ExitCode(), "%v: %v\n%s", c.args, exit, out.String())
			for {
				left, processes := groupUsage(group)
				if processes == 0 {
					return
				}
				require.Less(t, time.Since(signalled), time.Minute, "%d processes are left, after %v",
					processes, left)
				time.Sleep(10 * time.Millisecond)
			}
		case <-time.After(50 * time.Millisecond):
		}
		now, _ := groupUsage(group)
		if took := time.Since(signalled); took > lastWords+time.Second && now-before > time.Second ||
			took > time.Minute {
			_ = cmd.Process.Signal(syscall.SIGQUIT) // it prints its goroutines
			<-ended
			t.Fatalf("%v did not end %v after %v, in %v of processor time:\n%s", c.args, took, sig,
				now-before, out.String())
		}
	}
}
