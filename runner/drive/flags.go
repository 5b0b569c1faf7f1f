// Package drive provides the parts around package runner that a command or a
// test needs.
//
//	choices.go   the flags: names, defaults, allowed values
//	flags.go     Options: the values of the flags, checked before the run
//	session.go   Session: lock, measure, show, save, for any number of measurements
//	drive.go     Run: a Session of one operation; exit status
//	require.go   the verdict of a Session: failures and requirements
//	lock.go      one measurement at a time on a machine
//	holder.go    the process that measures, for processes that wait or that it starts
//	terminal.go  ^C, closed pipes, width, colour, progress
package drive

import (
	"fmt"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/require"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// MostWorkers bounds the workers that an open loop gets if the user names no number.
const MostWorkers = 256

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
	Brief    bool // print render.Summary instead of the whole report; no flag

	rate    float64
	arrival string
	start   time.Time // of the warm-up; zero: at once
}

// Register declares the flags of the runner, except flags that set already
// has, and returns the Options that set.Resolve fills. Flags that are left to
// set keep their defaults in the Options.
func Register(set *flags.Set) *Options {
	o := new(Options)
	for _, c := range choices {
		if set.Lookup(c.name) != nil {
			c.read(o, c.normal)
			continue
		}
		set.Add(flags.Flag{Name: c.name, Default: c.normal, Usage: c.usage, Allowed: c.allowed, Switch: c.toggle,
			Read: func(typed string) (string, bool) { return typed, c.read(o, typed) }})
	}
	set.Check(func() error { return o.checkTogether(set) })
	return o
}

// checkTogether checks combinations of flags.
func (o *Options) checkTogether(set *flags.Set) error {
	o.Config.MaxWorkers = 0
	if workers := set.Lookup("workers"); o.Config.Plan != nil && workers != nil && !workers.Given() && slices.Equal(o.Workers, []int{1}) {
		o.Config.MaxWorkers = MostWorkers
	}
	if o.Config.Duration == 0 && o.Config.Ops == 0 {
		return set.Bad("duration", "0", "more than 0, which a run without -operations needs")
	}
	if o.rate == 0 && o.arrival != schedule.Constant {
		return set.Bad("rate", "0", "more than 0, which -arrival="+o.arrival+" needs")
	}
	if seed := set.Lookup("seed"); o.Config.Plan != nil && o.Config.Plan.Generators > 0 && seed != nil && !seed.Given() {
		return set.Bad("seed", "", "the same number for all generators of -generator")
	}
	if p := o.Config.Plan; p != nil && len(p.Then) > 0 && o.Config.Duration > 0 && p.Length() > o.Config.Duration {
		return set.Bad("duration", o.Config.Duration.String(), fmt.Sprintf("at least %v, the length of the stages of -arrival", p.Length()))
	}
	return nil
}
