package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/bench/watch"
	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/text"
)

// watchFlags are the flags of watch.
type watchFlags struct {
	dir, repository, branch, since, changes, fetch, pin *string
	harness                                             *[]string
	every, count                                        *int
	budget, pause                                       *time.Duration
	once                                                *bool
	rules                                               *gate.Rules
}

// watchLine follows a branch.
func watchLine(s streams) *commandLine {
	l := newLine("watch", "[flags] packages [-- flags of go test]", "follow a branch: measure its revisions, report confirmed regressions")
	l.afterDashes = new([]string)
	l.help = `Measures the revisions of a branch of a local clone one after the other: the last one first, then
older ones. Results, findings, a history and a page are kept in the folder of -dir. A regression is
reported after a comparison of both revisions in turns confirms it. A watch that ends in any way
continues where it was. It pushes nothing.`
	f, fs := watchFlags{}, &l.flags
	f.dir = flags.One(fs, "dir", "watch", "`folder` of the state: results, findings, history.db, page.html", flags.Text("a folder"))
	f.repository = flags.One(fs, "repository", ".", "`folder` of the module in the clone", flags.Text("a folder"))
	f.branch = flags.One(fs, "branch", "main", "branch to follow, such as origin/main", flags.Text("a branch"))
	f.fetch = flags.One(fs, "fetch", "", "`remote` to fetch from before looking for new revisions", flags.Text("a remote"))
	f.since = flags.One(fs, "since", "", "first `revision` to measure, or a date; the last revision if not given", flags.Text("a revision or a date"))
	f.every = flags.One(fs, "every", "1", "measure every n-th revision, and revisions between two that differ", flags.AtLeast(1))
	f.changes = flags.One(fs, "changes", "", "`pattern` of other branches, each compared with the point where it left this one", flags.Text("a pattern such as origin/change/*"))
	f.harness = flags.Many(fs, "harness", "", "`folders` with code of the benchmarks besides the test files", flags.Text("folders"))
	f.count = flags.One(fs, "count", "5", "results of each case and revision", flags.AtLeast(1))
	f.budget = flags.One(fs, "budget", "10m", "time of a comparison after which no measurement starts", flags.Durations())
	f.rules = rulesFlag(fs)
	f.pin = pinFlag(fs)
	f.pause = flags.One(fs, "pause", "1m", "time before looking for new revisions again", flags.Durations())
	f.once = flags.One(fs, "once", "false", "end when nothing is left to measure", flags.Switch())
	l.expects(1, many, "name the packages, as in zkatbench watch ./... -- -bench=.")
	l.exec = func(ctx context.Context, packages []string) error { return f.exec(ctx, packages, *l.afterDashes, s) }
	return l
}

func (f watchFlags) exec(ctx context.Context, packages, tests []string, s streams) error {
	set, err := testFlags(tests)
	if err != nil {
		return err
	}
	tip, err := result.Commit(ctx, *f.repository, *f.branch)
	if err != nil {
		return fmt.Errorf("-branch: %q is not a branch of %s (%w)", *f.branch, *f.repository, err)
	}
	if *f.fetch != "" {
		if _, err := result.Git(ctx, *f.repository, "remote", "get-url", "--", *f.fetch); err != nil {
			return fmt.Errorf("-fetch: %q is not a remote of %s", *f.fetch, *f.repository)
		}
	}
	for _, folder := range *f.harness {
		packages = append(packages, "./"+folder)
	}
	if err := checkCommit(ctx, *f.repository, tip, packages...); err != nil {
		return fmt.Errorf("%w on branch %s of %s", err, *f.branch, *f.repository)
	}
	plan, err := bind(*f.pin)
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(*f.dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return ofFlag("dir", err)
	}
	unlock, err := drive.LockFile(ctx, filepath.Join(dir, "lock"), func(h drive.Holder) {
		fmt.Fprintf(s.err, "zkatbench: watch: waiting for another watch of %s: %v\n", dir, h)
	})
	if err != nil {
		return err
	}
	defer unlock()
	count, layouts, none, wall := 10, 3, "", false
	c := comparison{
		count: &count, layouts: &layouts, budget: f.budget, seed: new(uint64), dir: &none, wall: &wall, renames: new(result.Renames),
		side: 1, packages: packages, tests: set, rules: *f.rules, plan: plan, lenient: true,
	}
	w := &watch.Watch{
		Dir: dir, Repository: *f.repository, Branch: *f.branch, Since: *f.since, Every: *f.every, Changes: *f.changes, Fetch: *f.fetch,
		Harness: *f.harness, Rules: *f.rules, Command: result.CommandLine(os.Args), Pin: plan,
		Lab: lab{c: c, repository: *f.repository, count: *f.count, work: filepath.Join(dir, "work"), s: s},
		Log: func(format string, args ...any) {
			text.StatusOn(s.err).Erase()
			line := strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "; ")
			fmt.Fprintln(s.out, time.Now().Format(time.DateTime), line)
		},
	}
	return w.Run(ctx, *f.once, *f.pause)
}

