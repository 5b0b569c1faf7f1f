package drive_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/render"
)

func options(t *testing.T, args ...string) (*drive.Options, error) {
	t.Helper()
	set := new(flags.Set)
	o := drive.Register(set)
	_, _, err := set.Parse(args)
	require.NoError(t, err)
	return o, set.Resolve(nil)
}

// TestBadFlagsAreOneLine: the complaint about a value names the flag, the value and the allowed values.
func TestBadFlagsAreOneLine(t *testing.T) {
	const workers = "is not a number from 1 to 4096, a range such as 1..8, NumCPU or a part of it such as " +
		"NumCPU/2"
	for arg, want := range map[string]string{
		"-workers=x":       `-workers: "x" ` + workers,
		"-duration=0":      `-duration: "0" is not more than 0, which a run without -operations needs`,
		"-duration=999us":  `-duration: "999us" is not a duration of at least 1ms`,
		"-duration=10":     `-duration: "10" is not a duration of at least 1ms (or 0 with -operations)`,
		"-duration=-1s":    `-duration: "-1s" is not a duration`,
		"-operations=-1":   `-operations: "-1" is not a number of at least 0`,
		"-count=0":         `-count: "0" is not a number of at least 1`,
		"-timed-as-one=-1": `-timed-as-one`,
		"-op-timeout=-1s":  `-op-timeout: "-1s" is not a duration such as 500ms, or 0 for none`,
		"-warmup=long":     `-warmup: "long" is not a duration such as 2s`,
		"-steady=perhaps":  `-steady: "perhaps" is not true or false`,
		"-ascii=2":         `-ascii: "2" is not true or false`,
		"-stall=-1s":       `-stall`,
		"-seed=-1":         `-seed: "-1" is not a number of at least 0`,
		"-rate=-5": `-rate: "-5" is not a number of operations a second, ` +
			`from one a day to 1e9, or 0 for back to back`,
		"-rate=NaN":                       `-rate: "NaN" is not`,
		"-rate=1.1e9":                     `-rate: "1.1e9" is not`,
		"-rate=0.00001":                   `-rate: "0.00001" is not`,
		"-start=now":                      `-start: "now" is not`,
		"-rate=5 -generator=1/2":          `-seed: "" is not the same number for all generators`,
		"-rate=5 -seed=3 -generator=2/1":  `-generator: "2/1" is not`,
		"-rate=5 -seed=3 -generator=01/2": `-generator: "01/2" is not`,
		"-rate=100/s":                     `-rate: "100/s" is not`,
		"-arrival=poisson":                `-rate: "0" is not more than 0, which -arrival=poisson needs`,
		"-duration=5s -rate=1 " +
			"-arrival=constant,ramp:5/9s": `-duration: "5s" is not at least 9s, ` +
			"the length of the stages of -arrival",
		"-arrival=sometimes": `-arrival: "sometimes" is not one of constant, poisson,`,
		"-require=p99": `-require: "p99" is not requirements such as p99<2ms, errors<0.1%, ` +
			"throughput>400",
		"-precision=0":      `-precision: "0" is not a share such as 1% or 0.01`,
		"-precision=101%":   `-precision`,
		"-precision=max:1%": `-precision`,
		"-precision=p98:5%": `-precision`,
		"-precision=p99:":   `-precision`,
		"-o=report.xml": `-o: "report.xml" is not a file that can be written, ` +
			`with a name that ends in one of .txt, .json, .bench, .csv, .md`,
		"-o=a.json,report":  `-o: "a.json,report" is not`,
		"-o=nowhere/a.json": `-o: "nowhere/a.json" is not a file that can be written`,
	} {
		t.Run(arg, func(t *testing.T) {
			_, err := options(t, strings.Fields(arg)...)
			require.ErrorAs(t, err, new(*flags.Error))
			require.True(t, strings.HasPrefix(err.Error(), want), err.Error())
			require.NotContains(t, err.Error(), "\n")
			require.Equal(t, 2, drive.Status(err))
		})
	}
}

// TestNumberOfOperations: the operations that a run starts are told before.
func TestNumberOfOperations(t *testing.T) {
	for args, want := range map[string]string{
		"-operations=500 -warmup=1s":            "at most 500 requests, and a warm-up",
		"-operations=20000":                     "at most 20 000 requests",
		"-operations=500 -workers=1,2 -count=3": "at most 3 000 requests",
		"-operations=500 -count=3 -diagnose=x":  "at most 2 000 requests",
		"-operations=50 -rate=10":               "at most 50 requests",
		"-duration=10s -rate=20 -count=2":       "about 400 requests, and a warm-up",
		"-duration=10s -count=2 -warmup=-1s":    "as many requests as are answered in 20 s",
		"-duration=9s -workers=1,4 -diagnose=x": "as many requests as are answered in 27 s and a warm-up",
	} {
		t.Run(args, func(t *testing.T) {
			o, err := options(t, strings.Fields(args)...)
			require.NoError(t, err)
			require.Equal(t, want, o.AtMost("requests"))
		})
	}
}

func TestFlagsCanBeLeftToOthers(t *testing.T) {
	set := new(flags.Set)
	size := flags.One(set, "duration", "many", "another flag of that name", flags.Names("few", "many"))
	o := drive.Register(set)
	_, _, err := set.Parse([]string{"-steady", "-ascii", "-duration=few"})
	require.NoError(t, err)
	require.NoError(t, set.Resolve(nil))
	require.Equal(t, "few", *size)
	require.Equal(t, 10*time.Second, o.Config.Duration)
	require.True(t, o.Config.Steady)
	require.True(t, o.ASCII)
}

