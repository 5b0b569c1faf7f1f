//go:build unix

package drive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/flags"
	require2 "github.com/zkatbench/zkatbench/runner/require"
)

// whole compares text with a golden file, which RUNNER_UPDATE_GOLDEN=1 rewrites.
func whole(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", "whole", name)
	if os.Getenv("RUNNER_UPDATE_GOLDEN") != "" {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "RUNNER_UPDATE_GOLDEN=1 rewrites it")
}

// read returns the Options of a command line.
func read(line string, env map[string]string) (*Options, error) {
	set := &flags.Set{Env: "T_"}
	o := Register(set)
	if _, _, err := set.Parse(strings.Fields(line)); err != nil {
		return o, err
	}
	return o, set.Resolve(func(name string) string { return env[name] })
}

// TestWholeOptions reads command lines with each flag, on both sides of its limits.
func TestWholeOptions(t *testing.T) {
	var b bytes.Buffer
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "d.json"), 0o755))
	for _, line := range []string{
		"", "-workers=1,4", "-workers=1", "-duration=1ms", "-duration=999us", "-duration=0 -operations=3", "-duration=0", "-operations=0", "-operations=7",
		"-precision=1%", "-precision=0.5", "-precision=p99:5%", "-precision=mean:2%", "-precision=p90:99.9%", "-precision=p99:", "-precision=:5%", "-precision=p98:5%", "-precision=1", "-precision=0", "-precision=100%", "-precision=x", "-precision=p99:x",
		"-warmup=2s", "-warmup=-1s", "-warmup=0", "-steady", "-rate=100", "-rate=0", "-rate=1e9", "-rate=1.1e9", "-rate=0.00001", "-rate=0.0000116", "-rate=x",
		"-rate=5 -workers=1", "-rate=5 -workers=2", "-rate=5 -seed=3 -generator=1/1", "-rate=5 -generator=1/2", "-seed=3 -generator=1/2", "-rate=5 -seed=3 -generator=2/1", "-rate=5 -seed=3 -generator=0/1", "-rate=5 -seed=3 -generator=01/2", "-rate=5 -seed=3 -generator=1/2x", "-rate=5 -seed=3 -generator=1", "-rate=5 -seed=3 -generator=1/1001", "-rate=5 -seed=3 -generator=1000/1000",
		"-rate=5 -seed=3 -arrival=poisson", "-arrival=poisson", "-arrival=constant", "-rate=5 -arrival=x", "-rate=5 -seed=3 -arrival=constant,ramp:9/4s -duration=4s", "-rate=5 -seed=3 -arrival=constant,ramp:9/4s -duration=3999ms", "-rate=5 -seed=3 -arrival=ramp:9/4s -duration=1s", "-rate=5 -seed=3 -arrival=constant,ramp:9/4s -duration=0 -operations=4",
		"-start=2026-11-24T12:00:05Z", "-start=2026-11-24T12:00:05.25+01:00", "-start=now", "-repeat=1", "-repeat=0", "-repeat=3", "-op_timeout=0", "-op_timeout=5ms", "-op_timeout=-1ns", "-stall=0", "-stall=1m", "-stall=-1ns", "-timed_as_one=5", "-timed_as_one=0", "-timed_as_one=-1",
		"-require=p99<2ms,errors<1%", "-require=", "-require=x", "-diagnose=folder", "-out=" + dir + "/a.json", "-out=" + dir + "/a.json," + dir + "/b.md", "-out=" + dir + "/a.json," + dir + "/b.xml", "-out=" + dir + "/a.json,/nowhere/b.md", "-out=" + dir + "/json", "-out=", "-out=" + dir + "/d.json",
		"-ascii", "-nolock", "-ascii=false -nolock=true",
	} {
		o, err := read(line, map[string]string{"T_SEED": "11"})
		if strings.Contains(line, "-generator=1/2") && !strings.Contains(line, "-seed") {
			o, err = read(line, nil)
		}
		shown := strings.ReplaceAll(line, dir, "DIR")
		if err != nil {
			require.ErrorAs(t, err, new(*flags.Error), line)
			fmt.Fprintln(&b, shown, "->", strings.ReplaceAll(err.Error(), dir, "DIR"))
			continue
		}
		c := o.Config
		fmt.Fprintf(&b, "%s -> workers %v most %d duration %v ops %d precision %v of %q warm-up %v steady %v plan %+v batch %d timeout %v stall %v seed %d requirements %q\n",
			shown, o.Workers, c.MaxWorkers, c.Duration, c.Ops, c.Precision, c.PrecisionOf, c.WarmUp, c.Steady, c.Plan, c.Batch, c.Timeout, c.Stall, c.Seed, c.Requirements)
		fmt.Fprintf(&b, "    repeat %d require %v diagnose %q out %q ascii %v no lock %v start %v\n", o.Repeat, o.Require, o.Diagnose, strings.Split(strings.ReplaceAll(strings.Join(o.Out, " "), dir, "DIR"), " "), o.ASCII, o.NoLock, o.start.UTC())
	}
	// Flags that another package declares keep their defaults here.
	set := new(flags.Set)
	for _, name := range []string{"workers", "duration", "seed", "repeat", "out", "rate"} {
		flags.One(set, name, "x", "", flags.Text(""))
	}
	o := Register(set)
	_, _, err := set.Parse([]string{"-duration=3s", "-workers=5", "-steady"})
	require.NoError(t, err)
	require.NoError(t, set.Resolve(nil))
	require.Equal(t, []any{[]int{1}, 10 * time.Second, 1, true, 0.0}, []any{o.Workers, o.Config.Duration, o.Repeat, o.Config.Steady, o.rate})
	require.Nil(t, o.Out)
	one, err := read("", nil)
	require.NoError(t, err)
	two, err := read("", nil)
	require.NoError(t, err)
	require.NotEqual(t, one.Config.Seed, two.Config.Seed, "drawn at random")
	require.Less(t, one.Config.Seed, uint64(1)<<63)
	all := new(flags.Set)
	Register(all)
	for _, f := range all.All() {
		fmt.Fprintf(&b, "%s %q\n", f.Name, f.Default)
	}
	whole(t, "options.txt", b.Bytes())
}

