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

	"github.com/zkatbench/zkatbench/bench/compare"
	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/hosts"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

// comparison is a command line of compare or gate.
type comparison struct {
	compare.Options
	shard, pin, hosts, clock string
	summaries, allow         []string // files, and values of -allow
	limit                    float64
	all, strict, nolock      bool
	axes                     []*compare.Setting
}

const sidesHelp = `BASE and HEAD are git revisions, folders, prebuilt test binaries or result files.
Unless both are files they are measured in turns (A B B A), case by case, until all cases are decided or
the budget is spent. FOLDER@REVISION is a revision of the repository of a folder; a.test,b.test are test
binaries that differ in the order of their functions. Two modules are compared by the names of their
benchmarks.`

// compareLine compares two sides and prints the report.
func compareLine(s streams) *commandLine {
	l, c := comparisonLine("compare", "compare two revisions, or two result files: yes, no, or cannot tell",
		sidesHelp)
	l.exec = func(ctx context.Context, args []string) error {
		return c.exec(ctx, l, args, s, func(r gate.Report) error {
			if len(r.Comparisons) == 0 {
				return exitError{undecided, result.ErrNoBenchmarks}
			}
			return nil
		})
	}
	return l
}

// comparisonLine declares the flags of compare and gate.
func comparisonLine(name, summary, help string) (*commandLine, *comparison) {
	l := newLine(name, "[flags] BASE HEAD [packages] [-- flags of go test]", summary)
	l.help, l.afterDashes, l.most = help, new([]string), many
	c, fs := &comparison{}, &l.flags
	flags.Into(fs, &c.Count, "count", "10", ": results of each case and side before the first look",
		flags.AtLeast(1))
	flags.Into(fs, &c.Layouts, "layouts", "3", "", flags.Numbers(1, 100))
	flags.Into(fs, &c.Budget, "budget", "10m",
		": from the first build on; then no measurement starts", flags.Durations())
	flags.Into(fs, &c.Seed, "seed", "1", ": the order of the sides in each block", flags.Seeds())
	flags.Into(fs, &c.limit, "threshold", "3%", "", limits)
	rulesFlag(fs, &c.Rules)
	renamesFlag(fs, &c.Renames, ": of cases of HEAD in BASE")
	out := flags.Many(fs, "o", "",
		": a folder for the results base.txt and head.txt, or summaries, .md and .json; with commas",
		flags.Text("a folder or a file"))
	fs.Check(func() error { return c.sortOutputs(*out) })
	l.writes("o", func() []string { return append(c.kept(), c.summaries...) })
	flags.Into(fs, &c.all, "all", "false", ": cases", flags.Switch())
	flags.Into(fs, &c.clock, "clock", result.CPU, ": cpu where processor time of one thread is recorded",
		flags.Names(result.CPU, result.Wall))
	hostsFlag(fs, &c.hosts)
	flags.Into(fs, &c.shard, "shard", "", "", flags.Text("i/n or auto"))
	pinFlag(fs, &c.pin)
	noLockFlag(fs, &c.nolock)
	c.axes = toolAxes(fs)
	flags.IntoList(fs, &c.allow, "allow", "", ": files of hosts with the same processor (host), or of any "+
		"(any)",
		optional("host", "any"))
	return l, c
}

// exec compares BASE with each HEAD; end turns a report into an exit status.
func (c *comparison) exec(ctx context.Context, l *commandLine, args []string, s streams,
	end func(gate.Report) error) error {
	if err := c.check(args, *l.afterDashes); err != nil {
		return err
	}
	n, err := compare.Heads(c.axes)
	if err == nil && n > 1 && (c.Keep != "" || len(c.summaries) > 0) {
		err = errors.New("-o takes two sides, so two values")
	}
	if err != nil {
		return err
	}
	for i := 1; i <= n && ctx.Err() == nil; i++ {
		r, ended := c.run(ctx, l, [2]string(args), i, s)
		if ended == nil {
			ended = end(r)
		}
		err = cmp.Or(err, ended)
	}
	return err
}

// accepted are the machines of -allow in the words of package compare.
func accepted(allow []string) string {
	switch {
	case slices.Contains(allow, "any"):
		return "any"
	case slices.Contains(allow, "host"):
		return "host"
	}
	return "none"
}

// limits are the values of -threshold.
var limits = flags.Func("a share such as 3%, above 0 and up to 1000%", gate.ParseLimit,
	func(l float64) string { return fmt.Sprint(100*l, "%") })

// renamesFlag declares -map; usage says where the other names are.
func renamesFlag(set *flags.Set, to *result.Renames, usage string) {
	text := flags.One(set, "map", "",
		usage, flags.Text("new=old, or several of them with commas"))
	set.Check(func() (err error) {
		*to, err = result.ParseRenames(*text)
		return ofFlag("map", err)
	})
}

// sortOutputs takes the values of -o.
func (c *comparison) sortOutputs(names []string) error {
	for _, name := range names {
		switch ending := filepath.Ext(name); {
		case ending == asMarkdown, ending == asSummary:
			c.summaries = append(c.summaries, name)
		case name != "" && c.Keep != "":
			return fmt.Errorf("-o: %s and %s: the results go to one folder", c.Keep, name)
		case name != "":
			c.Keep = name
		}
	}
	return nil
}

