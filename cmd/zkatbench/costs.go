package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/count/cost"
	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/runner/host"
)

// Flags of costs in addition to the flags of the suite.
var (
	sample = &bench.Axis[time.Duration]{
		Name: "sample", Flag: "sample", Default: "10ms", Values: bench.Durations(), Show: bench.Never, One: true,
		Usage: "measuring time of each unit cost",
	}
	costsFile = &bench.Axis[string]{
		Name: "costs", Flag: "costs", Default: defaultCosts(), Show: bench.Never, One: true, Values: paths,
		Usage: "file of the unit costs of this machine",
	}
	noLock = &bench.Axis[bool]{
		Name: "nolock", Flag: "nolock", Default: "false", Show: bench.Never, One: true, Values: bench.Switch(),
		Usage: "do not wait for other measurements on this machine",
	}
	paths = bench.Values[string]{
		Allowed: "the name of a file",
		Parse:   func(item string) ([]string, bool) { return []string{item}, item != "" },
		Text:    func(s string) string { return s },
	}
)

// defaultCosts is in the user's cache, since costs belong to a machine and not
// to a project.
func defaultCosts() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "zkatbench", "costs.json")
}

// costs measures the unit costs of the algebra of a subject, prints them, and
// adds them to a file with the costs of other curves.
func costs(ctx context.Context, args []string, s streams) error {
	r, err := parseRequest("costs", bench.Axes(sample, costsFile, noLock), costAxes, args, s.out)
	if r == nil {
		return err
	}
	if r.subject.Costs == nil {
		return usageError("costs: %s has no unit costs", r.subject.Name)
	}
	unlock, err := waitForMachine(ctx, r.sel, s.err)
	if err != nil {
		return err
	}
	defer unlock()
	for _, c := range r.sel.Cases(bench.Serial, chosen) {
		unit, err := measure(ctx, r.subject, c, s.err)
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

// costAxes returns the axes on which the unit costs of s depend.
func costAxes(s bench.Subject) []bench.Param {
	if s.Costs == nil {
		return nil
	}
	return s.Costs.Axes
}

// waitForMachine waits until no other measurement runs on this machine.
func waitForMachine(ctx context.Context, sel *bench.Selection, progress io.Writer) (unlock func(), err error) {
	if slices.Contains(noLock.All(sel), true) {
		return func() {}, nil
	}
	return lockMachine(ctx, progress)
}

// lockMachine waits until no other measurement runs on this machine, and says
// for which one it waits.
func lockMachine(ctx context.Context, progress io.Writer) (unlock func(), err error) {
	unlock, err = drive.Lock(ctx, func(h drive.Holder) { fmt.Fprintln(progress, "zkatbench: "+h.Waiting()) })
	switch {
	case ctx.Err() != nil:
		if err == nil {
			unlock()
		}
		return nil, errInterrupted
	case err != nil:
		return nil, fmt.Errorf("zkatbench: %w", err)
	}
	return unlock, nil
}

// lockForBinaries is lockMachine for a command that measures by test binaries,
// which would otherwise wait for this process. With free set they measure
// without the lock.
func lockForBinaries(ctx context.Context, free bool, progress io.Writer) (unlock func(), err error) {
	if free {
		return func() {}, drive.WithoutLock()
	}
	if unlock, err = lockMachine(ctx, progress); err != nil {
		return nil, err
	}
	if err := drive.Lend(); err != nil {
		unlock()
		return nil, fmt.Errorf("zkatbench: %w", err)
	}
	return unlock, nil
}

// provenance returns the place and time of the measurement of costs.
func provenance(unit *cost.Costs) string {
	return fmt.Sprintf("unit costs: %s, %s", unit.Machine, unit.Date)
}

// measure measures the unit costs of a case and saves them.
func measure(ctx context.Context, s bench.Subject, c bench.Case, progress io.Writer) (*cost.Costs, error) {
	key := s.Costs.Key(c)
	show, wipe := percent(progress, "measuring "+key)
	o := cost.Options{Sample: sample.Of(c), Progress: show}
	var done func()
	o.Now, done = cputime.Thread()
	unit, err := s.Costs.Measure(ctx, c, o)
	done()
	wipe()
	if ctx.Err() != nil {
		return nil, errInterrupted
	}
	if err != nil {
		return nil, fmt.Errorf("zkatbench: unit costs of %s: %w", key, err)
	}
	unit.Machine, unit.Date = machine(), time.Now().Format(time.DateOnly)
	return unit, saveCosts(costsFile.Of(c), key, unit)
}

// machine identifies the machine for which unit costs are valid.
func machine() string {
	s := host.Read()
	return fmt.Sprintf("%s, %d CPUs, %s %s/%s", s.CPU, s.CPUs, s.Go, s.OS, s.Arch)
}

// saveCosts writes the costs of one curve to a file and keeps the others.
func saveCosts(path, key string, unit *cost.Costs) error {
	f, err := cost.Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = &cost.File{Curves: map[string]*cost.Costs{}}, nil
	}
	if err == nil {
		f.Curves[key] = unit
		err = f.Save(path)
	}
	if err != nil {
		return fmt.Errorf("zkatbench: -%s: %w", costsFile.Flag, err)
	}
	return nil
}