// measured is a result of known latencies.
func measured(t *testing.T, workers int) *runner.Result {
	t.Helper()
	r, err := runner.Replay(runner.Config{Workers: workers, Ops: 500, Requirements: "p50<1s"}, func(i int, _ time.Duration) time.Duration {
		return time.Millisecond + time.Duration(i%50+10*workers*workers)*time.Microsecond
	})
	require.NoError(t, err)
	r.Before.GOMAXPROCS = 16
	return r
}

// TestWholeSessions shows results, saves files and judges, in each way.
func TestWholeSessions(t *testing.T) {
	var b bytes.Buffer
	dir := t.TempDir()
	for _, brief := range []bool{false, true} {
		for _, ascii := range []bool{false, true} {
			o := &Options{Brief: brief, ASCII: ascii, Out: []string{filepath.Join(dir, "a.md"), filepath.Join(dir, "b.bench")}}
			x := newSession(o, Streams{Out: &b, Err: io.Discard})
			for n := 1; n < 3; n++ {
				require.NoError(t, x.show("the name", measured(t, n)))
			}
			require.NoError(t, x.Scaling("scaled", nil))
			require.NoError(t, x.Scaling("scaled", []*runner.Result{measured(t, 1)}))
			require.NoError(t, x.Scaling("scaled", []*runner.Result{measured(t, 1), measured(t, 2), measured(t, 3)}))
			o.Out = nil
			require.NoError(t, x.show("without files", measured(t, 1)))
			for _, name := range []string{"a.md", "a-2.md", "b.bench"} {
				content, err := os.ReadFile(filepath.Join(dir, name))
				require.NoError(t, err)
				fmt.Fprintf(&b, "----- %s\n%s", name, content)
				require.NoError(t, os.Remove(filepath.Join(dir, name)))
			}
		}
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
	whole(t, "sessions.txt", bytes.ReplaceAll(b.Bytes(), []byte(dir), []byte("DIR")))

	for n := range 6 {
		f := &failing{n: n}
		x := newSession(&Options{Out: []string{filepath.Join(dir, "a.md")}}, Streams{Out: f, Err: io.Discard})
		err := errors.Join(x.Scaling("", []*runner.Result{measured(t, 1), measured(t, 2)}), x.show("", measured(t, 1)))
		require.ErrorIs(t, err, io.ErrShortWrite)
	}
	nowhere := newSession(&Options{Out: []string{filepath.Join(dir, "none", "a.md")}}, Streams{Out: io.Discard, Err: io.Discard})
	require.ErrorIs(t, nowhere.show("", measured(t, 1)), os.ErrNotExist)
	require.Equal(t, filepath.Join(dir, "x"), absolute(filepath.Join(dir, "x")))
	where, err := os.Getwd()
	require.NoError(t, err)
	require.Equal(t, filepath.Join(where, "x"), absolute("x"))
	wrong := measured(t, 1)
	wrong.Elapsed = -1
	require.ErrorIs(t, Show("", wrong, &Options{}, Streams{Out: io.Discard, Err: io.Discard}), runner.ErrLaw)
	require.NoError(t, Show("", measured(t, 1), &Options{}, Streams{Out: io.Discard, Err: io.Discard}))
	rs, err := require2.Parse("p50<1ns")
	require.NoError(t, err)
	require.ErrorIs(t, Show("", measured(t, 1), &Options{Require: rs}, Streams{Out: io.Discard, Err: io.Discard}), ErrBroken)
}

// failing fails from the n-th write on.
type failing struct{ n int }

func (f *failing) Write(b []byte) (int, error) {
	if f.n--; f.n < 0 {
		return 0, io.ErrShortWrite
	}
	return len(b), nil
}

// TestWholeRuns repeats runs with several numbers of workers, also interrupted ones, in virtual time.
func TestWholeRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			line string
			want []string // titles in order
			end  time.Duration
			err  error
		}{
			{"-workers=1,2 -operations=20 -repeat=2", []string{"report: op", "report: op", "Spread between 2", "report: op", "report: op", "Spread between 2", "Scaling: op"}, 0, nil},
			{"-workers=2 -operations=20", []string{"report: op"}, 0, nil},
			{"-workers=1,2,3 -duration=1s", []string{"report: op", "INTERRUPTED (interrupted)"}, 500 * time.Millisecond, ErrInterrupted},
			{"-workers=1,2,3 -duration=1s", []string{"report: op", "report: op", "INTERRUPTED (interrupted)", "Scaling: op"}, 2 * time.Second, ErrInterrupted},
			{"-workers=1 -repeat=3 -duration=1s", []string{"report: op", "report: op", "INTERRUPTED (interrupted)", "Spread between 2"}, 2 * time.Second, ErrInterrupted},
		} {
			o, err := read(c.line+" -nolock -timed_as_one=1", nil)
			require.NoError(t, err)
			ctx, cancel := context.WithCancel(t.Context())
			if c.end > 0 {
				time.AfterFunc(c.end, cancel)
			}
			var out bytes.Buffer
			err = Run(ctx, "op", runner.Func(func(context.Context) error { time.Sleep(time.Millisecond); return nil }), o, Streams{Out: &out, Err: io.Discard})
			cancel()
			require.ErrorIs(t, err, c.err, c.line)
			var titles []string
			for line := range strings.Lines(out.String()) {
				for _, title := range []string{"report: op", "Spread between 2", "Scaling: op", "INTERRUPTED (interrupted)"} {
					if strings.Contains(line, title) {
						titles = append(titles, title)
					}
				}
			}
			require.Equal(t, c.want, titles, c.line)
			require.True(t, strings.HasSuffix(out.String(), "\n\n"), "an empty line follows")
		}
		o := &Options{start: time.Now().Add(time.Hour)}
		begun := time.Now()
		require.NoError(t, o.await(t.Context()))
		require.Equal(t, time.Hour, time.Since(begun))
		require.NoError(t, o.await(t.Context()), "at the time itself")
		time.Sleep(2500 * time.Microsecond)
		require.EqualError(t, o.await(t.Context()), "the time of -start has passed, 3ms ago")
		require.ErrorIs(t, o.await(t.Context()), errLate)
		require.NoError(t, new(Options).await(t.Context()))
		o.start = time.Now().Add(time.Hour)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		require.ErrorIs(t, o.await(ctx), context.DeadlineExceeded)
		_, err := Start(ctx, &Options{NoLock: true, start: time.Now().Add(-time.Second)}, Streams{Out: io.Discard, Err: io.Discard})
		require.ErrorIs(t, err, errLate)
	})
}