func TestFlagsBecomeAConfig(t *testing.T) {
	o, err := options(t, "-workers=1,4", "-rate=100", "-arrival=ramp:200/5s", "-precision=p99:5%",
		"-o=a.json,b.md", "-seed=7")
	require.NoError(t, err)
	require.Equal(t, []int{1, 4}, o.Workers)
	require.Equal(t, "100/s, ramp:200/5s", o.Config.Plan.String())
	require.EqualValues(t, 7, o.Config.Plan.Seed)
	require.Equal(t, 0.05, o.Config.Precision)
	require.Equal(t, "p99", o.Config.PrecisionOf)
	require.Equal(t, []string{"a.json", "b.md"}, o.Out)
	require.Zero(t, o.Config.MaxWorkers, "the user chose the number of workers")
	o, err = options(t)
	require.NoError(t, err)
	require.Nil(t, o.Config.Plan)
	require.Zero(t, o.Config.MaxWorkers)
	o, err = options(t, "-rate=100")
	require.NoError(t, err)
	require.Positive(t, o.Config.MaxWorkers, "an open loop may start more")
}

func napping(context.Context) error { time.Sleep(time.Millisecond); return nil }

// TestRunShowsAndSaves: several runs are shown on the output and saved in files of each format.
func TestRunShowsAndSaves(t *testing.T) {
	dir := t.TempDir()
	o, err := options(t, "-workers=1..4", "-duration=0", "-operations=60", "-count=2", "-nolock",
		"-o="+filepath.Join(dir, "r.json")+","+filepath.Join(dir, "r.md")+","+filepath.Join(dir, "r.bench"))
	require.NoError(t, err)
	var out, errs bytes.Buffer
	require.NoError(t,
		drive.Run(context.Background(), "nap", runner.Func(napping), o, drive.Streams{Out: &out, Err: &errs}))
	require.Empty(t, errs.String(), "no progress in a pipe")
	require.False(t, strings.Contains(out.String(), "\x1b"))
	for _, part := range []string{"Benchmark report: nap", "Spread between 2 runs", "Scaling: nap",
		"Universal Scalability Law", "wrote " + filepath.Join(dir, "r-2.md")} {
		require.True(t, strings.Contains(out.String(), part), part)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Len(t, names, 17, "%v", names)
	all, err := os.ReadFile(filepath.Join(dir, "r.bench"))
	require.NoError(t, err)
	for _, workers := range []string{"1", "2", "3", "4"} {
		require.Equal(t, 2, strings.Count(string(all), "BenchmarkNap/workers="+workers+" "),
			"one file for benchstat:\n%s", all)
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".json") {
			f, err := os.Open(name)
			require.NoError(t, err)
			_, _, err = render.ReadJSON(f)
			require.NoError(t, err)
			f.Close()
		}
	}
}

func TestLockThatCannotBeTakenSaysWhatToDo(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "nowhere"))
	o, err := options(t, "-duration=20ms")
	require.NoError(t, err)
	err = drive.Run(context.Background(), "", runner.Func(napping), o, quiet)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "-nolock")
}

// TestRequirements checks the lines and the exit status of requirements that are
// met, broken and undecided, in virtual time.
func TestRequirements(t *testing.T) {
	n := 0
	op := runner.Func(func(context.Context) error {
		time.Sleep(time.Millisecond)
		if n++; n%10 == 0 {
			return errors.New("every tenth fails")
		}
		return nil
	})
	for text, c := range map[string]struct {
		line   string
		err    error
		status int
	}{
		"errors<20%,p99<1h": {"MET errors<20%: 10%", nil, 0},
		"errors<5%,p99<1h":  {"BROKEN errors<5%: 10%", drive.ErrBroken, 1},
		"errors<10%,p99<1h": {"UNDECIDED errors<10%: 10%", drive.ErrUndecided, 3},
		"errors<10%,p99>1h": {"BROKEN p99>1h: ", drive.ErrBroken, 1},
		"p99<1h":            {"MET p99<1h: ", drive.ErrFailed, 1},
	} {
		t.Run(text, func(t *testing.T) {
			n = 0
			o, err := options(t, "-operations=4000", "-duration=1h", "-warmup=-1s", "-timed-as-one=1",
				"-nolock", "-require="+text)
			require.NoError(t, err)
			var out bytes.Buffer
			synctest.Test(t, func(t *testing.T) {
				err := drive.Run(t.Context(), "op", op, o, drive.Streams{Out: &out, Err: io.Discard})
				require.ErrorIs(t, err, c.err)
				require.Equal(t, c.status, drive.Status(err))
				require.Contains(t, out.String(), c.line)
			})
		})
	}
}

// TestInterruptOfADiagnosisIsOne interrupts an operation that hangs in the
// profiled pass.
func TestInterruptOfADiagnosisIsOne(t *testing.T) {
	o, err := options(t, "-operations=5", "-duration=0", "-warmup=-1s", "-nolock", "-diagnose="+t.TempDir())
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	var out bytes.Buffer
	err = drive.Run(ctx, "nap", runner.Func(func(ctx context.Context) error {
		if calls++; calls == 8 {
			cancel()
			<-ctx.Done()
		}
		return nil
	}), o, drive.Streams{Out: &out, Err: io.Discard})
	require.ErrorIs(t, err, drive.ErrInterrupted)
	require.Equal(t, drive.Interrupted, drive.Status(err))
	require.Contains(t, out.String(), "INTERRUPTED (interrupted): the report covers the time until then")
}
