//go:build unix

package drive_test

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
	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/runner/judge"
	must "github.com/zkatbench/zkatbench/runner/judge/require"
	"github.com/zkatbench/zkatbench/runner/result"
)

// quiet is of a program without outputs.
var quiet = drive.Streams{Out: io.Discard, Err: io.Discard}

// session starts a session without waiting for others.
func session(t *testing.T, o *drive.Options, s drive.Streams) *drive.Session {
	t.Helper()
	o.NoLock = true
	x, err := drive.Start(t.Context(), o, s)
	require.NoError(t, err)
	return x
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
	const report, spread, cut, scaling = "report: nap", "Spread between 2", "INTERRUPTED (interrupted)",
		"Scaling: nap"
	for line, c := range map[string]struct {
		want []string // titles in order
		end  time.Duration
	}{
		"-workers=1,2 -operations=20 -count=2": {
			[]string{report, report, spread, report, report, spread, scaling}, 0},
		"-workers=2 -operations=20":        {[]string{report}, 0},
		"-workers=1,2,3 -duration=1s":      {[]string{report, cut}, 500 * time.Millisecond},
		"-workers=1..3 -duration=1s":       {[]string{report, report, cut, scaling}, 2 * time.Second},
		"-workers=1 -count=3 -duration=1s": {[]string{report, report, cut, spread}, 2 * time.Second},
	} {
		t.Run(line, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o, err := options(t, strings.Fields(line+" -nolock -timed-as-one=1")...)
				require.NoError(t, err)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if c.end > 0 {
					time.AfterFunc(c.end, cancel)
				}
				var out bytes.Buffer
				err = drive.Run(ctx, "nap", runner.Func(napping), o,
					drive.Streams{Out: &out, Err: io.Discard})
				require.Equal(t, c.end > 0, errors.Is(err, drive.ErrInterrupted))
				var titles []string
				for line := range strings.Lines(out.String()) {
					for _, title := range []string{report, spread, scaling, cut} {
						if strings.Contains(line, title) {
							titles = append(titles, title)
						}
					}
				}
				require.Equal(t, c.want, titles)
				require.True(t, strings.HasSuffix(out.String(), "\n\n"), "an empty line follows")
			})
		})
	}
}

// TestStartAtATime waits until the time of -start, or until its context ends.
func TestStartAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		o, err := options(t, "-nolock", "-start="+begun.Add(time.Hour).Format(time.RFC3339))
		require.NoError(t, err)
		short, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err = drive.Start(short, o, quiet)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		_, err = drive.Start(t.Context(), o, quiet)
		require.NoError(t, err)
		require.Equal(t, time.Hour, time.Since(begun))
		_, err = drive.Start(t.Context(), o, quiet)
		require.NoError(t, err, "at the time itself")
		time.Sleep(2500 * time.Microsecond)
		_, err = drive.Start(t.Context(), o, quiet)
		require.EqualError(t, err, "the time of -start has passed, 3ms ago")
	})
}

// TestShownResults: a result of another measurement has its report, short or whole, and its verdict.
func TestShownResults(t *testing.T) {
	r, err := runner.Replay(runner.Config{Workers: 1, Ops: 200},
		func(int, time.Duration) time.Duration { return time.Millisecond })
	require.NoError(t, err)
	for _, brief := range []bool{false, true} {
		var out bytes.Buffer
		o := &drive.Options{Brief: brief, Require: []must.Requirement{{Figure: "p50", Below: true, Limit: 1}}}
		err = drive.Show("shown", r, o, drive.Streams{Out: &out, Err: io.Discard})
		require.ErrorIs(t, err, drive.ErrBroken)
		require.Contains(t, out.String(), "shown\n")
		require.Equal(t, brief, strings.Contains(out.String(), "-v prints the whole report"))
		require.ErrorIs(t, drive.Show("", r, o, drive.Streams{Out: &failing{}}), io.ErrShortWrite)
	}
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
	x := session(t, &drive.Options{Repeat: 3}, drive.Streams{Out: &out, Err: io.Discard})
	rs, err := x.Measure(t.Context(), "op", runner.Config{Workers: 1, Ops: 5, WarmUp: -1}, op)
	require.ErrorIs(t, err, bad)
	require.Len(t, rs, 1)
	require.Empty(t, out.String())
}

