package drive

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/zkatbench/zkatbench/runner"
)

// Why a run that ended is not a success.
var (
	ErrInterrupted = errors.New("interrupted: the report covers what was measured until then")
	ErrEarly       = errors.New("ended early: the report covers what was measured until then")
	ErrFailed      = errors.New("operations failed")
	ErrNothing     = errors.New("no operation succeeded")
)

// Streams are where a report and the progress go.
type Streams struct {
	Out, Err io.Writer
}

// Run measures op as o says, with each number of workers: a Session that does
// one thing. The error is that of a measurement that cannot count:
// interrupted, failed operations, none at all; or of its output.
func Run(ctx context.Context, name string, op runner.Operation, o *Options, s Streams) error {
	x, err := Start(ctx, o, s)
	if err != nil {
		return err
	}
	defer x.Close()
	c := o.Config
	var all, firsts []*runner.Result
	for _, c.Workers = range o.Workers {
		rs, err := x.Measure(ctx, name, c, op)
		if err != nil {
			return err
		}
		all, firsts = append(all, rs...), append(firsts, rs[0])
		if rs[len(rs)-1].Interrupted {
			break
		}
	}
	if err := x.Scaling(name, firsts); err != nil {
		return err
	}
	if !all[len(all)-1].Interrupted {
		if err := x.Diagnose(ctx, "", c, op); err != nil {
			return err
		}
	}
	return Verdict(all...)
}

// Verdict is what makes one of the results a failure, nil if nothing does.
func Verdict(rs ...*runner.Result) error {
	for _, r := range rs {
		switch {
		case r.End == "interrupted":
			return ErrInterrupted
		case r.Interrupted:
			return fmt.Errorf("%w (%s)", ErrEarly, r.End)
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
