// Package drive is what a command or a test needs around package runner.
//
//	flags.go     Options: every choice as a flag, checked before anything runs
//	drive.go     Run: lock, measure, show, save, exit status
//	file.go      files that are whole or not there
//	lock.go      one measurement at a time on a machine
//	terminal.go  ^C, width, colour, progress
package drive

import (
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/render"
	"github.com/zkatbench/zkatbench/runner/scale"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// ErrFlag says that the value of a flag is not allowed. Its text names the
// flag, the value, and what is.
var ErrFlag = errors.New("flag")

// Options are the choices of a user.
type Options struct {
	Config   runner.Config // for all numbers of workers
	Workers  []int
	Repeat   int
	Diagnose string // directory for the files of a diagnosis; none if empty
	Out      []string
	ASCII    bool
	NoLock   bool

	texts texts
}

// texts are flags as they were typed, so that all are checked in one place.
type texts struct {
	workers, arrival, precision, out string
	rate                             float64
}

// Register declares the flags on fs and returns the Options that they fill;
// call Check after fs was parsed.
func Register(fs *flag.FlagSet) *Options {
	o := &Options{}
	c, t := &o.Config, &o.texts
	fs.StringVar(&t.workers, "workers", "1", "numbers of workers: 4 or 1,2,4 or 1..8 or NumCPU/2; several measure scaling")
	fs.DurationVar(&c.Duration, "duration", 10*time.Second, "length of the window")
	fs.Int64Var(&c.Ops, "ops", 0, "end the window after so many operations; 0: no limit")
	fs.DurationVar(&c.WarmUp, "warmup", 0, "before the window; 0: a tenth of it, at most 1s; negative: none")
	fs.BoolVar(&c.Steady, "steady", false, "warm up until the latency is steady, -warmup at most (0: -duration, at most 10s)")
	fs.Float64Var(&t.rate, "rate", 0, "start so many operations a second whatever becomes of them (open loop); 0: back to back")
	fs.StringVar(&t.arrival, "arrival", schedule.Constant, "of -rate: constant, poisson, ramp:TO/OVER or step:TO/OVER/STEPS")
	fs.StringVar(&t.precision, "precision", "", "end the window when the interval is so tight: 1% of the mean, or p99:5%; empty: never")
	fs.IntVar(&o.Repeat, "repeat", 1, "runs of the same, with the spread between them")
	fs.IntVar(&c.Batch, "batch", 0, "operations that are timed as one; 0: as the clock needs")
	fs.DurationVar(&c.Timeout, "op_timeout", 0, "an operation that takes longer has failed; 0: none")
	fs.DurationVar(&c.Stall, "stall", 0, "give up when no operation finishes for so long; 0: 30s")
	fs.IntVar(&c.Exact, "exact", 0, "keep up to so many latencies as they are")
	fs.Uint64Var(&c.Seed, "seed", 0, "of random arrivals and of the order of inputs")
	fs.StringVar(&o.Diagnose, "diagnose", "", "after measuring, profile and trace in a pass of its own and write the files to this directory")
	fs.StringVar(&t.out, "out", "", "also write files, by their endings: "+strings.Join(render.Formats(), ", "))
	fs.BoolVar(&o.ASCII, "ascii", false, "print nothing beyond ASCII")
	fs.BoolVar(&o.NoLock, "nolock", false, "do not wait for other measurements on this machine")
	return o
}

func refuse(name string, value any, allowed string) error {
	return fmt.Errorf("%w -%s: %q is not %s", ErrFlag, name, fmt.Sprint(value), allowed)
}

// Check reads what was typed. Its errors wrap ErrFlag and are one line.
func (o *Options) Check() (err error) {
	c, t := &o.Config, &o.texts
	if o.Workers, err = scale.Counts(t.workers, runtime.NumCPU()); err != nil {
		return refuse("workers", t.workers, "a list of 4, 1..8, NumCPU or NumCPU/2")
	}
	for _, f := range []struct {
		name    string
		value   any
		ok      bool
		allowed string
	}{
		{"duration", c.Duration, c.Duration >= time.Millisecond || c.Duration == 0 && c.Ops > 0, "at least 1ms (or 0 with -ops)"},
		{"ops", c.Ops, c.Ops >= 0, "0 or more"},
		{"repeat", o.Repeat, o.Repeat >= 1, "1 or more"},
		{"batch", c.Batch, c.Batch >= 0, "0 or more"},
		{"op_timeout", c.Timeout, c.Timeout >= 0, "0 or more"},
		{"stall", c.Stall, c.Stall >= 0, "0 or more"},
		{"exact", c.Exact, c.Exact >= 0, "0 or more"},
	} {
		if !f.ok {
			return refuse(f.name, f.value, f.allowed)
		}
	}
	if err := o.checkSchedule(); err != nil {
		return err
	}
	if err := o.checkPrecision(); err != nil {
		return err
	}
	return o.checkOut()
}

func (o *Options) checkSchedule() error {
	t := &o.texts
	if t.rate == 0 && t.arrival == schedule.Constant {
		return nil
	}
	if t.rate == 0 {
		return refuse("rate", "0", "more than 0, which -arrival="+t.arrival+" needs")
	}
	p, err := schedule.Parse(t.rate, t.arrival)
	if err != nil && (schedule.Plan{Arrival: schedule.Constant, Rate: t.rate}).Check() != nil {
		return refuse("rate", t.rate, "between one a day and 1e9 a second")
	}
	if err != nil {
		return refuse("arrival", t.arrival, "one of constant, poisson, ramp:TO/OVER (ramp:500/30s), step:TO/OVER/STEPS (step:500/30s/5)")
	}
	p.Seed = o.Config.Seed
	o.Config.Plan = &p
	return nil
}

func (o *Options) checkPrecision() error {
	text := o.texts.precision
	if text == "" {
		return nil
	}
	of, share, found := strings.Cut(text, ":")
	if !found {
		of, share = "mean", text
	}
	percent, isPercent := strings.CutSuffix(share, "%")
	v, err := strconv.ParseFloat(percent, 64)
	if isPercent {
		v /= 100
	}
	if err != nil || !(v > 0 && v < 1) || !slices.Contains([]string{"mean", "p50", "p90", "p95", "p99"}, of) {
		return refuse("precision", text, "a share such as 1% or 0.01, or one of mean, p50, p90, p95, p99 and a share, such as p99:5%")
	}
	o.Config.Precision, o.Config.PrecisionOf = v, of
	return nil
}

func (o *Options) checkOut() error {
	if o.texts.out == "" {
		return nil
	}
	o.Out = strings.Split(o.texts.out, ",")
	for _, name := range o.Out {
		if _, err := format(name); err != nil {
			return err
		}
	}
	return nil
}

// format is the format of a file by its ending.
func format(name string) (string, error) {
	ending := strings.TrimPrefix(filepath.Ext(name), ".")
	if !slices.Contains(render.Formats(), ending) {
		return "", refuse("out", name, "a name that ends in one of ."+strings.Join(render.Formats(), ", ."))
	}
	return ending, nil
}