// TestSetUpOfARepeatFails: nothing is shown of the runs before it.
func TestSetUpOfARepeatFails(t *testing.T) {
	bad, made := errors.New("bad"), 0
	op := runner.Once(func(context.Context) (int, error) {
		if made++; made > 1 {
			return 0, bad
		}
		return 0, nil
	}, func(context.Context, int) error { return nil })
	var out bytes.Buffer
	x := newSession(&Options{Repeat: 3}, Streams{Out: &out, Err: io.Discard})
	rs, err := x.Measure(t.Context(), "op", runner.Config{Workers: 1, Ops: 5, WarmUp: -1}, op)
	require.ErrorIs(t, err, bad)
	require.Len(t, rs, 1)
	require.Empty(t, out.String())
}

// TestDiagnosisIsBounded runs for its whole time, whatever the precision.
func TestDiagnosisIsBounded(t *testing.T) {
	x := newSession(&Options{Diagnose: t.TempDir(), ASCII: true}, Streams{Out: io.Discard, Err: io.Discard})
	begun := time.Now()
	op := runner.Func(func(context.Context) error { time.Sleep(100 * time.Microsecond); return nil })
	require.NoError(t, x.Diagnose(t.Context(), "inside", runner.Config{Workers: 1, Duration: 300 * time.Millisecond, WarmUp: -1, Precision: 0.99, PrecisionOf: "p50"}, op))
	require.GreaterOrEqual(t, time.Since(begun), 300*time.Millisecond)
	_, err := os.Stat(filepath.Join(x.o.Diagnose, "inside", "cpu.pprof"))
	require.NoError(t, err)
	x.o.Diagnose = "/dev/null/x"
	require.ErrorContains(t, x.Diagnose(t.Context(), "", runner.Config{Workers: 1, Ops: 1}, op), "diagnosis: ")
	x.o.Diagnose = ""
	require.NoError(t, x.Diagnose(t.Context(), "", runner.Config{}, op))
	x.o.Diagnose, x.s.Out = t.TempDir(), &failing{}
	require.ErrorIs(t, x.Diagnose(t.Context(), "", runner.Config{Workers: 1, Ops: 1, WarmUp: -1}, op), io.ErrShortWrite)
}

