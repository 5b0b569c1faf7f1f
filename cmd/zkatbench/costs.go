package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount/cost"
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
	Program: suite.Options.Program, Env: suite.Options.Env,
	Axes: bench.Axes(suite.Curve, suite.Backend, sample, costsFile),
}

// costs measures the unit costs of curves, prints them, and keeps them in a
// file with those of other curves.
func costs(ctx context.Context, args []string, out io.Writer) error {
	sel, err := parse(costsFlags, "costs", args, out)
	if sel == nil {
		return err
	}
	for _, c := range sel.Cases(bench.Serial) {
		if ctx.Err() != nil {
			return errInterrupted
		}
		g, err := curves.Find(suite.Curve.Of(c), suite.Backend.Of(c))
		if err != nil {
			return err
		}
		unit := measure(g, sample.Of(c))
		if err := cost.WriteCosts(out, costsKey(c), unit); err != nil {
			return err
		}
		if err := keep(costsFile.Of(c), costsKey(c), unit); err != nil {
			return err
		}
	}
	return nil
}

// costsKey tells the costs of a curve on different backends apart.
func costsKey(c bench.Case) string { return suite.Curve.Of(c) + "/" + suite.Backend.Of(c) }

// measure measures the tables that the parameters of the suite have: the three
// generators of commitments, and 6 + 2n of range proofs with n bits.
func measure(g group.Group, sample time.Duration) *cost.Costs {
	tables := []cost.TableSize{{Points: 3, Budget: 2 << 20}}
	for _, bits := range []int{16, 32, 64} {
		tables = append(tables, cost.TableSize{Points: 6 + 2*bits})
	}
	return cost.Measure(g, sample, tables)
}

// keep writes the costs of one curve to a file, beside what is there.
func keep(path, key string, unit *cost.Costs) error {
	f, err := cost.Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = &cost.File{Curves: map[string]*cost.Costs{}}, os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err != nil {
		return fmt.Errorf("zkatbench: -%s: %w", costsFile.Flag, err)
	}
	f.Machine = fmt.Sprintf("%s/%s, %d CPUs, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	f.Date = time.Now().Format(time.DateOnly)
	f.Curves[key] = unit
	return f.Save(path)
}
