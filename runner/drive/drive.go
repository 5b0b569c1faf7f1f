package drive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/diagnose"
	"github.com/zkatbench/zkatbench/runner/render"
	"github.com/zkatbench/zkatbench/runner/scale"
)

// Why a run that ended is not a success.
var (
	ErrInterrupted = errors.New("interrupted: the report covers what was measured until then")
	ErrFailed      = errors.New("operations failed")
	ErrNothing     = errors.New("no operation succeeded")
)

// Streams are where a report and the progress go.
type Streams struct {
	Out, Err io.Writer
}

// Run measures op as o says, writes the report to s.Out and the files of
// o.Out, and shows progress on s.Err if that is a terminal. It waits until no
// one else measures on this machine. The error is that of a measurement that
// cannot count: interrupted, failed operations, none at all; or of its output.
func Run(ctx context.Context, name string, op runner.Operation, o *Options, s Streams) error {
	if !o.NoLock {
		unlock, err := Lock(ctx, func() { fmt.Fprintln(s.Err, "waiting for another measurement on this machine") })
		if err != nil {
			return err
		}
		defer unlock()
	}
	c := o.Config
	show, wipe := progress(s.Err)
	c.Progress = show
	runs, err := o.measure(ctx, name, c, op, s, wipe)
	if err != nil {
		return err
	}
	last := runs[len(runs)-1]
	if o.Diagnose != "" && !last.Interrupted {
		c.Workers, c.Progress = last.Config.Workers, nil
		if err := o.diagnose(ctx, c, op, s.Out); err != nil {
			return err
		}
	}
	return Verdict(runs...)
}

// measure runs as often, and with as many workers, as o says, and shows it.
func (o *Options) measure(ctx context.Context, name string, c runner.Config, op runner.Operation, s Streams, wipe func()) (all []*runner.Result, err error) {
	width, _ := terminal(s.Out)
	look := render.Options{Name: name, Colour: colour(s.Out), Width: width, ASCII: o.ASCII}
	scaling := &scale.Result{}
	for _, n := range o.Workers {
		c.Workers = n
		runs, err := scale.Repeat(ctx, c, op, o.Repeat)
		wipe()
		if err != nil {
			return all, err
		}
		for _, r := range runs {
			if err := errors.Join(render.Text(s.Out, r, look), o.save(name, r, len(all))); err != nil {
				return all, err
			}
			fmt.Fprintln(s.Out)
			all = append(all, r)
		}
		if len(runs) > 1 {
			if err := render.Repeats(s.Out, runs, look); err != nil {
				return all, err
			}
		}
		scaling.Runs = append(scaling.Runs, runs[0])
		if runs[len(runs)-1].Interrupted {
			break
		}
	}
	if len(scaling.Runs) > 1 {
		scaling.Fit()
		return all, render.Scaling(s.Out, scaling, look)
	}
	return all, nil
}

// save writes the files for the i-th result; further ones have a number before
// their ending.
func (o *Options) save(name string, r *runner.Result, i int) error {
	for _, file := range o.Out {
		kind, err := format(file)
		if err != nil {
			return err
		}
		if i > 0 {
			ending := filepath.Ext(file)
			file = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(file, ending), i+1, ending)
		}
		err = WriteFile(file, func(w io.Writer) error {
			return render.Write(w, kind, r, render.Options{Name: name, ASCII: o.ASCII})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// longestDiagnosis bounds the pass that is profiled.
const longestDiagnosis = 10 * time.Second

func (o *Options) diagnose(ctx context.Context, c runner.Config, op runner.Operation, w io.Writer) error {
	if c.Duration == 0 || c.Duration > longestDiagnosis {
		c.Duration = longestDiagnosis
	}
	c.Precision = 0
	r, err := diagnose.Run(ctx, c, op, o.Diagnose)
	if err != nil {
		return fmt.Errorf("diagnosis: %w", err)
	}
	return r.Text(w)
}

// Verdict is what makes one of the results a failure, nil if nothing does.
func Verdict(rs ...*runner.Result) error {
	for _, r := range rs {
		switch {
		case r.Interrupted:
			return fmt.Errorf("%w (%s)", ErrInterrupted, r.End)
		case r.Failed > 0:
			return fmt.Errorf("%w: %d of %d", ErrFailed, r.Failed, r.Failed+r.Done)
		case r.Done == 0:
			return ErrNothing
		}
	}
	return nil
}

// Status is the exit status for an error of Run or of Check: 0 for none, 2 for
// flags, 130 for ^C, otherwise 1.
func Status(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, ErrFlag):
		return 2
	case errors.Is(err, ErrInterrupted), errors.Is(err, context.Canceled):
		return Interrupted
	}
	return 1
}