// TestVerdictsOfRuns has each reason alone, before and after others.
func TestVerdictsOfRuns(t *testing.T) {
	good := &runner.Result{Done: 5, End: "time"}
	bad := &runner.Result{Done: 3, Failed: 2, Errors: map[string]uint64{"a": 1, "b": 1}}
	none := &runner.Result{Failed: 7, Errors: map[string]uint64{"few": 3, "many\x1b": 4}}
	interrupted := &runner.Result{Interrupted: true, End: "interrupted", Failed: 1, Errors: map[string]uint64{"a": 1}}
	early := &runner.Result{Interrupted: true, End: "stalled", Done: 1}
	for _, c := range []struct {
		rs     []*runner.Result
		err    error
		text   string
		status int
	}{
		{nil, nil, "", 0}, {[]*runner.Result{good, good}, nil, "", 0}, {[]*runner.Result{good, bad, none}, ErrFailed, "operations failed: 2 of 5", 1}, {[]*runner.Result{none, bad}, ErrFailed, `operations failed: 7 of 7: many\u001b`, 1},
		{[]*runner.Result{interrupted, bad}, ErrInterrupted, "interrupted: the report covers the time until then", 130}, {[]*runner.Result{good, early}, ErrEarly, "ended early: the report covers the time until then (stalled)", 1}, {[]*runner.Result{good, good, {}}, ErrNoSuccess, "no operation succeeded", 1},
	} {
		err := Verdict(c.rs...)
		require.ErrorIs(t, err, c.err)
		if c.text != "" {
			require.EqualError(t, err, c.text)
		}
		require.Equal(t, c.status, Status(err))
	}
	for err, want := range map[error]int{ErrBroken: 1, ErrUndecided: 3, ErrLock: 2, context.Canceled: 130, io.EOF: 2, ErrFailed: 1, ErrEarly: 1, ErrNoSuccess: 1, ErrInterrupted: 130} {
		require.Equal(t, want, Status(fmt.Errorf("x: %w", err)))
	}
	r := measured(t, 1)
	judge := func(text string, rs ...*runner.Result) error {
		parsed, err := require2.Parse(text)
		require.NoError(t, err)
		return (&Session{o: &Options{Require: parsed}}).Verdict(rs...)
	}
	require.NoError(t, judge("p50<1s,mean<1s", r, r))
	require.ErrorIs(t, judge("p50<1s,mean<1ns", r), ErrBroken)
	require.ErrorContains(t, judge("p50<1s,mean<1ns", r), "requirements are broken: mean<1ns: 1.03ms")
	require.ErrorIs(t, judge("p99.9<1s,mean<1ns", r), ErrBroken)
	require.ErrorIs(t, judge("p99.9<1s,mean<1s", r), ErrUndecided)
	require.ErrorContains(t, judge("p99.9<1s,mean<1s", r), "requirements are undecided: run longer: p99.9<1s: 1.06ms")
	require.ErrorIs(t, judge("p99.9<1s", r, bad), ErrFailed)
	long, err := runner.Replay(runner.Config{Workers: 1, Ops: 5000}, func(int, time.Duration) time.Duration { return time.Millisecond })
	require.NoError(t, err)
	require.NoError(t, judge("p99.9<1s", long))
	require.ErrorIs(t, judge("p99.9<1s", r, long), ErrUndecided, "one that is met decides nothing about another")
	failed := measured(t, 1)
	failed.Failed, failed.Errors = 5, map[string]uint64{"a": 5}
	require.NoError(t, judge("errors<50%", failed))
	require.ErrorIs(t, judge("errors>50%", failed), ErrFailed)
	require.ErrorIs(t, judge("p50<1s", failed), ErrFailed)
}