// TestDiagnosisIsBounded runs for its whole time, for any precision.
func TestDiagnosisIsBounded(t *testing.T) {
	o := &drive.Options{Diagnose: t.TempDir(), ASCII: true}
	x := session(t, o, quiet)
	begun := time.Now()
	op := runner.Func(func(context.Context) error { time.Sleep(100 * time.Microsecond); return nil })
	require.NoError(t,
		x.Diagnose(t.Context(), "inside",
			runner.Config{Workers: 1, Duration: 300 * time.Millisecond, WarmUp: -1, Precision: 0.99,
				HalfWidth: judge.HalfWidth, PrecisionOf: "p50"}, op))
	require.GreaterOrEqual(t, time.Since(begun), 300*time.Millisecond)
	_, err := os.Stat(filepath.Join(o.Diagnose, "inside", "cpu.pprof"))
	require.NoError(t, err)
	once := runner.Config{Workers: 1, Ops: 1, WarmUp: -1}
	o.Diagnose = "/dev/null/x"
	require.ErrorContains(t, x.Diagnose(t.Context(), "", once, op), "diagnosis: ")
	o.Diagnose = ""
	require.NoError(t, x.Diagnose(t.Context(), "", runner.Config{}, op))
	o.Diagnose = t.TempDir()
	x = session(t, o, drive.Streams{Out: &failing{}, Err: io.Discard})
	require.ErrorIs(t, x.Diagnose(t.Context(), "", once, op), io.ErrShortWrite)
}

// TestVerdictsOfRuns has each reason alone, before and after others.
func TestVerdictsOfRuns(t *testing.T) {
	good := &result.Result{Done: 5, End: "time"}
	bad := &result.Result{Done: 3, Failed: 2, Errors: map[string]uint64{"a": 1, "b": 1}}
	none := &result.Result{Failed: 7, Errors: map[string]uint64{"few": 3, "many\x1b": 4}}
	interrupted := &result.Result{Interrupted: true, End: "interrupted", Failed: 1,
		Errors: map[string]uint64{"a": 1}}
	early := &result.Result{Interrupted: true, End: "stalled", Done: 1}
	for name, c := range map[string]struct {
		rs     []*result.Result
		err    error
		text   string
		status int
	}{
		"nothing": {nil, nil, "", 0}, "good": {[]*result.Result{good, good}, nil, "", 0},
		"bad": {[]*result.Result{good, bad, none}, drive.ErrFailed, "operations failed: 2 of 5", 1},
		"none": {[]*result.Result{none, bad}, drive.ErrFailed,
			`operations failed: 7 of 7: many\u001b`, 1},
		"interrupted": {[]*result.Result{interrupted, bad}, drive.ErrInterrupted,
			"interrupted: the report covers the time until then", 130},
		"early": {[]*result.Result{good, early}, drive.ErrEarly,
			"ended early: the report covers the time until then (stalled)", 1},
		"no success": {[]*result.Result{good, good, {}}, drive.ErrNoSuccess, "no operation succeeded", 1},
	} {
		t.Run(name, func(t *testing.T) {
			err := drive.Verdict(c.rs...)
			require.ErrorIs(t, err, c.err)
			if c.text != "" {
				require.EqualError(t, err, c.text)
			}
			require.Equal(t, c.status, drive.Status(err))
		})
	}
	for err, want := range map[error]int{drive.ErrBroken: 1, drive.ErrUndecided: 3, drive.ErrLock: 2,
		context.Canceled: 130, io.EOF: 2} {
		require.Equal(t, want, drive.Status(fmt.Errorf("x: %w", err)), err)
	}
}

// TestRequirementsOfSeveralRuns: one broken requirement decides, then one that is undecided.
func TestRequirementsOfSeveralRuns(t *testing.T) {
	measured := func(ops int64) *result.Result {
		r, err := runner.Replay(runner.Config{Workers: 1, Ops: ops},
			func(i int, _ time.Duration) time.Duration {
				return time.Millisecond + time.Duration(i%50+10)*time.Microsecond
			})
		require.NoError(t, err)
		return r
	}
	short, long, bad := measured(500), measured(5000), &result.Result{Done: 3, Failed: 2}
	for name, c := range map[string]struct {
		require string
		rs      []*result.Result
		err     error
		text    string
	}{
		"broken": {"p50<1s,mean<1ns", []*result.Result{short}, drive.ErrBroken,
			"requirements are broken: mean<1ns: 1.03ms"},
		"undecided and broken": {"p99.9<1s,mean<1ns", []*result.Result{short}, drive.ErrBroken, ""},
		"undecided": {"p99.9<1s,mean<1s", []*result.Result{short}, drive.ErrUndecided,
			"requirements are undecided: run longer: p99.9<1s: 1.06ms"},
		"failed":         {"p99.9<1s", []*result.Result{short, bad}, drive.ErrFailed, ""},
		"met":            {"p99.9<1s", []*result.Result{long}, nil, ""},
		"undecided, met": {"p99.9<1s", []*result.Result{short, long}, drive.ErrUndecided, ""},
	} {
		t.Run(name, func(t *testing.T) {
			parsed, err := must.Parse(c.require)
			require.NoError(t, err)
			err = session(t, &drive.Options{Require: parsed}, quiet).Verdict(c.rs...)
			require.ErrorIs(t, err, c.err)
			if c.text != "" {
				require.ErrorContains(t, err, c.text)
			}
		})
	}
}
