package drive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/result"
)

// Reasons for which a run that ended is not a success.
var (
	ErrInterrupted = errors.New("interrupted: the report covers the time until then")
	ErrEarly       = errors.New("ended early: the report covers the time until then")
	ErrFailed      = errors.New("operations failed")
	ErrNoSuccess   = errors.New("no operation succeeded")
)

// Streams are the writers for the report and the progress.
type Streams struct {
	Out, Err io.Writer
}

// Run measures op with o and with each number of workers, in a Session of one
// operation. It returns an error if the measurement does not count (it was
// interrupted, operations failed, or all of them did), or if its output cannot
// be written.
func Run(ctx context.Context, name string, op runner.Operation, o *Options, s Streams) error {
	x, err := Start(ctx, o, s)
	if err != nil {
		return err
	}
	defer x.Close()
	c := o.Config
	var all, firsts []*result.Result
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
	return x.Verdict(all...)
}

// AtMost says how many operations Run will start, all named by a word in the plural: at most,
// about as many, or for how long.
func (o *Options) AtMost(operations string) string {
	c := o.Config
	windows := float64(len(o.Workers) * max(1, o.Repeat))
	if o.Diagnose != "" {
		windows++
	}
	warm := c.WarmUp >= 0 // 0: by default
	counted := func(how string, n float64) string {
		line := fmt.Sprintf("%s %s %s", how, text.Count(uint64(math.Ceil(windows*n))), operations)
		if warm {
			line += ", and a warm-up"
		}
		return line
	}
	switch {
	case c.Ops > 0:
		return counted("at most", float64(c.Ops))
	case c.Plan != nil && c.Duration > 0:
		return counted("about", c.Plan.Expected(c.Duration))
	}
	line := "as many " + operations + " as are answered"
	if c.Duration > 0 {
		line += " in " + text.Duration(windows*float64(c.Duration))
	}
	if warm {
		line += " and a warm-up"
	}
	return line
}

// Verdict returns the first reason for which one of the results is a failure,
// or nil.
func Verdict(rs ...*result.Result) error {
	for _, r := range rs {
		switch {
		case r.End == "interrupted":
			return ErrInterrupted
		case r.Done == 0 && r.Failed > 0:
			return fmt.Errorf("%w: %d of %d: %s", ErrFailed, r.Failed, r.Failed,
				text.Visible(r.Messages()[0]))
		case r.Interrupted:
			return fmt.Errorf("%w (%s)", ErrEarly, r.End)
		case r.Failed > 0:
			return fmt.Errorf("%w: %d of %d", ErrFailed, r.Failed, r.Failed+r.Done)
		case r.Done == 0:
			return ErrNoSuccess
		}
	}
	return nil
}

// Status returns the exit status for an error of Run or of the flags: 0 for nil, 1 for
// failed operations and broken requirements, 3 if requirements are undecided but
// unbroken, 130 for ^C, otherwise 2.
func Status(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, ErrBroken), errors.Is(err, ErrFailed), errors.Is(err, ErrEarly),
		errors.Is(err, ErrNoSuccess):
		return 1
	case errors.Is(err, ErrUndecided):
		return unclear
	case errors.Is(err, ErrInterrupted), errors.Is(err, context.Canceled):
		return Interrupted
	}
	return 2
}
