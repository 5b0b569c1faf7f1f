package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/runner/result"
)

// beforeTimeout is the time that a run ends before -timeout would kill the
// test, so that it can still report.
const beforeTimeout = 5 * time.Second

// Load runs op under the runner. Each case and number of workers is a subtest
// with a report; each case with several numbers of workers also gets a report
// on scaling. ^C or the end of ctx ends the current run, which is still
// reported, and skips all later ones, in this test and in others; a second ^C
// ends the program. A run fails if one of its operations fails. -profile is refused.
func (s *Suite) Load(ctx context.Context, t *testing.T, op Op) {
	if s.interrupted {
		t.Error("interrupted: all cases were skipped")
		return
	}
	if s.Selection.Options.Profile {
		t.Error("-profile: benchmarks write these profiles; under the runner, name a folder for profiles " +
			"with -diagnose")
		return
	}
	ctx, stop := drive.Interruptible(ctx)
	defer func(ctx context.Context) {
		s.interrupted = s.interrupted || ctx.Err() != nil
		stop()
	}(ctx)
	if d, ok := t.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, d.Add(-beforeTimeout))
		defer cancel()
	}
	to := s.reportStreams()
	x, err := drive.Start(ctx, s.Selection.runner, to)
	if err != nil {
		t.Error(err)
		return
	}
	defer x.Close()
	l := &load{s: s, x: x, out: to.Out, ctx: ctx, op: op}
	left := s.Selection.Cases(Load, op.Without...)
	all := len(left)
	for _, cases := range groups(left, workerCounts) {
		left = left[l.group(t, cases):]
		if ctx.Err() != nil && len(left) > 0 {
			t.Errorf("%s: %d of %d cases were skipped", stopReason(ctx), len(left), all)
			return
		}
	}
}

// stopReason describes the end of ctx.
func stopReason(ctx context.Context) string {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return "-timeout is near (raise it, or 0 for none)"
	}
	return "interrupted"
}

// load is a run of Load.
type load struct {
	s   *Suite
	x   *drive.Session
	out io.Writer
	ctx context.Context
	op  Op
}

// group runs cases that differ only in the number of workers and therefore
// share their environments. It returns the number of cases run.
func (l *load) group(t *testing.T, cases []Case) (ran int) {
	set := sync.OnceValues(func() (*samples, error) {
		return l.s.prepare(l.ctx, l.op, cases[0], l.s.Selection.Options.Samples)
	})
	var firsts []*result.Result
	for _, c := range cases {
		if l.ctx.Err() != nil {
			break
		}
		ran++
		t.Run(c.Name(), func(t *testing.T) {
			env, err := set()
			if err != nil {
				t.Fatal(err)
			}
			env.logDoubts(func(line string) { fmt.Fprintln(l.out, line) })
			rs, err := l.one(c, env.operation())
			if err != nil {
				t.Error(err)
			}
			firsts = append(firsts, rs[:min(1, len(rs))]...)
		})
	}
	if err := l.x.Scaling(l.name(cases[0].without(workerCounts)), firsts); err != nil {
		t.Error(err)
	}
	return ran
}

// one runs one case, with the requested repetitions.
func (l *load) one(c Case, op runner.Operation) ([]*result.Result, error) {
	config := l.s.Selection.runner.Config
	config.Workers, config.Duration = workerCounts.Of(c), l.s.Selection.Options.Duration
	rs, err := l.x.Measure(l.ctx, l.name(c), config, op)
	if err == nil {
		err = l.x.Verdict(rs...)
	}
	if err == nil {
		err = l.x.Diagnose(l.ctx, strings.ReplaceAll(l.name(c), "/", "_"), config, op)
	}
	return rs, err
}

func (l *load) name(c Case) string { return strings.TrimSuffix(l.op.Name+"/"+c.Name(), "/") }

// operation cycles through the prepared environments, or makes a new one for
// each operation outside the measured time.
func (s *samples) operation() runner.Operation {
	work := func(_ context.Context, in Instance) error {
		out, err := in.Work()
		runtime.KeepAlive(out)
		return err
	}
	if s.reused() {
		return runner.Pool(s.prepared, work)
	}
	var n atomic.Int64
	return runner.Each(func(context.Context, int) (Instance, error) {
		return s.withNewInputs(int(n.Add(1) - 1))
	}, work)
}

// Once runs the operation once in each case of the runner's matrix and checks
// its result. Parallel tests do this when they are not requested by name.
func (s *Suite) Once(t *testing.T, op Op) {
	for _, c := range s.Selection.Cases(Load, op.Without...) {
		t.Run(c.Name(), func(t *testing.T) {
			env, err := s.prepare(t.Context(), op, c, 1)
			if err != nil {
				t.Fatal(err)
			}
			env.logDoubts(func(line string) { t.Log(line) })
		})
	}
}

// Named reports whether -run requests the test by name: whether its pattern
// matches TestParallelBenchmarkX but not TestBenchmarkX, so that ".", "Test"
// and "X" do not start runs of many seconds.
func Named(test string) bool {
	f := flag.Lookup("test.run")
	return f != nil && named(f.Value.String(), test)
}

func named(pattern, test string) bool {
	pattern, _, _ = strings.Cut(pattern, "/")
	re, err := regexp.Compile(pattern)
	return err == nil && pattern != "" && re.MatchString(test) &&
		!re.MatchString(strings.Replace(test, "Parallel", "", 1))
}

// reportStreams returns the streams for reports and progress. In package mode
// without -v, go test captures the output of a test and discards it if the test
// passes. A report requested by name is then written to the output of go test
// itself, which works where /proc exists (Linux).
func (s *Suite) reportStreams() drive.Streams {
	if testing.Verbose() {
		return drive.Streams{Out: s.Out, Err: s.Err}
	}
	parent := fmt.Sprintf("/proc/%d", os.Getppid())
	out, discarded := goTestStream(parent, s.Out)
	err, _ := goTestStream(parent, s.Err)
	if discarded {
		fmt.Fprintln(err, "go test discards the report if the test passes: add -v")
	}
	return drive.Streams{Out: out, Err: err}
}

// goTestStream returns the stream of the go test process that corresponds to
// own, one of our standard streams. It returns own if both are the same or if
// the parent process is not go. discarded is set if go test writes to a file,
// since two writers would overwrite each other there.
func goTestStream(parent string, own io.Writer) (w io.Writer, discarded bool) {
	if p, ok := own.(text.Printer); ok {
		w, discarded = goTestStream(parent, p.Writer)
		return text.Printer{Writer: w}, discarded
	}
	f, ok := own.(*os.File)
	if name, err := os.ReadFile(filepath.Join(parent, "comm")); !ok || err != nil ||
		strings.TrimSpace(string(name)) != "go" {
		return own, false
	}
	parentPath := filepath.Join(parent, "fd", fmt.Sprint(f.Fd()))
	ownStream, err := f.Stat()
	if err != nil {
		return own, false
	}
	parentStream, err := os.Stat(parentPath)
	switch {
	case err != nil || os.SameFile(ownStream, parentStream):
		return own, false
	case parentStream.Mode()&(fs.ModeCharDevice|fs.ModeNamedPipe) == 0:
		return own, true
	}
	if w, err := os.OpenFile(parentPath, os.O_WRONLY, 0); err == nil {
		return w, false
	}
	return own, true
}
