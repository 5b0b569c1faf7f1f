// Package drive provides the parts around package runner that a command or a
// test needs.
//
//	choices.go   the flags: names, defaults, allowed values
//	flags.go     Options: the values of the flags, checked before the run
//	session.go   Session: lock, measure, show, save, for any number of measurements
//	drive.go     Run: a Session of one operation; exit status
//	require.go   the verdict of a Session: failures and requirements
//	lock.go      one measurement at a time on a machine
//	holder.go    the process that measures, for the ones that wait or that it starts
//	terminal.go  ^C, closed pipes, width, colour, progress
package drive

import (
	"errors"
	"flag"
	"fmt"
	"slices"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/require"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// ErrFlag reports a flag value that is not allowed. Every such error is a
// *FlagError.
var ErrFlag = errors.New("flag")

// FlagError names a flag, its value, and the allowed values.
type FlagError struct{ Name, Value, Allowed string }

func (e *FlagError) Error() string {
	return fmt.Sprintf("flag -%s: %q is not %s", e.Name, e.Value, e.Allowed)
}

// Is makes every FlagError match ErrFlag.
func (e *FlagError) Is(target error) bool { return target == ErrFlag }

// Options are the values of the flags.
type Options struct {
	Config   runner.Config // for every number of workers
	Workers  []int
	Repeat   int
	Require  []require.Requirement
	Diagnose string // directory for the files of a diagnosis; empty for no diagnosis
	Out      []string
	ASCII    bool
	NoLock   bool

	given map[string]*text
	rate  float64
}

// text is the flag.Value of every flag: the typed text. Only Check parses it,
// so that a bad value gives one line and not, as with package flag, the usage
// of all flags.
type text struct {
	typed  string
	toggle bool
}

func (t *text) String() string     { return t.typed }
func (t *text) Set(s string) error { t.typed = s; return nil }
func (t *text) IsBoolFlag() bool   { return t.toggle }

// Register declares the flags on fs, except the ones in without, and returns
// the Options that they fill. Call Check after parsing fs.
func Register(fs *flag.FlagSet, without ...string) *Options {
	o := &Options{given: map[string]*text{}}
	for _, c := range choices {
		t := &text{typed: c.normal, toggle: c.toggle}
		o.given[c.name] = t
		if !slices.Contains(without, c.name) {
			fs.Var(t, c.name, c.usage)
		}
	}
	return o
}

// Check parses the typed values. Its errors are *FlagError, one line each.
func (o *Options) Check() error {
	for _, c := range choices {
		if typed := o.given[c.name].typed; !c.read(o, typed) {
			return &FlagError{c.name, typed, c.allowed}
		}
	}
	return o.checkTogether()
}

// checkTogether checks combinations of flags.
func (o *Options) checkTogether() error {
	duration, rate, arrival := o.given["duration"].typed, o.given["rate"].typed, o.given["arrival"].typed
	if o.Config.Duration == 0 && o.Config.Ops == 0 {
		return &FlagError{"duration", duration, "more than 0, which a run without -operations needs"}
	}
	if o.rate == 0 && arrival != schedule.Constant {
		return &FlagError{"rate", rate, "more than 0, which -arrival=" + arrival + " needs"}
	}
	if p := o.Config.Plan; p != nil && len(p.Then) > 0 && o.Config.Duration > 0 && p.Length() > o.Config.Duration {
		return &FlagError{"duration", duration, fmt.Sprintf("at least %v, the length of the stages of -arrival", p.Length())}
	}
	return nil
}