// wildcard matches the end of a pattern of packages, from the first element with dots on.
var wildcard = regexp.MustCompile(`[^/]*\.\.\..*`)

// checkCommit refuses folders and packages that a commit of a clone does not have. Of
// packages with an import path it knows those of the clone's module.
func checkCommit(ctx context.Context, repository, commit string, packages ...string) error {
	file, _ := result.Git(ctx, repository, "show", commit+":./go.mod") // a commit without one has only relative paths
	module := modfile.ModulePath([]byte(file))
	for _, name := range packages {
		folder := wildcard.ReplaceAllString(name, "")
		if inside, is := strings.CutPrefix(folder+"/", module+"/"); is {
			folder = "./" + inside
		}
		if !strings.HasPrefix(folder, ".") {
			continue
		}
		if _, err := result.Git(ctx, repository, "cat-file", "-e", commit+":./"+folder); err != nil {
			return fmt.Errorf("there is no folder %s", name)
		}
	}
	return nil
}

// lab measures revisions of a clone with the means of run and compare.
type lab struct {
	c          comparison
	repository string
	count      int    // results of each case
	work       string // folder for sources and binaries, emptied for each commit
	s          streams
}

// alone calls f with the lock and an empty folder.
func (l lab) alone(ctx context.Context, f func() error) error {
	unlock, err := lockForBinaries(ctx, false, l.s.err)
	if err != nil {
		return err
	}
	defer unlock()
	// The folder may be the rest of a measurement that was killed.
	err = errors.Join(os.RemoveAll(l.work), os.MkdirAll(l.work, 0o755))
	if err == nil {
		_, err = result.Git(ctx, l.repository, "worktree", "prune")
	}
	if err != nil {
		return err
	}
	defer os.RemoveAll(l.work)
	return f()
}

// at is the name of a commit as a side of a comparison.
func (l lab) at(commit string) string { return l.repository + "@" + commit }

// Measure is part of watch.Lab.
func (l lab) Measure(ctx context.Context, commit string, to result.Sink) error {
	return l.alone(ctx, func() error {
		side, remove, err := l.c.build(ctx, l.at(commit), filepath.Join(l.work, "head"), tools{}, 0)
		defer remove()
		if err != nil {
			return unmeasurable(ctx, err)
		}
		keys := []result.Key{}
		for _, b := range side.binaries {
			found, err := b.Cases(ctx, l.c.tests)
			if err == nil && len(b.Unknown) > 0 {
				err = fmt.Errorf("%s %s", b.Package, strings.Join(b.Unknown, " "))
			}
			if err != nil {
				side.left = append(side.left, err)
			}
			keys = append(keys, found...)
		}
		if len(keys) == 0 {
			return unmeasurable(ctx, errors.Join(append(side.left, result.ErrNoBenchmarks)...))
		}
		if left := errors.Join(side.left...); left != nil {
			if err := to.Append(watch.LeftOut + ": " + strings.ReplaceAll(left.Error(), "\n", "; ")); err != nil {
				return err
			}
		}
		bar := newRunBar(l.s.err)
		defer bar.Erase()
		return result.Suite{Binaries: side.binaries, Flags: l.c.tests, Count: l.count, Seed: 1, Keys: keys}.Run(ctx, to, bar.show)
	})
}

// unmeasurable makes an error the property of a commit, unless ctx has ended.
func unmeasurable(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("%w: %w", watch.ErrRevision, err)
}

// Compare is part of watch.Lab.
func (l lab) Compare(ctx context.Context, base, head string, keys []result.Key) (r gate.Report, err error) {
	c := l.c
	c.base, c.head = l.at(base), l.at(head)
	if len(keys) > 0 {
		c.tests.Bench, c.packages = result.Pattern(keys), nil
		for _, k := range keys {
			if !slices.Contains(c.packages, k.Package) {
				c.packages = append(c.packages, k.Package)
			}
		}
	}
	err = l.alone(ctx, func() error {
		var err error
		r, err = c.turns(ctx, l.work, l.s)
		return unmeasurable(ctx, err)
	})
	return r, err
}
