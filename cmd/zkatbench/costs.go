package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/count/cost"
	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/pin"
)

// costFlags are the flags of unit costs.
type costFlags struct {
	duration time.Duration
	file     string
	nolock   bool
}

func newCostFlags(set *flags.Set) *costFlags {
	f := &costFlags{}
	flags.Into(set, &f.file, "costs", cached("costs.json"), "",
		flags.Files())
	set.Check(func() error {
		_, err := cost.Load(f.file)
		if errors.Is(err, fs.ErrNotExist) {
			err = os.MkdirAll(filepath.Dir(f.file), 0o755)
		}
		if err == nil {
			err = outfile.Check(f.file)
		}
		return ofFlag("costs", err)
	})
	flags.Into(set, &f.duration, "duration", "10ms", ": of each unit cost", flags.Durations())
	noLockFlag(set, &f.nolock)
	return f
}

// cached is a path in the user's cache, for files that belong to a machine and not to a
// project.
func cached(name string) string {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "zkatbench", name)
}

// costsLine measures the unit costs of the algebra of a subject, prints them, and
// adds them to a file with the costs of other curves.
func costsLine(s streams) *commandLine {
	l := newLine("costs", takesOperations, "measure the time of each group operation on this machine")
	f, r := newCostFlags(&l.flags), l.operations(costAxes)
	l.exec = func(ctx context.Context, _ []string) error {
		if r.subject.Costs == nil {
			return fmt.Errorf("%s has no unit costs", r.subject.Name)
		}
		unlock, err := lockMachine(ctx, f.nolock, s.err)
		if err != nil {
			return err
		}
		defer unlock()
		for _, c := range r.sel.Cases(bench.Serial) {
			unit, err := f.measure(ctx, r.subject, c, s.err)
			if err != nil {
				return err
			}
			fmt.Fprintf(s.out, "%s\n", provenance(unit))
			if err := cost.WriteCosts(s.out, r.subject.Costs.Key(c), unit); err != nil {
				return err
			}
		}
		return nil
	}
	return l
}

// costAxes returns the axes on which the unit costs of s depend.
func costAxes(s bench.Subject) []bench.Param {
	if s.Costs == nil {
		return nil
	}
	return s.Costs.Axes
}

// lockMachine waits until no other measurement runs on this machine, and says
// for which one it waits. With free set it does not wait.
func lockMachine(ctx context.Context, free bool, progress io.Writer) (unlock func(), err error) {
	if free {
		return func() {}, nil
	}
	return drive.Lock(ctx, func(h drive.Holder) { fmt.Fprintln(progress, "zkatbench: "+h.Waiting()) })
}

// withBinaries binds this process as -pin says, and calls f with the lock for test
// binaries and a temporary folder for them.
func withBinaries(ctx context.Context, processors string, free bool, s streams,
	f func(plan pin.Plan, dir string) error) error {
	plan, err := bind(processors)
	if err != nil {
		return err
	}
	unlock, err := lockForBinaries(ctx, free, s.err)
	if err != nil {
		return err
	}
	defer unlock()
	dir, err := os.MkdirTemp("", "zkatbench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	return f(plan, dir)
}

// lockForBinaries is lockMachine for a command that measures by test binaries,
// which would otherwise wait for this process. With free set they measure
// without the lock.
func lockForBinaries(ctx context.Context, free bool, progress io.Writer) (unlock func(), err error) {
	if free {
		return func() {}, drive.WithoutLock()
	}
	unlock, err = lockMachine(ctx, false, progress)
	if err != nil {
		return nil, err
	}
	if err := drive.Lend(); err != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}

// provenance returns the place and time of the measurement of costs.
func provenance(unit *cost.Costs) string {
	return fmt.Sprintf("unit costs: %s, %s", unit.Machine, unit.Date)
}

// measure measures the unit costs of a case and saves them.
func (f *costFlags) measure(ctx context.Context, s bench.Subject, c bench.Case,
	progress io.Writer) (*cost.Costs, error) {
	key := s.Costs.Key(c)
	show, wipe := percent(progress, "measuring "+key)
	o := cost.Options{Sample: f.duration, Progress: show}
	var done func()
	o.Now, done = cputime.Thread()
	unit, err := s.Costs.Measure(ctx, c, o)
	done()
	wipe()
	if err != nil {
		return nil, fmt.Errorf("unit costs of %s: %w", key, err)
	}
	unit.Machine, unit.Date = machine(), time.Now().Format(time.DateOnly)
	return unit, ofFlag("costs", cost.Keep(f.file, key, unit))
}

// machine identifies the machine for which unit costs are valid.
func machine() string {
	s := host.Read()
	return fmt.Sprintf("%s, %d CPUs, %s %s/%s", s.CPU, s.CPUs, s.Go, s.OS, s.Arch)
}
