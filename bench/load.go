package bench

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/render"
)

// beforeTimeout is how long before -timeout would kill the test a run ends, so
// that it can still report.
const beforeTimeout = 5 * time.Second

var (
	errInterrupted = errors.New("interrupted: the report covers what was measured until then")
	errNothing     = errors.New("no operation succeeded")
	errFailures    = errors.New("operations failed")
)

// Load runs op under the runner, a subtest and a report for each case and
// number of workers. Cancelling ctx ends the case at hand, with its report,
// and leaves out those that follow. A case fails if an operation does.
func (s *Suite) Load(ctx context.Context, t *testing.T, op Op) {
	if d, ok := t.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, d.Add(-beforeTimeout))
		defer cancel()
	}
	cases := s.Selection.Cases(Load, op.Without...)
	for i, c := range cases {
		if ctx.Err() != nil {
			t.Errorf("interrupted: %d of %d cases are left out", len(cases)-i, len(cases))
			return
		}
		t.Run(c.Name(), func(t *testing.T) {
			if err := s.load(ctx, op, c); err != nil {
				t.Error(err)
			}
		})
	}
}

func (s *Suite) load(ctx context.Context, op Op, c Case) error {
	env, err := prepare(op, c, SetupSamples.Of(c))
	if err != nil {
		return err
	}
	config := runner.Config{Workers: WorkerCounts.Of(c), Duration: Duration.Of(c)}
	r, err := runner.Run(ctx, config, env.operation())
	if err != nil {
		return err
	}
	options := render.Options{Colour: colour(s.Out), Name: op.Name + "/" + c.Name()}
	return errors.Join(render.Text(s.Out, r, options), verdict(r))
}

// operation walks the prepared environments, or makes a new one each time,
// which the runner does not time.
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
	return runner.Each(func(context.Context, int) (Instance, error) { return s.anew(int(n.Add(1) - 1)) }, work)
}

// verdict is what makes a run a failure.
func verdict(r *runner.Result) error {
	switch {
	case r.Interrupted:
		return errInterrupted
	case r.Failed > 0:
		return errFailures
	case r.Done == 0:
		return errNothing
	}
	return nil
}

// colour says whether w is a terminal whose user did not ask for NO_COLOR.
func colour(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
