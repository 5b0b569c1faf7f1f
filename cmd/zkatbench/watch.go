package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/bench/watch"
	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// watchFlags are the flags of watch.
type watchFlags struct {
	dir, repository, branch, since, changes, fetch, rules, pin *string
	harness                                                    *[]string
	every, count                                               *int
	budget, pause                                              *time.Duration
	once                                                       *bool
}

// watchLine follows a branch.
func watchLine(s streams) *commandLine {
	l := newLine("watch", "[flags] packages [-- flags of go test]", "follow a branch: measure its revisions, report confirmed regressions")
	l.behind = new([]string)
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
	f.every = flags.One(fs, "every", "1", "measure every n-th revision, and the ones between two that differ", flags.AtLeast(1))
	f.changes = flags.One(fs, "changes", "", "`pattern` of other branches, each compared with the point where it left this one", flags.Text("a pattern such as origin/change/*"))
	f.harness = flags.Many(fs, "harness", "", "`folders` with code of the benchmarks besides the test files", flags.Text("folders"))
	f.count = flags.One(fs, "count", "5", "results of each case and revision", flags.AtLeast(1))
	f.budget = flags.One(fs, "budget", "10m", "time of a comparison after which no measurement starts", flags.Durations())
	f.rules = flags.One(fs, "rules", "", "`file` of rules for units and cases, see docs/comparing.md", flags.Text("a file"))
	f.pin = pinFlag(fs)
	f.pause = flags.One(fs, "pause", "1m", "time before looking for new revisions again", flags.Durations())
	f.once = flags.One(fs, "once", "false", "end when nothing is left to measure", flags.Switch())
	l.exec = func(ctx context.Context, packages []string) error { return f.exec(ctx, packages, *l.behind, s) }
	return l
}

func (f watchFlags) exec(ctx context.Context, packages, tests []string, s streams) error {
	if len(packages) == 0 {
		return usageError("watch: name the packages, as in zkatbench watch ./... -- -bench=.")
	}
	set, err := result.ParseFlags(tests)
	if err != nil {
		return usageError("watch: %w", err)
	}
	if _, err := result.Commit(ctx, *f.repository, *f.branch); err != nil {
		return usageError("watch: -branch: %q is not a branch of %s (%w)", *f.branch, *f.repository, err)
	}
	rules, err := rulesOf("watch", *f.rules)
	if err != nil {
		return err
	}
	plan, err := bind("watch", *f.pin)
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(*f.dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return fmt.Errorf("zkatbench: watch: %w", err)
	}
	unlock, err := drive.LockFile(ctx, filepath.Join(dir, "lock"), func(h drive.Holder) {
		fmt.Fprintf(s.err, "zkatbench: watch: waiting for another watch of %s: %v\n", dir, h)
	})
	if err != nil {
		return fmt.Errorf("zkatbench: watch: %w", err)
	}
	defer unlock()
	bar := newRunBar(s.err)
	w := &watch.Watch{
		Dir: dir, Repository: *f.repository, Branch: *f.branch, Since: *f.since, Every: *f.every, Changes: *f.changes, Fetch: *f.fetch,
		Harness: *f.harness, Rules: rules, Command: result.CommandLine(os.Args), Pin: plan,
		Lab: watch.Bench{
			Repository: *f.repository, Packages: packages, Flags: set, Count: *f.count, Budget: *f.budget, Rules: rules, Processors: plan.Measured,
			Work: filepath.Join(dir, "work"), Show: bar.show,
			Lock: func(ctx context.Context) (func(), error) { return lockForBinaries(ctx, false, s.err) },
		},
		Log: func(format string, args ...any) {
			bar.wipe()
			line := strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "; ")
			fmt.Fprintln(s.out, time.Now().Format(time.DateTime), line)
		},
	}
	err = w.Run(ctx, *f.once, *f.pause)
	bar.wipe()
	if err != nil {
		return fmt.Errorf("zkatbench: watch: %w", err)
	}
	return nil
}
