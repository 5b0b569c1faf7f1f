package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/pin"
)

// kind is the kind of BASE or HEAD.
type kind int

const (
	revision kind = iota
	folder
	testBinary
	resultFile
)

func (k kind) String() string {
	return [...]string{"revision (no file has this name)", "folder", "test binary", "file of results"}[k]
}

func kindOf(name string) kind {
	first, _, _ := strings.Cut(name, ",") // test binaries of several layouts
	info, err := os.Stat(first)
	switch {
	case err != nil:
		return revision
	case info.IsDir():
		return folder
	case info.Mode()&0o111 != 0:
		return testBinary
	}
	return resultFile
}

// side is one side after its build.
type side struct {
	name, revision string
	tools          tools
	binaries       []result.Binary
	left           []error // of packages that are left out
}

// short is the revision as in tables: eight digits, and +changes.
func (s side) short() string {
	digits, changes, dirty := strings.Cut(s.revision, "+")
	if dirty {
		changes = "+" + changes
	}
	return fmt.Sprintf("%.8s", digits) + changes
}

// alone calls f with the lock for measurements and a temporary folder, if the sides exist.
func (c *comparison) alone(ctx context.Context, s streams, f func(dir string) error) error {
	if err := c.checkSides(ctx); err != nil {
		return err
	}
	return withBinaries(ctx, *c.pin, *c.free, s, func(plan pin.Plan, dir string) error {
		c.plan = plan
		return f(dir)
	})
}

// turns builds both sides in a folder and measures them in turns.
func (c *comparison) turns(ctx context.Context, dir string, s streams) (r gate.Report, err error) {
	started := time.Now()
	sides, remove, err := c.sides(ctx, dir, nil)
	defer remove()
	if err != nil {
		return r, err
	}
	e := result.Observe(ctx, ".", result.CommandLine(os.Args), c.plan)
	e.Seed = *c.seed
	trial := gate.Trial{Flags: c.tests, Rules: c.rules, Count: *c.count, Budget: *c.budget, Seed: *c.seed, Started: started, Profile: !c.lenient, Shard: c.part}
	trial.Layouts, err = c.relink(ctx, sides[:])
	built := time.Since(started)
	if c.reuse {
		c.built = sides[0]
	}
	if err != nil {
		return r, err
	}
	both, err := c.contenders(sides, e)
	if err != nil {
		return r, err
	}
	trial.Base, trial.Head = both[0], both[1]
	bar := newRunBar(s.err)
	trial.Show = bar.show
	r, err = trial.Run(ctx)
	bar.Erase()
	err = errors.Join(err, c.writeProfiles(r.Profiles))
	r.Base, r.Head = sides[0].name, sides[1].name
	if r.Revisions = [2]string{sides[0].short(), sides[1].short()}; r.Revisions[0] == r.Revisions[1] {
		r.Revisions = [2]string{}
	}
	if kindOf(c.base) == revision && kindOf(c.head) == revision && sides[0].revision == sides[1].revision && sides[0].tools.label == sides[1].tools.label {
		r.Notes = append(r.Notes, fmt.Sprintf("%s and %s are the same revision: there is no change to find", c.base, c.head))
	}
	r.Notes = slices.Concat(r.Notes, layoutNote(sides, trial.Layouts, built), e.Noise, result.NoiseAfter(e.State, host.Read(), time.Since(e.Started)))
	return r, errors.Join(err, trial.Base.End(ctx.Err() != nil), trial.Head.End(ctx.Err() != nil))
}

// sides builds both sides in dir, with variables of go build. remove deletes checkouts.
func (c *comparison) sides(ctx context.Context, dir string, env []string) (sides [2]side, remove func(), err error) {
	var checkouts []func()
	remove = func() {
		for _, f := range checkouts {
			f()
		}
	}
	for i, name := range []string{c.base, c.head} {
		if i == 0 && c.built.binaries != nil {
			sides[0] = c.built
			continue
		}
		set, err := toolsOf(c.axes, i*c.side)
		if err != nil {
			return sides, remove, err
		}
		set.env = append(set.env, env...)
		if i == 1 && c.overlay != "" {
			set.build = append(set.build, "-overlay="+c.overlay)
		}
		side, removeOne, err := c.build(ctx, name, filepath.Join(dir, fmt.Sprint(i)), set, i+1)
		checkouts = append(checkouts, removeOne)
		if err != nil && !errors.Is(err, context.Canceled) {
			err = fmt.Errorf("%s: %w", cmp.Or(side.name, name), err)
		}
		if err != nil {
			return sides, remove, err
		}
		sides[i] = side
	}
	return sides, remove, nil
}

