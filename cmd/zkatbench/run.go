package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/pin"
)

// runFlags are the flags of run.
type runFlags struct {
	count      *int
	seed       *uint64
	out, hosts *string
	shard      *string
	cost       **result.Data
	pin        *string
	free       *bool // of the lock
}

// runLine measures benchmarks into a file.
func runLine(s streams) *commandLine {
	l := newLine("run", "[flags] packages or operations [-- flags of go test]", "measure benchmarks into a file, with the environment that explains the figures")
	l.afterDashes = new([]string)
	l.help = "Builds the test binary of each package once and measures its benchmarks count times, in rounds.\n" +
		"Without -bench these are all benchmarks of the packages.\n" +
		"The name of an operation, as zkatbench list shows it, stands for its package and its benchmark.\n" +
		"Results are Go benchmark format with the environment as configuration lines; each is\n" +
		"written to the file when it is finished, and stays there after a crash."
	f := runFlags{
		count: flags.One(&l.flags, "count", "10", "results of each case", flags.AtLeast(1)),
		seed:  flags.One(&l.flags, "seed", "1", "seed of the order of the packages", flags.Seeds()),
		out:   newFileFlag(&l.flags, "o", "`file` of the results; standard output if not given"),
		shard: flags.One(&l.flags, "shard", "", "measure part `i/n` of the cases; auto takes it from Slurm, Kubernetes or GitHub", flags.Text("i/n or auto")),
		cost:  inputFlag(&l.flags, "cost", "`file` of earlier results; its times balance the shards", func(name string) (*result.Data, error) { return result.ReadFiles(name) }),
		hosts: hostsFlag(&l.flags),
		pin:   pinFlag(&l.flags),
		free:  noLockFlag(&l.flags),
	}
	l.expects(1, many, "name packages or operations, as in zkatbench run ./... -- -bench=.")
	l.exec = func(ctx context.Context, args []string) error { return f.exec(ctx, &l.flags, args, *l.afterDashes, s) }
	return l
}

func (f runFlags) exec(ctx context.Context, set *flags.Set, packages, tests []string, s streams) error {
	packages, tests = packagesOf(packages, tests)
	suite, err := result.Suite{Count: *f.count, Seed: *f.seed}, error(nil)
	if suite.Flags, err = testFlags(tests); err != nil {
		return err
	}
	if suite.Shard, err = result.ParseShard(*f.shard, os.Getenv); err != nil {
		return fmt.Errorf("-shard: %w", err)
	}
	if *f.cost != nil {
		suite.Cost = (*f.cost).Spent
	}
	if *f.hosts != "" {
		return f.away(ctx, set, packages, suite, s)
	}
	open := func(e result.Environment) (result.Sink, error) { return sinkOf(*f.out, s.out, e.Lines()) }
	return measurement{*f.pin, *f.free, packages, open}.run(ctx, suite, s)
}

// iterations matches values of -benchtime that are a number of iterations.
var iterations = regexp.MustCompile(`^(\d+)x$`)

// testFlags reads flags of go test. It refuses values that every test binary would.
func testFlags(args []string) (f result.Flags, err error) {
	if f, err = result.ParseFlags(args); err != nil {
		return f, err
	}
	var set flags.Set
	for _, name := range []string{"bench", "skip"} {
		flags.One(&set, name, "", "", flags.Func("a regular expression, or several with slashes between them", func(text string) (*regexp.Regexp, error) {
			return regexp.Compile(strings.ReplaceAll(text, "/", "|"))
		}, nil))
	}
	flags.One(&set, "benchtime", "", "", flags.Func("", func(text string) (time.Duration, error) {
		return time.ParseDuration(iterations.ReplaceAllString(text, "${1}ns"))
	}, nil).Where("a time or a number of iterations above 0, such as 2s or 100x", func(d time.Duration) bool { return d > 0 }))
	flags.One(&set, "timeout", "", "", flags.Func("a time such as 10m, or 0 for none", time.ParseDuration, nil))
	flags.Many(&set, "cpu", "", "", flags.AtLeast(1))
	flags.One(&set, "parallel", "", "", flags.AtLeast(1))
	flags.One(&set, "benchmem", "", "", flags.Switch())
	flags.One(&set, "short", "", "", flags.Switch())
	for _, arg := range append([]string{"-test.bench=" + f.Bench}, f.Run...) {
		name, value, given := strings.Cut(strings.TrimPrefix(arg, "-test."), "=")
		if known := set.Lookup(name); known != nil && given {
			if bad, ok := known.Read(value); !ok {
				return f, set.Bad(name, bad, known.Allowed)
			}
		}
	}
	return f, nil
}

// packagesOf replaces names of operations by their packages, and then adds a
// -bench that selects these operations, unless tests has one that comes later.
func packagesOf(args, tests []string) (packages, flags []string) {
	var names []string
	for _, arg := range args {
		subject, op, found := find(arg)
		if !found {
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
	return packages, tests
}

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
	built := !slices.ContainsFunc(m.packages, func(name string) bool { return kindOf(name) != testBinary })
	from := result.Source{Dir: ".", Packages: m.packages, Flags: suite.Flags.Build}
	switch {
	case built && len(from.Flags) > 0:
		return fmt.Errorf("%s is a test binary: %s does not apply", m.packages[0], from.Flags[0])
	case built:
		suite.Binaries, err = prebuilt(m.packages)
	default:
		err = from.Check(ctx)
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
	bar := newRunBar(s.err)
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
	if suite.Keys, err = suite.Find(ctx); err == nil {
		sink, err = m.open(e)
	}
	if err == nil {
		err = suite.Run(ctx, wiping{sink, bar}, bar.show)
	}
	if file, is := sink.(*result.File); is {
		err = errors.Join(err, file.Close())
	}
	return err
}

// wiping clears the progress before results, which may appear in the same place.
type wiping struct {
	result.Sink
	bar runBar
}

func (w wiping) Append(lines ...string) error {
	w.bar.Erase()
	return w.Sink.Append(lines...)
}

// sinkOf returns a destination of results, which begins with lines: the named file, or out
// without a name.
func sinkOf(name string, out io.Writer, lines []string) (result.Sink, error) {
	if name == "" {
		stream := result.Stream{Writer: out}
		return stream, stream.Append(lines...)
	}
	f, err := result.Create(name, lines)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// warn prints reasons to doubt the figures.
func warn(s streams, warnings []string) {
	for _, w := range warnings {
		fmt.Fprintln(s.err, "zkatbench: noise: "+w)
	}
}
