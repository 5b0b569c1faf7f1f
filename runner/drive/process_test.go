//go:build unix

package drive_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/render"
)

// children are the programs that this test binary runs instead of its tests if
// DRIVE_CHILD names one; DRIVE_AT is a directory.
var children = map[string]func(dir string) int{
	"write": writeForEver,
	"run":   runUntilInterrupted,
	"hang":  hangOnceInterrupted,
	"hold":  holdTheLock,
	"small": writeMoreThanAllowed,
	"short": runShort,

	"progress": runForAWhile,
}

func TestMain(m *testing.M) {
	if child, ok := children[os.Getenv("DRIVE_CHILD")]; ok {
		os.Exit(child(os.Getenv("DRIVE_AT")))
	}
	os.Exit(m.Run())
}

func child(name, dir string) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "DRIVE_CHILD="+name, "DRIVE_AT="+dir, "TMPDIR="+dir)
	return c
}

// document returns a text whose first and last lines match.
func document(n int) string {
	return fmt.Sprintf("begin %d\n%s\nend %d\n", n, strings.Repeat("some line\n", 5000), n)
}

func writeForEver(dir string) int {
	for n := 0; ; n++ {
		err := outfile.Write(filepath.Join(dir, "doc"), func(w io.Writer) error {
			_, err := io.WriteString(w, document(n))
			return err
		})
		if err != nil {
			return 1
		}
	}
}

func TestKilledWriterLeavesWholeFiles(t *testing.T) {
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(1, 1))
	doc := filepath.Join(dir, "doc")
	for range nightly.Pick(5, 25, 100) {
		require.NoError(t, os.RemoveAll(doc))
		c := child("write", dir)
		require.NoError(t, c.Start())
		for there := false; !there; time.Sleep(time.Millisecond) {
			_, err := os.Stat(doc)
			there = err == nil
		}
		time.Sleep(time.Duration(random.IntN(40)) * time.Millisecond)
		require.NoError(t, c.Process.Kill())
		require.Error(t, c.Wait())
		b, err := os.ReadFile(doc)
		require.NoError(t, err)
		var n int
		_, err = fmt.Sscanf(string(b), "begin %d", &n)
		require.NoError(t, err)
		require.Equal(t, document(n), string(b))
	}
}

// runUntilInterrupted is a command as users write it.
func runUntilInterrupted(dir string) int {
	ctx, stop := drive.Interruptible(context.Background())
	defer stop()
	o := &drive.Options{Config: runner.Config{Duration: 5 * time.Minute}, Workers: []int{2}, Repeat: 1,
		NoLock: true, Out: []string{filepath.Join(dir, "r.json")}}
	op := runner.Func(func(context.Context) error { time.Sleep(time.Millisecond); return nil })
	fmt.Println("ready")
	return drive.Status(drive.Run(ctx, "child", op, o, drive.Streams{Out: os.Stdout, Err: os.Stderr}))
}

// started waits until the child prints ready, and returns its output from then
// on.
func started(t *testing.T, c *exec.Cmd) *bytes.Buffer {
	t.Helper()
	pipe, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	_, err = io.ReadFull(pipe, make([]byte, len("ready\n")))
	require.NoError(t, err)
	out := &bytes.Buffer{}
	done := make(chan struct{})
	go func() { _, _ = io.Copy(out, pipe); close(done) }()
	t.Cleanup(func() { <-done })
	return out
}

func TestInterruptAtAnyMomentLeavesAWholeReport(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for range nightly.Pick(5, 25, 100) {
		dir := t.TempDir()
		c := child("run", dir)
		started(t, c)
		time.Sleep(time.Duration(random.IntN(150)) * time.Millisecond)
		at := time.Now()
		require.NoError(t, c.Process.Signal(os.Interrupt))
		_ = c.Wait()
		require.Less(t, time.Since(at), 4*time.Minute, "it must end before its duration")
		require.Equal(t, drive.Interrupted, c.ProcessState.ExitCode())
		f, err := os.Open(filepath.Join(dir, "r.json"))
		require.NoError(t, err)
		name, r, err := render.ReadJSON(f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		require.Equal(t, "child", name)
		require.True(t, r.Interrupted)
	}
}

// hangOnceInterrupted is a command with operations that do not end, and code
// after the first ^C that does not end either.
func hangOnceInterrupted(string) int {
	ctx, stop := drive.Interruptible(context.Background())
	defer stop()
	fmt.Println("ready")
	<-ctx.Done()
	fmt.Println("first")
	time.Sleep(5 * time.Minute)
	return 0
}

func TestSecondInterruptEndsAtOnce(t *testing.T) {
	c := child("hang", t.TempDir())
	pipe, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	// two signals in quick succession can merge into one
	for _, line := range []string{"ready\n", "first\n"} {
		b := make([]byte, len(line))
		_, err = io.ReadFull(pipe, b)
		require.NoError(t, err)
		require.Equal(t, line, string(b))
		require.NoError(t, c.Process.Signal(os.Interrupt))
	}
	_ = c.Wait()
	require.Equal(t, drive.Interrupted, c.ProcessState.ExitCode())
}

func holdTheLock(string) int {
	unlock, err := drive.Lock(context.Background(), func(drive.Holder) { fmt.Println("waits") })
	if err != nil {
		return 1
	}
	defer unlock()
	fmt.Println("ready")
	time.Sleep(5 * time.Minute)
	return 0
}

// TestOnlyOneProcessMeasures: the lock names its holder, and is free when that process is killed.
func TestOnlyOneProcessMeasures(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	c := child("hold", dir)
	started(t, c)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var holder drive.Holder
	_, err := drive.Lock(ctx, func(h drive.Holder) {
		holder = h
		cancel()
	})
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "another measurement")
	if runtime.GOOS == "linux" {
		require.Equal(t, c.Process.Pid, holder.PID)
		require.Contains(t, holder.Command, filepath.Base(c.Path))
		require.WithinDuration(t, time.Now(), holder.Since, time.Hour)
	}
	require.NoError(t, c.Process.Kill()) // which releases the lock
	_ = c.Wait()
	unlock, err := drive.Lock(context.Background(), nil)
	require.NoError(t, err)
	unlock()
}