// checkSides refuses sides and packages that do not exist. A side that does not exist is
// reported first, because it can be a misspelt file of results, which takes no packages.
func (c *comparison) checkSides(ctx context.Context) error {
	sources := false
	for i, name := range []string{c.base, c.head} {
		set, err := toolsOf(c.axes, i*c.side)
		if err == nil && set.label != "" {
			err = result.Source{Dir: ".", Packages: []string{"unsafe"}, Env: set.env}.Check(ctx) // does go take the settings?
		}
		if err != nil {
			return err
		}
		switch kindOf(name) {
		case testBinary:
			if len(c.packages) > 0 || len(c.tests.Build) > 0 || set.label != "" {
				return fmt.Errorf("%q is a test binary: packages and flags of go build do not apply", name)
			}
			if _, err := prebuilt(strings.Split(name, ",")); err != nil {
				return err
			}
			continue
		case revision:
			repository, rev := inRepository(name)
			if _, err := result.Commit(ctx, repository, rev); err != nil {
				return fmt.Errorf("%q is neither a file, a folder nor a git revision (%w)", name, err)
			}
		}
		sources = true
	}
	if sources && len(c.packages) == 0 {
		return errors.New("name the packages, as in main HEAD ./... -- -bench=Sender")
	}
	for _, name := range []string{c.base, c.head} {
		var err error
		switch kindOf(name) {
		case folder:
			err = result.Source{Dir: name, Packages: c.packages, Flags: c.tests.Build}.Check(ctx)
		case revision:
			repository, rev := inRepository(name)
			err = checkCommit(ctx, repository, rev, c.packages...)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// writeProfiles writes the difference of the profiles of each regression of time into
// the folder of -o, as a flame graph and as folded stacks.
func (c *comparison) writeProfiles(all []gate.Profiles) (err error) {
	for i, p := range all {
		if *c.dir == "" {
			return nil
		}
		name := filepath.Join(*c.dir, fmt.Sprintf("more-time-%d", i+1))
		more := p.Difference()
		err = errors.Join(err, outfile.Write(name+".folded", more.Write), outfile.Write(name+".svg", func(w io.Writer) error {
			return more.SVG(w, fmt.Sprintf("%s: samples that only HEAD has", p.Key.Name))
		}))
	}
	return err
}

// linkShare is the divisor of the budget for layouts besides the first.
const linkShare = 4

// relink builds the layouts besides the first, as many as linkShare of the budget
// allows, and returns the number of layouts that may confirm a change later.
func (c *comparison) relink(ctx context.Context, sides []side) (further int, err error) {
	started := time.Now()
	for n := 1; n < *c.layouts; n++ {
		if n > 1 && time.Since(started)/time.Duration(n-1)*time.Duration(n) > *c.budget/linkShare {
			return 0, nil
		}
		for i := range sides {
			if sides[i].layouts() > n {
				continue
			}
			if sides[i].binaries, err = result.Relink(ctx, sides[i].binaries, nil, 1); err != nil {
				return 0, err
			}
		}
	}
	for _, s := range sides {
		if !slices.ContainsFunc(s.binaries, result.Binary.Relinks) {
			return 0, nil
		}
	}
	if time.Since(started) > *c.budget/linkShare {
		return 0, nil
	}
	return *c.layouts, nil
}

// layoutNote says how many layouts were measured, and the time that they took.
func layoutNote(sides [2]side, further int, built time.Duration) []string {
	for i, s := range sides {
		if n := s.layouts(); n < 2 {
			return []string{fmt.Sprintf("%s has one layout of its functions: a change that linking makes is not told from a change of the code", [2]string{"BASE", "HEAD"}[i])}
		}
	}
	note := fmt.Sprintf("%d and %d layouts of the functions, built in %v", sides[0].layouts(), sides[1].layouts(), built.Round(100*time.Millisecond))
	if further > 0 {
		note += fmt.Sprintf("; undecided cases get %d more", further)
	}
	return []string{note}
}

// layouts returns the number of layouts.
func (s side) layouts() int {
	seeds := map[int]bool{}
	for _, b := range s.binaries {
		seeds[b.Layout] = true
	}
	return len(seeds)
}

// build makes the test binaries of a side. remove deletes its checkout.
// layout is the seed of its first layout.
func (c *comparison) build(ctx context.Context, name, into string, set tools, layout int) (s side, remove func(), err error) {
	remove = func() {}
	s = side{name: name, revision: host.Unknown, tools: set}
	sideKind, dir := kindOf(name), name
	switch sideKind {
	case testBinary:
		s.binaries, err = prebuilt(strings.Split(name, ","))
		for i := range s.binaries {
			if len(s.binaries) > 1 {
				s.binaries[i].Layout = layout + 2*i
			}
			s.binaries[i].Processors = c.plan.Measured
		}
		return s, remove, err
	case folder:
		s.revision = result.Revision(ctx, name)
	default:
		repository, rev := inRepository(name)
		if s.revision, err = result.Commit(ctx, repository, rev); err != nil {
			return s, remove, err
		}
		var removeWorktree func() error
		if dir, removeWorktree, err = result.Checkout(ctx, repository, s.revision, into+"-source"); err != nil {
			return s, remove, err
		}
		remove = func() { _ = removeWorktree() } // the parent directory is removed anyway
	}
	if s.revision != host.Unknown {
		s.name = fmt.Sprintf("%s (%s)", name, s.short())
	}
	if set.label != "" {
		s.name += " " + set.label
	}
	if *c.layouts == 1 {
		layout = 0
	}
	if err := os.Mkdir(into, 0o755); err != nil {
		return s, remove, err
	}
	from := result.Source{Dir: dir, Packages: c.packages, Flags: slices.Concat(c.tests.Build, set.build), Env: set.env, Layout: layout}
	if c.lenient {
		s.binaries, s.left, err = from.BuildEach(ctx, into)
	} else {
		s.binaries, err = from.Build(ctx, into)
	}
	fit := s.binaries[:0]
	for _, b := range s.binaries {
		b.Processors = c.plan.Measured
		if c.lenient {
			if err := b.Probe(ctx, c.tests); err != nil {
				s.left = append(s.left, err)
				continue
			}
		}
		fit = append(fit, b)
	}
	if s.binaries = fit; err == nil && len(fit) == 0 {
		err = errors.Join(s.left...)
	}
	return s, remove, err
}

// prebuilt returns test binaries that were built before. They run where their testdata
// stand beside them, otherwise in the working directory.
func prebuilt(files []string) (all []result.Binary, err error) {
	for _, file := range files {
		dir := filepath.Dir(file)
		if _, err := os.Stat(filepath.Join(dir, "testdata")); err != nil {
			dir = "."
		}
		b, err := result.Prebuilt(file, dir)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// inRepository splits FOLDER@REVISION. Other names are revisions of the
// repository in the working directory.
func inRepository(name string) (repository, revision string) {
	if at := strings.LastIndex(name, "@"); at > 0 && kindOf(name[:at]) == folder {
		return name[:at], name[at+1:]
	}
	return ".", name
}

// sideFiles are the names of the files of results, without ".txt".
var sideFiles = []string{"base", "head"}

// contenders are both sides with their results, which are kept in files if -o names a
// folder.
func (c *comparison) contenders(sides [2]side, e result.Environment) (both [2]*result.Contender, err error) {
	revisions, settings := sides[0].revision, []string(nil)
	if sides[1].revision != revisions {
		revisions += " to " + sides[1].revision
	}
	if labels := [2]string{sides[0].tools.label, sides[1].tools.label}; labels[0] != "" {
		settings = []string{"toolchain: " + labels[0] + " to " + labels[1]}
	}
	// benchstat makes a table for each value of a key, so both files have the same.
	lines := slices.DeleteFunc(e.Lines(), func(line string) bool { return strings.HasPrefix(line, "revision: ") })
	lines = slices.Concat(lines, settings, []string{"revisions: " + revisions, orderKey + ": in turns"})
	for i, s := range sides {
		name := ""
		if *c.dir != "" {
			name = filepath.Join(*c.dir, sideFiles[i]+".txt")
		}
		sink, err := sinkOf(name, io.Discard, lines)
		if err != nil {
			return both, err
		}
		both[i] = result.NewContender(s.binaries, sink)
		both[i].Renames = c.renamesOf()[i]
	}
	return both, nil
}
