package drive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/diagnose"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/render"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/scale"
)

// A Session performs any number of measurements for one user, while no other
// process measures on this machine.
type Session struct {
	o      *Options
	s      Streams
	look   render.Options
	unlock func()
	shown  int          // number of results shown
	bench  bytes.Buffer // all results, in the format that holds several
}

// Start waits until no other measurement runs, unless o.NoLock is set, or until
// ctx ends. Close lets others measure again.
func Start(ctx context.Context, o *Options, s Streams) (*Session, error) {
	unlock := func() {}
	if !o.NoLock {
		var err error
		unlock, err = Lock(ctx, func(h Holder) { fmt.Fprintln(s.Err, h.Waiting()) })
		if err != nil && ctx.Err() == nil {
			err = fmt.Errorf("%w (-nolock measures without it)", err)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := o.await(ctx); err != nil {
		unlock()
		return nil, err
	}
	x := newSession(o, s)
	x.unlock = unlock
	return x, nil
}

func newSession(o *Options, s Streams) *Session {
	return &Session{o: o, s: s,
		look: render.Options{Colour: text.Colour(s.Out), Width: text.Width(s.Out), ASCII: o.ASCII}}
}

// errLate reports a time of -start that has passed.
var errLate = errors.New("the time of -start has passed")

// await returns at the time of -start.
func (o *Options) await(ctx context.Context) error {
	left := time.Until(o.start)
	switch {
	case o.start.IsZero():
		return nil
	case left < 0:
		return fmt.Errorf("%w, %v ago", errLate, -left.Round(time.Millisecond))
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(left):
		return nil
	}
}

// Close ends the session.
func (x *Session) Close() {
	x.unlock()
}

// Measure runs op with c, repeated as the Options say, and writes reports and
// files. It shows progress if s.Err is a terminal.
func (x *Session) Measure(ctx context.Context, name string, c runner.Config,
	op runner.Operation) (rs []*result.Result, err error) {
	show, wipe := progress(x.s.Err, name)
	c.Progress = show
	rs, err = scale.Repeat(ctx, c, op, x.o.Repeat)
	wipe()
	if err != nil {
		return rs, err
	}
	for _, r := range rs {
		if err := x.show(name, r); err != nil {
			return rs, err
		}
	}
	if len(rs) > 1 {
		err = errors.Join(render.Repeats(x.s.Out, rs, x.named(name)), newline(x.s.Out))
	}
	return rs, err
}

// Show writes the report and the files of a result that was measured elsewhere, and returns
// its verdict.
func Show(name string, r *result.Result, o *Options, s Streams) error {
	x := newSession(o, s)
	if err := x.show(name, r); err != nil {
		return err
	}
	return x.Verdict(r)
}

// show writes the report and the files of a result.
func (x *Session) show(name string, r *result.Result) error {
	look, write := x.named(name), render.Text
	if x.o.Brief {
		write = render.Summary
		if look.Width == 0 { // a pipe gets whole lines
			look.Width = math.MaxInt
		}
	}
	if err := errors.Join(write(x.s.Out, r, look), newline(x.s.Out)); err != nil {
		return err
	}
	return x.save(name, r)
}

func (x *Session) named(name string) render.Options {
	look := x.look
	look.Name = name
	return look
}

// Scaling writes how throughput grew over rs, which differ in their workers. It
// writes no output for fewer than two results.
func (x *Session) Scaling(name string, rs []*result.Result) error {
	if len(rs) < 2 {
		return nil
	}
	s := &scale.Result{Runs: rs}
	s.Fit()
	return errors.Join(render.Scaling(x.s.Out, s, x.named(name)), newline(x.s.Out))
}

func newline(w io.Writer) error {
	_, err := fmt.Fprintln(w)
	return err
}

// save writes the files of one more result and prints their names. A file for
// benchstat holds all results so far; other files get a number before their
// ending from the second result on.
func (x *Session) save(name string, r *result.Result) error {
	x.shown++
	look := render.Options{Name: name, ASCII: x.o.ASCII}
	if err := render.Write(&x.bench, "bench", r, look); err != nil {
		return err
	}
	for _, file := range x.o.Out {
		kind := format(file)
		write := func(w io.Writer) error { return render.Write(w, kind, r, look) }
		if kind == "bench" {
			write = func(w io.Writer) error { _, err := w.Write(x.bench.Bytes()); return err }
		} else if x.shown > 1 {
			ending := filepath.Ext(file)
			file = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(file, ending), x.shown, ending)
		}
		if err := outfile.Write(file, write); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(x.s.Out, "wrote "+absolute(file)); err != nil {
			return err
		}
	}
	if len(x.o.Out) > 0 {
		return newline(x.s.Out)
	}
	return nil
}

// absolute returns the absolute path of a file, for users in another directory,
// as with go test.
func absolute(file string) string {
	if path, err := filepath.Abs(file); err == nil {
		return path
	}
	return file
}

// maxDiagnosis bounds the profiled pass.
const maxDiagnosis = 10 * time.Second

// Diagnose profiles op in a separate short pass, and writes its files to folder
// inside the directory in the Options. It has no effect if the Options do not
// ask for a diagnosis.
func (x *Session) Diagnose(ctx context.Context, folder string, c runner.Config, op runner.Operation) error {
	if x.o.Diagnose == "" {
		return nil
	}
	if c.Duration == 0 || c.Duration > maxDiagnosis {
		c.Duration = maxDiagnosis
	}
	c.Precision = 0
	r, err := diagnose.Run(ctx, c, op, absolute(filepath.Join(x.o.Diagnose, folder)))
	if err != nil {
		return fmt.Errorf("diagnosis: %w", err)
	}
	var b strings.Builder
	if err := r.Text(&b); err != nil {
		return err
	}
	report := b.String()
	if x.o.ASCII {
		report = text.ASCII(report)
	}
	_, err = fmt.Fprintln(x.s.Out, report)
	if err != nil {
		return err
	}
	if r.Result.Interrupted {
		return fmt.Errorf("diagnosis: %w", Verdict(r.Result))
	}
	return nil
}
