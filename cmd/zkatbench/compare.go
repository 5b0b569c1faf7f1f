package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/pin"
)

// comparison is the command line of compare and gate.
type comparison struct {
	count, layouts             *int
	budget                     *time.Duration
	seed                       *uint64
	dir, md, json              *string
	limit                      *float64
	renames                    *result.Renames
	all, free, overwrite, wall *bool
	strict                     *bool // of gate
	mix, pin, shard, hosts     *string
	part                       result.Shard
	set                        *flags.Set
	base, head                 string
	axes                       []toolAxis
	side                       int // index of HEAD's values of axes, from 1
	packages                   []string
	overlay                    string // of the build of HEAD
	reuse                      bool   // keep BASE in built for further comparisons
	built                      side
	plan                       pin.Plan
	lenient                    bool // leave out packages that do not build, and flags that a binary does not know
	tests                      result.Flags
	rules                      gate.Rules
}

const sidesHelp = `BASE and HEAD are git revisions, folders, prebuilt test binaries or result files. Unless
both are files they are measured in turns (A B B A), case by case, until all cases are decided or the budget is spent.
FOLDER@REVISION is a revision of the repository of a folder; a.test,b.test are test binaries that
differ in the order of their functions. Two modules are compared by the names of their benchmarks.`

// compareLine compares two sides and prints the report.
func compareLine(s streams) *commandLine {
	return comparisonLine("compare", "compare two revisions, or two result files: yes, no, or cannot tell", sidesHelp, s, func(r gate.Report) error {
		if len(r.Comparisons) == 0 {
			return exitError{undecided, result.ErrNoBenchmarks}
		}
		return nil
	})
}

// comparisonLine compares and prints; end turns the report into an exit status.
func comparisonLine(name, summary, help string, s streams, end func(gate.Report) error) *commandLine {
	l := newLine(name, "[flags] BASE HEAD [packages] [-- flags of go test]", summary)
	l.help, l.afterDashes, l.most = help, new([]string), many
	c, fs := comparison{}, &l.flags
	c.count = flags.One(fs, "count", "10", "results of each case and side before the first look", flags.AtLeast(1))
	c.layouts = flags.One(fs, "layouts", "3", "random orders of the functions in each binary; 1: the order of the linker", flags.Numbers(1, 100))
	c.budget = flags.One(fs, "budget", "10m", "time after which no measurement starts, from the first build on", flags.Durations())
	c.seed = flags.One(fs, "seed", "1", "seed of the order of the sides in each block", flags.Seeds())
	c.limit = flags.One(fs, "threshold", "3%", "largest change of noisy units that does not count", limits)
	rules := rulesFlag(fs)
	c.renames = renamesFlag(fs, "cases of HEAD with other names in BASE")
	c.dir = flags.One(fs, "o", "", "`folder` for the results: base.txt and head.txt", flags.Text("a folder"))
	c.md = outputFlag(fs, "md", "", "`file` of a summary in Markdown")
	c.json = outputFlag(fs, "json", "", "`file` of a summary in JSON")
	c.all = flags.One(fs, "all", "false", "also show cases that are the same", flags.Switch())
	c.wall = flags.One(fs, "wall", "false", "judge wall time, also where processor time of one thread is recorded", flags.Switch())
	c.overwrite = flags.One(fs, "f", "false", "overwrite results in the folder of -o", flags.Switch())
	c.hosts, c.set = hostsFlag(fs), fs
	c.shard = flags.One(fs, "shard", "", "part `i/n` of the cases, as in run", flags.Text("i/n or auto"))
	c.pin, c.free, c.axes = pinFlag(fs), noLockFlag(fs), toolAxes(fs)
	c.mix = flags.One(fs, "mix", "none", "also compare files of other hosts with the same processor (host), or of any machines", flags.Names("none", "host", "any"))
	prove := new(bool)
	c.strict = prove
	if name == "gate" {
		c.strict = flags.One(fs, "strict", "false", "end with status 3 if any comparison has no verdict", flags.Switch())
		prove = flags.One(fs, "prove", "false", "compare the packages with themselves, as they are and with planted faults", flags.Switch())
	}
	l.exec = func(ctx context.Context, args []string) error {
		packages := args
		if *prove {
			args = []string{".", "."}
		}
		c.rules = *rules
		if err := c.check(args, *l.afterDashes); err != nil {
			return err
		}
		if *prove {
			return c.prove(ctx, packages, s)
		}
		n, err := heads(c.axes)
		if err == nil && n > 1 && *c.dir+*c.md+*c.json != "" {
			err = errors.New("-o, -md and -json take two sides, so two values")
		}
		if err != nil {
			return err
		}
		for c.side = 1; c.side <= n && ctx.Err() == nil; c.side++ {
			r, ended := c.run(ctx, s)
			if ended == nil {
				ended = end(r)
			}
			err = cmp.Or(err, ended)
		}
		return err
	}
	return l
}

// limits are the values of -threshold.
var limits = flags.Func("a share such as 3%, above 0 and up to 1000%", gate.ParseLimit, func(l float64) string { return fmt.Sprint(100*l, "%") })

// renamesFlag declares -map; usage ends with the names that it expects.
func renamesFlag(set *flags.Set, usage string) *result.Renames {
	text, rs := flags.One(set, "map", "", usage+", `new=old[,...]`, by whole names or beginnings; @file has a line NEW OLD for each",
		flags.Text("new=old, or several of them with commas")), new(result.Renames)
	set.Check(func() (err error) {
		*rs, err = result.ParseRenames(*text)
		return ofFlag("map", err)
	})
	return rs
}