// TestALentLock checks that a process that was started by the holder of the lock
// does not wait if the lock is lent, and waits otherwise.
func TestALentLock(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("ZKATBENCH_LOCK", "")
	unlock, err := drive.Lock(context.Background(), nil)
	require.NoError(t, err)
	defer unlock()
	for lend, waits := range map[string]bool{"": true, "lend": false, "without": false, "stale": true} {
		switch lend {
		case "lend":
			require.NoError(t, drive.Lend())
		case "without":
			require.NoError(t, drive.WithoutLock())
		case "stale":
			t.Setenv("ZKATBENCH_LOCK", "1")
		case "":
			t.Setenv("ZKATBENCH_LOCK", "")
		}
		if waits && lend == "stale" && runtime.GOOS != "linux" {
			continue // the system does not name the holder
		}
		c := child("hold", os.Getenv("TMPDIR"))
		out, err := c.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, c.Start())
		line, err := bufio.NewReader(out).ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, map[bool]string{true: "waits\n", false: "ready\n"}[waits], line, lend)
		require.NoError(t, c.Process.Kill())
		_ = c.Wait()
	}
}

const allowed = 64 << 10

// writeMoreThanAllowed writes a file of a megabyte where 64 KiB are allowed;
// the error of the system resembles a full disk.
func writeMoreThanAllowed(dir string) int {
	limit := syscall.Rlimit{Cur: allowed, Max: allowed}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		fmt.Println(err)
		return 3
	}
	return writeLarge(dir)
}

func writeLarge(dir string) int {
	err := outfile.Write(filepath.Join(dir, "doc"), func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Repeat("x", 1<<20))
		return err
	})
	fmt.Println(err)
	return drive.Status(err)
}

func TestFullDiskIsAClearError(t *testing.T) {
	for name, make := range map[string]func(dir string) (undo func(), words string){
		"limit": func(string) (func(), string) { return func() {}, "file too large" },
		"tmpfs": smallFileSystem,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			undo, words := make(dir)
			old := filepath.Join(dir, "doc")
			require.NoError(t, os.WriteFile(old, []byte("old"), 0o644))
			c := child("small", dir)
			out, err := c.Output()
			require.Error(t, err)
			require.Equal(t, 2, c.ProcessState.ExitCode(), "%s", out)
			require.Contains(t, string(out), words)
			require.Contains(t, string(out), old)
			b, err := os.ReadFile(old)
			require.NoError(t, err)
			require.Equal(t, "old", string(b))
			undo()
		})
	}
}

// runForAWhile runs several times the duration of the first progress line.
func runForAWhile(string) int {
	o := &drive.Options{Config: runner.Config{Ops: 500, WarmUp: -1}, Workers: []int{1}, Repeat: 1,
		NoLock: true}
	op := runner.Func(func(context.Context) error { time.Sleep(time.Millisecond); return nil })
	return drive.Status(drive.Run(context.Background(), "child", op, o,
		drive.Streams{Out: os.Stdout, Err: os.Stderr}))
}

// runShort is a command that prints its error.
func runShort(string) int {
	ctx, stop := drive.Interruptible(context.Background())
	defer stop()
	o := &drive.Options{Config: runner.Config{Ops: 5, WarmUp: -1}, Workers: []int{1}, Repeat: 1, NoLock: true}
	op := runner.Func(func(context.Context) error { time.Sleep(time.Millisecond); return nil })
	err := drive.Run(ctx, "child", op, o, drive.Streams{Out: os.Stdout, Err: os.Stderr})
	fmt.Fprintln(os.Stderr, err)
	return drive.Status(err)
}

func TestAnOutputThatFailsIsAClearError(t *testing.T) {
	r, closed, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, r.Close())
	outputs := map[string]*os.File{"broken pipe": closed}
	if full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0); err == nil { // exists on Linux
		outputs["no space left on device"] = full
	}
	for words, out := range outputs {
		c := child("short", t.TempDir())
		var complaint bytes.Buffer
		c.Stdout, c.Stderr = out, &complaint
		require.Error(t, c.Run())
		require.Equal(t, 2, c.ProcessState.ExitCode(), words)
		require.Contains(t, complaint.String(), words)
		require.NoError(t, out.Close())
	}
}