// TestHolders describes processes that hold the lock.
func TestHolders(t *testing.T) {
	since := time.Date(2026, 1, 2, 15, 4, 5, 0, time.Local)
	for want, h := range map[string]Holder{
		"a process that the system does not name": {Command: "x", Since: since}, "process 12": {PID: 12}, "process 12 (go test)": {PID: 12, Command: "go test"}, "process 12, since 15:04:05": {PID: 12, Since: since},
		"process 12 (go test), since 15:04:05": {PID: 12, Command: "go test", Since: since},
	} {
		require.Equal(t, want, h.String())
		require.Equal(t, "waiting for another measurement on this machine: "+want+" (-nolock measures without waiting)", h.Waiting())
	}
	const locks = "1: POSIX  ADVISORY  WRITE 11 08:02:5678 0 EOF\n2: FLOCK  ADVISORY  WRITE\n3: FLOCK  ADVISORY  WRITE x 08:02:5678 0 EOF\n4: FLOCK  ADVISORY  WRITE 12 08:02:15678 0 EOF\n4: -> FLOCK  ADVISORY  WRITE 13 08:02:5678 0 EOF\n5: FLOCK  ADVISORY  WRITE 14 08:02:5678\n6: FLOCK  ADVISORY  WRITE 15 08:02:5678 0 EOF\n"
	for inode, want := range map[uint64]int{5678: 14, 15678: 12, 78: 0} {
		require.Equal(t, want, lockHolder(locks, inode))
	}
	require.Zero(t, lockHolder("", 1))
	for _, c := range []struct {
		env    string
		holder int
		want   bool
	}{{"", 0, false}, {noLock, 0, true}, {"x", 0, false}, {fmt.Sprint(os.Getpid()), os.Getpid(), false}, {fmt.Sprint(os.Getppid()), os.Getppid(), true}, {fmt.Sprint(os.Getppid()), 1 << 30, false}, {fmt.Sprint(os.Getppid()), 0, true}, {fmt.Sprint(1 << 30), 0, false}} {
		t.Setenv(lentEnv, c.env)
		require.Equal(t, c.want, lent(func() Holder { return Holder{PID: c.holder} }), "%+v", c)
	}
	require.NoError(t, Lend())
	require.Equal(t, fmt.Sprint(os.Getpid()), os.Getenv(lentEnv))
	require.NoError(t, WithoutLock())
	require.Equal(t, "none", os.Getenv(lentEnv))
	require.True(t, alive(os.Getpid()))
	require.True(t, alive(1))
	require.False(t, alive(1<<30))
	for want, p := range map[string]runner.Progress{
		"window: 1.2s of 10s, 34 operations op": {Phase: "window", Elapsed: 1234 * time.Millisecond, Limit: 10 * time.Second, Done: 34}, "warm-up: 0s, 0 operations op": {Phase: "warm-up"}, "window: 100ms of 1ns, 0 operations op": {Phase: "window", Elapsed: 50 * time.Millisecond, Limit: 1},
	} {
		require.Equal(t, want, progressLine(p, "op"))
	}
	show, erase := progress(io.Discard, "op")
	require.Nil(t, show)
	erase()
}

