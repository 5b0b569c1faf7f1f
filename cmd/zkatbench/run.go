package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/compare"
	"github.com/zkatbench/zkatbench/bench/hosts"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/pin"
)

// runFlags are the flags of run.
type runFlags struct {
	count                  int
	seed                   uint64
	out, hosts, shard, pin string
	before                 *result.Data
	nolock                 bool
}

// runLine measures benchmarks into a file.
func runLine(s streams) *commandLine {
	l := newLine("run", "[flags] packages or operations [-- flags of go test]",
		"measure benchmarks into a file, with the environment that explains the figures")
	l.afterDashes = new([]string)
	l.help = "Builds the test binary of each package once and measures its benchmarks count times, in " +
		"rounds.\n" +
		"Without -bench these are all benchmarks of the packages.\n" +
		"The name of an operation, as zkatbench list shows it, stands for its package and its benchmark.\n" +
		"Results are Go benchmark format with the environment as configuration lines; each is\n" +
		"written to the file when it is finished, and stays there after a crash."
	f, fs := &runFlags{}, &l.flags
	flags.Into(fs, &f.count, "count", "10", ": results of each case", flags.AtLeast(1))
	flags.Into(fs, &f.seed, "seed", "1", ": the order of the packages", flags.Seeds())
	outputFlag(l, &f.out, "o", "", ": the results; standard output if not given")
	flags.Into(fs, &f.shard, "shard", "", "", flags.Text("i/n or auto"))
	inputFlag(fs, &f.before, "before", ": their times balance the shards",
		func(name string) (*result.Data, error) { return result.ReadFiles(name) })
	hostsFlag(fs, &f.hosts)
	pinFlag(fs, &f.pin)
	noLockFlag(fs, &f.nolock)
	l.expects(1, many, "name packages or operations, as in zkatbench run ./... -- -bench=.")
	l.exec = func(ctx context.Context, args []string) error {
		return f.exec(ctx, &l.flags, args, *l.afterDashes, s)
	}
	return l
}

// exec measures the packages, on this machine or with -hosts on others. It checks the flags
// of the tests and the shard before anything runs.
func (f *runFlags) exec(ctx context.Context, set *flags.Set, packages, tests []string, s streams) error {
	packages, tests, err := packagesOf(packages, tests)
	if err != nil {
		return err
	}
	suite := result.Suite{Count: f.count, Seed: f.seed}
	suite.Flags, err = result.CheckedFlags(tests)
	if err != nil {
		return err
	}
	suite.Shard, err = result.ParseShard(f.shard, os.Getenv)
	if err != nil {
		return fmt.Errorf("-shard: %w", err)
	}
	if f.before != nil {
		suite.Cost = f.before.Spent
	}
	if f.hosts != "" {
		if f.out == "" {
			return errors.New("-hosts needs a file for the results, -o")
		}
		order := hosts.Order{File: f.hosts, Say: s.err}
		if err := forward(&order, set, []string{"shard", "pin"}, []string{"o", "f"},
			map[string]string{"before": ""}); err != nil {
			return err
		}
		return order.Suite(ctx, result.Source{Dir: ".", Packages: packages, Flags: suite.Flags.Build},
			suite.Flags, f.out)
	}
	open := func(e result.Environment) (result.Sink, error) { return result.Open(f.out, s.out, e.Lines()) }
	return measurement{pin: f.pin, free: f.nolock, packages: packages, open: open}.run(ctx, suite, s)
}

// packagesOf replaces names of operations by their packages, and then adds a
// -bench that selects these operations, unless tests has one that comes later. An unknown
// name is an error if it looks like an operation: packages of Go have small letters.
func packagesOf(args, tests []string) (packages, flags []string, err error) {
	var names []string
	for _, arg := range args {
		subject, op, found := find(arg)
		if !found {
			if _, err := os.Stat(arg); err != nil && likeOperation.MatchString(arg) {
				return nil, nil, noOperation(arg)
			}
			packages = append(packages, arg)
			continue
		}
		names = append(names, op.Name)
		if pkg := subject.PackageOf(op); !slices.Contains(packages, pkg) {
			packages = append(packages, pkg)
		}
	}
	if len(names) > 0 {
		tests = append([]string{"-bench=^Benchmark(" + strings.Join(names, "|") + ")$"}, tests...)
	}
	return packages, tests, nil
}

var likeOperation = regexp.MustCompile(`^(ct/|iai/)?[A-Z][A-Za-z0-9]*$`)

// measurement is how a command measures packages.
type measurement struct {
	pin      string
	free     bool // of the lock
	packages []string
	// open returns the destination of results, once there are benchmarks.
	open func(result.Environment) (result.Sink, error)
}

// run builds packages and measures them into a sink.
func (m measurement) run(ctx context.Context, suite result.Suite, s streams) (err error) {
	built := !slices.ContainsFunc(m.packages, func(name string) bool {
		return compare.KindOf(name) != compare.TestBinary
	})
	from := result.Source{Dir: ".", Packages: m.packages, Flags: suite.Flags.Build}
	switch {
	case built && len(from.Flags) > 0:
		return fmt.Errorf("%s is a test binary: %s does not apply", m.packages[0], from.Flags[0])
	case built:
		suite.Binaries, err = compare.Prebuilt(m.packages)
		for _, b := range suite.Binaries {
			err = cmp.Or(err, b.CheckFlags(ctx, suite.Flags))
		}
	default:
		err = from.Check(ctx)
		if err == nil {
			err = from.CheckTests(ctx, suite.Flags)
		}
	}
	if err != nil {
		return err
	}
	return withBinaries(ctx, m.pin, m.free, s, func(plan pin.Plan, dir string) (err error) {
		if !built {
			suite.Binaries, err = from.Build(ctx, dir)
		}
		if err != nil {
			return err
		}
		return m.measure(ctx, suite, plan, s)
	})
}

// measure measures test binaries.
func (m measurement) measure(ctx context.Context, suite result.Suite, plan pin.Plan, s streams) (err error) {
	for i := range suite.Binaries {
		suite.Binaries[i].Processors = plan.Measured
	}
	e := result.Observe(ctx, ".", result.CommandLine(os.Args), plan)
	e.Seed, e.Shard = suite.Seed, suite.Shard
	warn(s, e.Noise)
	bar := text.StatusOn(s.err)
	bar.Show("looking for benchmarks")
	defer bar.Erase()
	suite.Closing = func() []string {
		bar.Erase()
		noise := result.NoiseAfter(e.State, host.Read(), time.Since(e.Started))
		warn(s, noise)
		if len(noise) == 0 {
			return nil
		}
		return []string{"noise-after: " + strings.Join(noise, "; ")}
	}
	var sink result.Sink
	suite.Keys, err = suite.Find(ctx)
	if errors.Is(err, result.ErrNoBenchmarks) {
		return exitError{undecided, err}
	}
	if err == nil {
		sink, err = m.open(e)
	}
	if err == nil {
		err = suite.Run(ctx, wiping{sink, bar}, func(p result.Progress) { bar.Show(p.String()) })
	}
	if file, is := sink.(*result.File); is {
		err = errors.Join(err, file.Close())
	}
	return err
}

// wiping clears the progress before results, which may appear in the same place.
type wiping struct {
	result.Sink
	bar text.Status
}

func (w wiping) Append(lines ...string) error {
	w.bar.Erase()
	return w.Sink.Append(lines...)
}

// warn prints reasons to doubt the figures.
func warn(s streams, warnings []string) {
	for _, w := range warnings {
		fmt.Fprintln(s.err, "zkatbench: noise: "+w)
	}
}
