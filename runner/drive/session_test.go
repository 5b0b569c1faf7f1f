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
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/judge"
	require2 "github.com/zkatbench/zkatbench/runner/judge/require"
	"github.com/zkatbench/zkatbench/runner/result"
)

// read returns the Options of a command line.
func read(line string, env map[string]string) (*Options, error) {
	set := &flags.Set{Env: "T_"}
	o := Register(set)
	if _, _, err := set.Parse(strings.Fields(line)); err != nil {
		return o, err
	}
	return o, set.Resolve(func(name string) string { return env[name] })
}

// measured is a result of known latencies.
func measured(t *testing.T, workers int) *result.Result {
	t.Helper()
	r, err := runner.Replay(runner.Config{Workers: workers, Ops: 500, Requirements: "p50<1s"},
		func(i int, _ time.Duration) time.Duration {
			return time.Millisecond + time.Duration(i%50+10*workers*workers)*time.Microsecond
		})
	require.NoError(t, err)
	r.Before.GOMAXPROCS = 16
	return r
}

// failing fails from the n-th write on.
type failing struct{ n int }

func (f *failing) Write(b []byte) (int, error) {
	if f.n--; f.n < 0 {
		return 0, io.ErrShortWrite
	}
	return len(b), nil
}

// TestRepeatedRuns repeats runs with several numbers of workers, also interrupted ones, in virtual time.
func TestRepeatedRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			line string
			want []string // titles in order
			end  time.Duration
			err  error
		}{
			{"-workers=1,2 -operations=20 -count=2",
				[]string{"report: op", "report: op", "Spread between 2", "report: op", "report: op",
					"Spread between 2", "Scaling: op"}, 0, nil},
			{"-workers=2 -operations=20", []string{"report: op"}, 0, nil},
			{"-workers=1,2,3 -duration=1s", []string{"report: op", "INTERRUPTED (interrupted)"},
				500 * time.Millisecond, ErrInterrupted},
			{"-workers=1,2,3 -duration=1s",
				[]string{"report: op", "report: op", "INTERRUPTED (interrupted)", "Scaling: op"},
				2 * time.Second, ErrInterrupted},
			{"-workers=1 -count=3 -duration=1s",
				[]string{"report: op", "report: op", "INTERRUPTED (interrupted)", "Spread between 2"},
				2 * time.Second, ErrInterrupted},
		} {
			o, err := read(c.line+" -nolock -timed-as-one=1", nil)
			require.NoError(t, err)
			ctx, cancel := context.WithCancel(t.Context())
			if c.end > 0 {
				time.AfterFunc(c.end, cancel)
			}
			var out bytes.Buffer
			err = Run(ctx, "op",
				runner.Func(func(context.Context) error { time.Sleep(time.Millisecond); return nil }), o,
				Streams{Out: &out, Err: io.Discard})
			cancel()
			require.ErrorIs(t, err, c.err, c.line)
			var titles []string
			for line := range strings.Lines(out.String()) {
				for _, title := range []string{"report: op", "Spread between 2", "Scaling: op",
					"INTERRUPTED (interrupted)"} {
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
		_, err := Start(ctx, &Options{NoLock: true, start: time.Now().Add(-time.Second)},
			Streams{Out: io.Discard, Err: io.Discard})
		require.ErrorIs(t, err, errLate)
	})
}

// TestSetUpOfARepeatFails: the runs before it are not shown.
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

