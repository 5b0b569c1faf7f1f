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
	"github.com/zkatbench/zkatbench/bench/metric"
	"github.com/zkatbench/zkatbench/count/cost"
	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/group/unitcost"
)

// The flags of costs beside those of the suite.
var (
	sample = &bench.Axis[time.Duration]{
		Name: "sample", Flag: "sample", Default: "10ms", Values: bench.Durations(), Show: bench.Never, One: true,
		Usage: "how long each unit cost is measured",
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

// defaultCosts is in the user's cache, since costs are a machine's and no
// project's.
func defaultCosts() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "zkatbench", "costs.json")
}

var costsFlags = bench.Set{
	Program: "zkatbench", Env: "ZKAT_",
	Axes: bench.Axes(suite.Curve, suite.Backend, sample, costsFile, noLock),
}

// costs measures the unit costs of curves, prints them, and keeps them in a
// file with those of other curves.
func costs(ctx context.Context, args []string, s streams) error {
	sel, err := parse(costsFlags, "costs", args, s.out)
	if sel == nil {
		return err
	}
	unlock, err := alone(ctx, sel, s.err)
	if err != nil {
		return err
	}
	defer unlock()
	for _, c := range sel.Cases(bench.Serial) {
		unit, err := measure(ctx, c, s.err)
		if err != nil {
			return err
		}
		fmt.Fprintf(s.out, "%s\n", provenance(unit))
		if err := cost.WriteCosts(s.out, costsKey(c), unit); err != nil {
			return err
		}
	}
	return nil
}

// alone waits until nobody else measures on this machine.
func alone(ctx context.Context, sel *bench.Selection, progress io.Writer) (unlock func(), err error) {
	if slices.Contains(noLock.All(sel), true) {
		return func() {}, nil
	}
	unlock, err = drive.Lock(ctx, func() { fmt.Fprintln(progress, "waiting for another measurement on this machine") })
	if ctx.Err() != nil {
		return nil, errInterrupted
	}
	if err != nil {
		return nil, fmt.Errorf("zkatbench: %w", err)
	}
	return unlock, nil
}

// provenance says where and when costs were measured.
func provenance(unit *cost.Costs) string {
	return fmt.Sprintf("unit costs: %s, %s", unit.Machine, unit.Date)
}

// costsKey tells the costs of a curve on different backends apart.
func costsKey(c bench.Case) string { return suite.Curve.Of(c) + "/" + suite.Backend.Of(c) }

// measure measures the unit costs of a case and keeps them: also over the
// tables that the parameters of the suite have, the three generators of
// commitments, and 6 + 2n of range proofs with n bits.
func measure(ctx context.Context, c bench.Case, progress io.Writer) (*cost.Costs, error) {
	g, err := curves.Find(suite.Curve.Of(c), suite.Backend.Of(c))
	if err != nil {
		return nil, err
	}
	show, wipe := percent(progress, "measuring "+costsKey(c))
	o := cost.Options{Sample: sample.Of(c), Progress: show}
	tables := []unitcost.TableSize{{Points: 3, Budget: 2 << 20}}
	for _, bits := range []int{16, 32, 64} {
		tables = append(tables, unitcost.TableSize{Points: 6 + 2*bits})
	}
	var done func()
	o.Now, done = metric.ThreadTime()
	unit, err := unitcost.Measure(ctx, g, tables, o)
	done()
	wipe()
	if err != nil {
		return nil, errInterrupted
	}
	unit.Machine, unit.Date = machine(), time.Now().Format(time.DateOnly)
	return unit, keep(costsFile.Of(c), costsKey(c), unit)
}

// machine is what unit costs are true for.
func machine() string {
	s := host.Read()
	return fmt.Sprintf("%s, %d CPUs, %s %s/%s", s.CPU, s.CPUs, s.Go, s.OS, s.Arch)
}

// keep writes the costs of one curve to a file, beside what is there.
func keep(path, key string, unit *cost.Costs) error {
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