// noLockFlag declares -nolock.
func noLockFlag(set *flags.Set) *bool {
	return flags.One(set, "nolock", "false", "do not wait for other measurements on this machine", flags.Switch())
}

// check reads the values that follow from several flags, and the arguments.
func (c *comparison) check(args, tests []string) (err error) {
	if len(args) < 2 {
		return errors.New("name two sides, as in main HEAD ./... -- -bench=Sender")
	}
	c.base, c.head, c.packages = args[0], args[1], args[2:]
	if *c.dir != "" && !*c.overwrite {
		for _, name := range sideFiles {
			if err := result.Vacant(filepath.Join(*c.dir, name+".txt")); err != nil {
				return fmt.Errorf("-o: %w", err)
			}
		}
	}
	if c.part, err = result.ParseShard(*c.shard, os.Getenv); err != nil {
		return fmt.Errorf("-shard: %w", err)
	}
	if c.tests, err = testFlags(tests); err != nil {
		return err
	}
	c.rules.Wall, c.rules.Limit, c.rules.Strict = *c.wall, *c.limit, *c.strict
	if *c.dir != "" {
		if err := os.MkdirAll(*c.dir, 0o755); err != nil {
			return fmt.Errorf("-o: %s: %w", *c.dir, outfile.Cause(err))
		}
	}
	return nil
}

// rulesFlag declares -rules.
func rulesFlag(set *flags.Set) *gate.Rules {
	return inputFlag(set, "rules", "`file` of rules for units and cases, see docs/comparing.md", func(name string) (gate.Rules, error) {
		b, err := outfile.ReadFile(name)
		rules, bad := gate.ParseRules(bytes.NewReader(b), name)
		return rules, cmp.Or(err, bad)
	})
}

// run compares and writes all summaries, also after an interrupt.
func (c *comparison) run(ctx context.Context, s streams) (gate.Report, error) {
	r, err := c.compare(ctx, s)
	if err != nil && !errors.Is(err, context.Canceled) {
		return r, err
	}
	if err != nil {
		r.Interrupted, err = true, result.ErrInterrupted
	}
	r.Base, r.Head = cmp.Or(r.Base, c.base), cmp.Or(r.Head, c.head)
	err = errors.Join(err, r.WriteText(s.out, *c.all))
	if *c.md != "" {
		err = errors.Join(err, outfile.Write(*c.md, r.WriteMarkdown))
	}
	if *c.json != "" {
		err = errors.Join(err, outfile.Write(*c.json, r.WriteJSON))
	}
	return r, err
}

// compare compares files, or measures.
func (c *comparison) compare(ctx context.Context, s streams) (r gate.Report, err error) {
	kinds := [2]kind{kindOf(c.base), kindOf(c.head)}
	switch files := (kinds[0] == resultFile) || (kinds[1] == resultFile); {
	case files && kinds[0] != kinds[1]:
		return r, fmt.Errorf("%q is a %v and %q a %v: results can be compared with results only", c.base, kinds[0], c.head, kinds[1])
	case files && *c.pin != "":
		return r, errors.New("files of results are measured already: -pin does not apply")
	case files && slices.ContainsFunc(c.axes, func(a toolAxis) bool { return len(*a.values) > 0 }):
		return r, errors.New("files of results are measured already: settings of the tool chain do not apply")
	case files && (len(c.packages) > 0 || c.tests.Stated != ""):
		return r, errors.New("files of results take no packages and no flags of go test")
	case files && *c.hosts+*c.shard != "":
		return r, errors.New("files of results are measured already: -hosts and -shard do not apply")
	case *c.hosts != "":
		r, err = c.away(ctx, s)
	case files:
		var loads bool
		if loads, err = areLoads(c.base, c.head); err == nil && loads {
			r, err = c.compareLoads()
		} else if err == nil {
			r, err = c.compareFiles()
		}
	default:
		err = c.alone(ctx, s, func(dir string) (err error) {
			r, err = c.turns(ctx, dir, s)
			return err
		})
	}
	return r, err
}

// compareFiles judges two files.
func (c *comparison) compareFiles() (r gate.Report, err error) {
	var ds [2]*result.Data
	for i, name := range []string{c.base, c.head} {
		if ds[i], err = result.ReadSound(name); err != nil {
			return r, err
		}
		if failed := ds[i].Failed; len(failed) > 0 {
			return r, fmt.Errorf("%w: %s", errFailedBenchmark, strings.Join(failed, "; "))
		}
	}
	for i, renames := range c.renamesOf() {
		if err := ds[i].Rename(renames); err != nil {
			return r, fmt.Errorf("-map: %w", err)
		}
	}
	if *c.mix != "any" {
		if err := result.SameMachine(*c.mix == "host", ds[:]...); err != nil {
			return r, err
		}
	}
	r = gate.Files(c.rules, ds[0], ds[1])
	r.Base, r.Head = c.base, c.head
	if len(ds[0].Config[orderKey]) == 0 || len(ds[1].Config[orderKey]) == 0 {
		r.Notes = append(r.Notes, "not measured in turns: a change of the machine between the files counts as a change")
	}
	for _, d := range ds {
		r.Incomplete = append(r.Incomplete, d.Partial...)
	}
	return r, nil
}

// renamesOf returns the renames of BASE, which are empty, and of HEAD; nil without -map.
func (c *comparison) renamesOf() (sides [2]result.Renames) {
	if len(*c.renames) > 0 {
		sides = [2]result.Renames{{}, *c.renames}
	}
	return sides
}

// errFailedBenchmark reports a file with the output of a benchmark that failed.
var errFailedBenchmark = errors.New("a benchmark failed, so its results do not count")

// orderKey is the configuration key of files measured in turns.
const orderKey = "order"