// TestDiagnosisIsBounded runs for its whole time, for any precision.
func TestDiagnosisIsBounded(t *testing.T) {
	x := newSession(&Options{Diagnose: t.TempDir(), ASCII: true}, Streams{Out: io.Discard, Err: io.Discard})
	begun := time.Now()
	op := runner.Func(func(context.Context) error { time.Sleep(100 * time.Microsecond); return nil })
	require.NoError(t,
		x.Diagnose(t.Context(), "inside",
			runner.Config{Workers: 1, Duration: 300 * time.Millisecond, WarmUp: -1, Precision: 0.99,
				HalfWidth: judge.HalfWidth, PrecisionOf: "p50"}, op))
	require.GreaterOrEqual(t, time.Since(begun), 300*time.Millisecond)
	_, err := os.Stat(filepath.Join(x.o.Diagnose, "inside", "cpu.pprof"))
	require.NoError(t, err)
	x.o.Diagnose = "/dev/null/x"
	require.ErrorContains(t, x.Diagnose(t.Context(), "", runner.Config{Workers: 1, Ops: 1}, op),
		"diagnosis: ")
	x.o.Diagnose = ""
	require.NoError(t, x.Diagnose(t.Context(), "", runner.Config{}, op))
	x.o.Diagnose, x.s.Out = t.TempDir(), &failing{}
	require.ErrorIs(t, x.Diagnose(t.Context(), "", runner.Config{Workers: 1, Ops: 1, WarmUp: -1}, op),
		io.ErrShortWrite)
}

// TestVerdictsOfRuns has each reason alone, before and after others.
func TestVerdictsOfRuns(t *testing.T) {
	good := &result.Result{Done: 5, End: "time"}
	bad := &result.Result{Done: 3, Failed: 2, Errors: map[string]uint64{"a": 1, "b": 1}}
	none := &result.Result{Failed: 7, Errors: map[string]uint64{"few": 3, "many\x1b": 4}}
	interrupted := &result.Result{Interrupted: true, End: "interrupted", Failed: 1,
		Errors: map[string]uint64{"a": 1}}
	early := &result.Result{Interrupted: true, End: "stalled", Done: 1}
	for _, c := range []struct {
		rs     []*result.Result
		err    error
		text   string
		status int
	}{
		{nil, nil, "", 0}, {[]*result.Result{good, good}, nil, "", 0},
		{[]*result.Result{good, bad, none}, ErrFailed, "operations failed: 2 of 5", 1},
		{[]*result.Result{none, bad}, ErrFailed, `operations failed: 7 of 7: many\u001b`, 1},
		{[]*result.Result{interrupted, bad}, ErrInterrupted,
			"interrupted: the report covers the time until then", 130},
		{[]*result.Result{good, early}, ErrEarly,
			"ended early: the report covers the time until then (stalled)", 1},
		{[]*result.Result{good, good, {}}, ErrNoSuccess, "no operation succeeded", 1},
	} {
		err := Verdict(c.rs...)
		require.ErrorIs(t, err, c.err)
		if c.text != "" {
			require.EqualError(t, err, c.text)
		}
		require.Equal(t, c.status, Status(err))
	}
	for err, want := range map[error]int{ErrBroken: 1, ErrUndecided: 3, ErrLock: 2, context.Canceled: 130,
		io.EOF: 2, ErrFailed: 1, ErrEarly: 1, ErrNoSuccess: 1, ErrInterrupted: 130} {
		require.Equal(t, want, Status(fmt.Errorf("x: %w", err)))
	}
	r := measured(t, 1)
	judge := func(text string, rs ...*result.Result) error {
		parsed, err := require2.Parse(text)
		require.NoError(t, err)
		return (&Session{o: &Options{Require: parsed}}).Verdict(rs...)
	}
	require.ErrorContains(t, judge("p50<1s,mean<1ns", r), "requirements are broken: mean<1ns: 1.03ms")
	require.ErrorIs(t, judge("p99.9<1s,mean<1ns", r), ErrBroken)
	require.ErrorContains(t, judge("p99.9<1s,mean<1s", r),
		"requirements are undecided: run longer: p99.9<1s: 1.06ms")
	require.ErrorIs(t, judge("p99.9<1s", r, bad), ErrFailed)
	long, err := runner.Replay(runner.Config{Workers: 1, Ops: 5000}, func(int, time.Duration) time.Duration {
		return time.Millisecond
	})
	require.NoError(t, err)
	require.NoError(t, judge("p99.9<1s", long))
	require.ErrorIs(t, judge("p99.9<1s", r, long), ErrUndecided,
		"one that is met decides nothing about another")
}
