// Package drive is what a command or a test needs around package runner.
//
//	choices.go   every choice of a user: its flag, and what it can be
//	flags.go     Options: the choices, checked before anything runs
//	session.go   Session: lock, measure, show, save, as often as wanted
//	drive.go     Run: a Session of one operation; exit status
//	file.go      files that are whole or not there
//	lock.go      one measurement at a time on a machine
//	terminal.go  ^C, closed pipes, width, colour, progress
package drive

import (
	"errors"
	"flag"
	"fmt"
	"slices"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// ErrFlag says that the value of a flag is not allowed. Every such error is a
// *FlagError.
var ErrFlag = errors.New("flag")

// FlagError names a flag, the value that it has, and what is allowed.
type FlagError struct{ Name, Value, Allowed string }

func (e *FlagError) Error() string {
	return fmt.Sprintf("flag -%s: %q is not %s", e.Name, e.Value, e.Allowed)
}

// Is makes every FlagError an ErrFlag.
func (e *FlagError) Is(target error) bool { return target == ErrFlag }

// Options are the choices of a user.
type Options struct {
	Config   runner.Config // for all numbers of workers
	Workers  []int
	Repeat   int
	Diagnose string // directory for the files of a diagnosis; none if empty
	Out      []string
	ASCII    bool
	NoLock   bool

	given map[string]*text
	rate  float64
}

// text is the flag.Value of every flag: whatever was typed. It is read only by
// Check, so that a bad value is one line and not, as package flag would have
// it, followed by the usage of all flags.
type text struct {
	typed  string
	toggle bool
}

func (t *text) String() string     { return t.typed }
func (t *text) Set(s string) error { t.typed = s; return nil }
func (t *text) IsBoolFlag() bool   { return t.toggle }

// Register declares the flags on fs, but for those in without, and returns the
// Options that they fill; call Check after fs was parsed.
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

// Check reads what was typed. Its errors are a *FlagError, and one line.
func (o *Options) Check() error {
	for _, c := range choices {
		if typed := o.given[c.name].typed; !c.read(o, typed) {
			return &FlagError{c.name, typed, c.allowed}
		}
	}
	return o.checkTogether()
}

// checkTogether checks what depends on more than one flag.
func (o *Options) checkTogether() error {
	duration, rate, arrival := o.given["duration"].typed, o.given["rate"].typed, o.given["arrival"].typed
	if o.Config.Duration == 0 && o.Config.Ops == 0 {
		return &FlagError{"duration", duration, "more than 0, which a run without -operations needs"}
	}
	if o.rate == 0 && arrival != schedule.Constant {
		return &FlagError{"rate", rate, "more than 0, which -arrival=" + arrival + " needs"}
	}
	return nil
}