// TestLockFiles takes, waits for and refuses files.
func TestLockFiles(t *testing.T) {
	t.Setenv(lentEnv, "")
	dir := t.TempDir()
	name := filepath.Join(dir, "lock")
	defer syscall.Umask(syscall.Umask(0o777))
	unlock, err := LockFile(t.Context(), name, nil)
	require.NoError(t, err)
	info, err := os.Stat(name)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o644), info.Mode().Perm(), "regardless of the umask")
	old := time.Unix(1000, 0)
	unlock()
	require.NoError(t, os.Chtimes(name, old, old))
	before := time.Now().Add(-time.Second)
	unlock, err = LockFile(t.Context(), name, nil)
	require.NoError(t, err)
	info, err = os.Stat(name)
	require.NoError(t, err)
	require.True(t, info.ModTime().After(before), "the time of the lock")
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	if h := holderOf(f); h.PID != 0 { // Linux tells
		require.Equal(t, os.Getpid(), h.PID)
		require.True(t, strings.HasPrefix(h.Command, filepath.Base(os.Args[0])), h.Command)
		require.True(t, h.Since.Equal(info.ModTime()))
		require.NoError(t, os.Chtimes(name, old, old))
		require.True(t, holderOf(f).Since.After(old), "the process is younger than the file")
	}
	ctx, cancel := context.WithCancel(t.Context())
	var waits []Holder
	_, err = LockFile(ctx, name, func(h Holder) {
		waits = append(waits, h)
		time.AfterFunc(3*lockRetry, cancel)
	})
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "lock "+name+", which another measurement holds: ")
	require.Len(t, waits, 1)
	taken := make(chan error)
	go func() {
		second, err := LockFile(t.Context(), name, func(Holder) { unlock() })
		if err == nil {
			second()
		}
		taken <- err
	}()
	require.NoError(t, <-taken)
	t.Setenv(lentEnv, noLock)
	free, err := LockFile(t.Context(), name, nil)
	require.NoError(t, err)
	again, err := LockFile(t.Context(), name, nil)
	require.NoError(t, err, "nothing is locked")
	free()
	again()
	t.Setenv(lentEnv, "")

	syscall.Umask(0o022)
	t.Setenv("TMPDIR", dir)
	held, err := Lock(t.Context(), nil)
	require.NoError(t, err)
	var told bytes.Buffer
	ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err = Start(ctx, &Options{}, Streams{Out: io.Discard, Err: &told})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NotContains(t, err.Error(), "-nolock")
	require.True(t, strings.HasPrefix(told.String(), "waiting for another measurement on this machine: "), told.String())
	require.Equal(t, 1, strings.Count(told.String(), "\n"))
	held()
	x, err := Start(t.Context(), &Options{}, Streams{Out: io.Discard, Err: io.Discard})
	require.NoError(t, err)
	x.Close()
	x, err = Start(t.Context(), &Options{}, Streams{Out: io.Discard, Err: io.Discard})
	require.NoError(t, err, "the lock is free again")
	x.Close()
	for bad, make := range map[string]func(name string) error{
		"full": func(name string) error { return os.WriteFile(name, []byte("x"), 0o644) }, "folder": func(name string) error { return os.Mkdir(name, 0o755) },
		"pipe": func(name string) error { return syscall.Mkfifo(name, 0o644) }, "link": func(at string) error { return os.Symlink(name, at) },
	} {
		bad = filepath.Join(dir, bad)
		require.NoError(t, make(bad))
		_, err := LockFile(t.Context(), bad, nil)
		require.ErrorIs(t, err, ErrLock, bad)
		require.ErrorContains(t, err, "lock: "+bad+" is not an empty regular file")
	}
	_, err = LockFile(t.Context(), filepath.Join(dir, "none", "lock"), nil)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "lock: ")
}
