package main

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/compare"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/bench/watch"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// watchFlags are the flags of watch.
type watchFlags struct {
	watch.Watch
	count         int
	budget, pause time.Duration
	pin           string
	once          bool
}

// watchLine follows a branch.
func watchLine(s streams) *commandLine {
	l := newLine("watch", "[flags] packages [-- flags of go test]",
		"follow a branch: measure its revisions, report confirmed regressions")
	l.afterDashes = new([]string)
	l.help = `Measures the revisions of a branch of a local clone one after the other: the last one
first, then older ones. Results, findings, a history and a page are kept in the folder of -dir. A
regression is reported after a comparison of both revisions in turns confirms it. A watch that ends in
any way continues where it was. It pushes nothing.`
	f, fs := watchFlags{}, &l.flags
	flags.Into(fs, &f.Dir, "dir", "watch", ": results, findings, history.db, page.html",
		flags.Text("a folder"))
	flags.Into(fs, &f.Repository, "repository", ".", "", flags.Text("a folder"))
	flags.Into(fs, &f.Branch, "branch", "main", "", flags.Text("a branch"))
	flags.Into(fs, &f.Fetch, "fetch", "", "", flags.Text("a remote"))
	flags.Into(fs, &f.Since, "since", "", "",
		flags.Text("a revision or a date"))
	flags.Into(fs, &f.Every, "every", "1", "", flags.AtLeast(1))
	flags.Into(fs, &f.Changes, "changes", "", "",
		flags.Text("").Where("a pattern such as origin/change/*", func(pattern string) bool {
			_, err := path.Match(pattern, "")
			return err == nil
		}))
	flags.IntoList(fs, &f.Harness, "harness", "", "", flags.Text("folders"))
	flags.Into(fs, &f.count, "count", "6",
		": results of each case and revision; with 6 neighbours are compared", flags.AtLeast(1))
	flags.Into(fs, &f.budget, "budget", "10m", ": of a comparison; then no measurement starts",
		flags.Durations())
	rulesFlag(fs, &f.Rules)
	pinFlag(fs, &f.pin)
	flags.Into(fs, &f.pause, "pause", "1m", "", flags.Durations())
	flags.Into(fs, &f.once, "once", "false", "", flags.Switch())
	l.expects(1, many, "name the packages, as in zkatbench watch ./... -- -bench=.")
	l.exec = func(ctx context.Context, packages []string) error {
		return f.exec(ctx, packages, *l.afterDashes, s)
	}
	return l
}

// exec checks everything that the watch needs (flags, branch, remote, packages, rules), locks
// its folder, and runs it. Mistakes are found here, before the first commit is measured.
func (f *watchFlags) exec(ctx context.Context, packages, tests []string, s streams) error {
	set, err := result.CheckedFlags(tests)
	if err != nil {
		return err
	}
	tip, err := result.Commit(ctx, f.Repository, f.Branch)
	if err != nil {
		return fmt.Errorf("-branch: %q is not a branch of %s (%w)", f.Branch, f.Repository, err)
	}
	if f.Fetch != "" {
		if _, err := result.Git(ctx, f.Repository, "remote", "get-url", "--", f.Fetch); err != nil {
			return fmt.Errorf("-fetch: %q is not a remote of %s", f.Fetch, f.Repository)
		}
	}
	f.Harness = slices.DeleteFunc(f.Harness, func(folder string) bool { return folder == "" })
	for _, folder := range f.Harness {
		packages = append(packages, "./"+folder)
	}
	side := compare.Side{Name: f.Repository + "@" + tip, Kind: compare.Revision}
	checked := compare.Options{Packages: packages, Flags: set}
	onBranch := func(err error) error {
		return fmt.Errorf("%w on branch %s of %s", err, f.Branch, f.Repository)
	}
	if err := side.Check(ctx, checked); err != nil {
		return onBranch(err)
	}
	if err := f.Check(ctx); err != nil {
		return err
	}
	if err := side.CheckTests(ctx, checked); err != nil {
		return onBranch(err)
	}
	plan, err := bind(f.pin)
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(f.Dir)
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
	options := compare.Options{Packages: packages, Flags: set, Rules: f.Rules, Count: 10, Layouts: 3,
		Budget: f.budget, Pin: plan, Progress: s.err}
	options.Lock = func(ctx context.Context) (func(), error) { return lockForBinaries(ctx, false, s.err) }
	f.Dir, f.Command, f.Pin = dir, result.CommandLine(os.Args), plan
	f.Lab = watch.NewLab(options, f.Repository, f.count, filepath.Join(dir, "work"))
	f.Log = func(format string, args ...any) {
		text.StatusOn(s.err).Erase()
		line := strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "; ")
		fmt.Fprintln(s.out, time.Now().Format(time.DateTime), line)
	}
	return f.Run(ctx, f.once, f.pause)
}