// The endings of summaries.
const (
	asMarkdown = ".md"
	asSummary  = ".json"
)

// kept are the files in the folder of -o, if it exists.
func (c *comparison) kept() (names []string) {
	if compare.KindOf(c.Keep) != compare.Folder {
		return nil
	}
	for _, side := range compare.SideFiles {
		names = append(names, filepath.Join(c.Keep, side+".txt"))
	}
	return append(names, inFolder(c.Keep, "more-time-*")...)
}

// check reads the values that follow from several flags, and the arguments.
func (c *comparison) check(args, tests []string) (err error) {
	if len(args) < 2 {
		return errors.New("name two sides, as in main HEAD ./... -- -bench=Sender")
	}
	c.Packages = args[2:]
	c.Shard, err = result.ParseShard(c.shard, os.Getenv)
	if err != nil {
		return fmt.Errorf("-shard: %w", err)
	}
	c.Flags, err = result.CheckedFlags(tests)
	if err != nil {
		return err
	}
	c.Mix = accepted(c.allow)
	c.Rules.Wall, c.Rules.Limit, c.Rules.Strict = c.clock == result.Wall, c.limit, c.strict
	if c.Keep != "" {
		if err := os.MkdirAll(c.Keep, 0o755); err != nil {
			return fmt.Errorf("-o: %s: %w", c.Keep, outfile.Cause(err))
		}
	}
	return nil
}

// rulesFlag declares -rules.
func rulesFlag(set *flags.Set, to *gate.Rules) {
	inputFlag(set, to, "rules", "",
		func(name string) (gate.Rules, error) {
			b, err := outfile.ReadFile(name)
			rules, bad := gate.ParseRules(bytes.NewReader(b), name)
			return rules, cmp.Or(err, bad)
		})
}

// run compares with the i-th HEAD and writes all summaries, also after an interrupt.
func (c *comparison) run(ctx context.Context, l *commandLine, names [2]string, i int, s streams) (gate.Report,
	error) {
	base, head := compare.Named(names[0]), compare.Named(names[1])
	r, err := gate.Report{}, error(nil)
	if base.Kind == compare.ResultFile || head.Kind == compare.ResultFile {
		if err := c.checkFiles(base, head); err != nil {
			return r, err
		}
	}
	base.Tools, err = compare.ToolsOf(c.axes, 0)
	if err == nil {
		head.Tools, err = compare.ToolsOf(c.axes, i)
	}
	switch {
	case err != nil:
	case c.hosts != "":
		r, err = c.away(ctx, l, base, head, s)
	default:
		var o compare.Options
		o, err = c.alone(s)
		if err == nil {
			r, err = compare.Run(ctx, base, head, o)
		}
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		return r, err
	}
	if err != nil {
		r.Interrupted, err = true, result.ErrInterrupted
	}
	r.Base, r.Head = cmp.Or(r.Base, base.Name), cmp.Or(r.Head, head.Name)
	err = errors.Join(err, r.WriteText(s.out, c.all))
	for _, name := range c.summaries {
		write := r.WriteMarkdown
		if filepath.Ext(name) == asSummary {
			write = r.WriteJSON
		}
		err = errors.Join(err, outfile.Write(name, write))
	}
	return r, err
}

// checkFiles refuses flags and arguments that have no meaning for files of results.
func (c *comparison) checkFiles(base, head compare.Side) error {
	switch {
	case base.Kind != head.Kind: // Run says so
		return nil
	case c.pin != "":
		return errors.New("files of results are measured already: -pin does not apply")
	case slices.ContainsFunc(c.axes, func(a *compare.Setting) bool { return len(a.Values) > 0 }):
		return errors.New("files of results are measured already: settings of the tool chain do not apply")
	case len(c.Packages) > 0 || c.Flags.Stated != "":
		return errors.New("files of results take no packages and no flags of go test")
	case c.hosts+c.shard != "":
		return errors.New("files of results are measured already: -hosts and -shard do not apply")
	}
	return nil
}

// alone returns the options of a comparison on this machine, and binds this process as -pin says.
func (c *comparison) alone(s streams) (o compare.Options, err error) {
	o = c.Options
	o.Command, o.Progress = result.CommandLine(os.Args), s.err
	o.Lock = func(ctx context.Context) (func(), error) { return lockForBinaries(ctx, c.nolock, s.err) }
	o.Pin, err = bind(c.pin)
	return o, err
}

// away compares on the hosts of -hosts.
func (c *comparison) away(ctx context.Context, l *commandLine, base, head compare.Side,
	s streams) (gate.Report, error) {
	order := hosts.Order{File: c.hosts, Say: s.err}
	local := []string{"o", "f", "all", "map", "allow", "rules", "strict"}
	if err := forward(&order, &l.flags, []string{"shard", "pin"}, local, nil); err != nil {
		return gate.Report{}, err
	}
	return compare.Away(ctx, base, head, c.Options, order)
}
