package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/compare"
	store "github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// historyLine adds to a history, checks and lists it.
func historyLine(s streams) *commandLine {
	return grouped("history", "keep results over revisions and find changes",
		"Keeps results over revisions in a file, and finds changes of their level.", historyAdd(s),
		historyCheck(s), historyList(s))
}

// historyOf returns the command line of a history command, and the value of -db.
func historyOf(name, arguments, summary, help string) (l *commandLine, db *string) {
	l = newLine("history "+name, arguments, summary)
	l.help = help
	return l, flags.One(&l.flags, "db", "history.db", "", flags.Files())
}

// historyAdd returns the subcommand add. All files are read before the history is opened, so
// that a file that cannot be read leaves it unchanged.
func historyAdd(s streams) *commandLine {
	l, db := historyOf("add", "[flags] files", "keep result files",
		"Adds each file of results completely or not at all; a folder of compare -o stands for both of "+
			"its\nfiles. Several programs may add at the same time.")
	revision := flags.One(&l.flags, "revision", "", "",
		flags.Text("a revision"))
	l.expects(1, many, "name the files to keep")
	l.exec = func(ctx context.Context, files []string) error {
		files, all := sidesIn(files), []*result.Data(nil)
		for _, name := range files {
			d, err := result.ReadFiles(name)
			if err != nil {
				return err
			}
			all = append(all, d)
		}
		h, err := store.Create(ctx, *db)
		if err != nil {
			return err
		}
		for i, d := range all {
			err := h.Add(ctx, d, cmp.Or(*revision, sideRevision(d, files[i])), modified(files[i]))
			if errors.Is(err, store.ErrRevision) {
				err = fmt.Errorf("%w (say -revision)", err)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", files[i], err)
			}
			fmt.Fprintf(s.out, "%s: %s\n", files[i], text.Plural(len(d.Cases), "case"))
		}
		return nil
	}
	return l
}

// sideRevision returns the revision of base.txt or head.txt from compare -o. Their lines
// name both revisions. It is empty for other files.
func sideRevision(d *result.Data, name string) string {
	both := d.Config["revisions"]
	if len(both) != 1 {
		return ""
	}
	base, head, two := strings.Cut(both[0], " to ")
	if two && filepath.Base(name) == compare.SideFiles[1]+".txt" {
		return head
	}
	return base
}

// sidesIn replaces folders of compare -o by their files.
func sidesIn(names []string) (files []string) {
	for _, name := range names {
		if compare.KindOf(name) != compare.Folder {
			files = append(files, name)
			continue
		}
		for _, side := range compare.SideFiles {
			files = append(files, filepath.Join(name, side+".txt"))
		}
	}
	return files
}

// modified replaces a start time that a file does not state.
func modified(name string) time.Time {
	if info, err := os.Stat(name); err == nil {
		return info.ModTime()
	}
	return time.Now()
}

// onHistory makes a history command with a pattern of cases. f gets the matching series;
// without a pattern it gets all series if all is set, and otherwise an empty list.
func onHistory(name, summary, help string, all bool,
	f func(ctx context.Context, h *store.Store, series []store.Series) error) *commandLine {
	l, db := historyOf(name, "[flags] [pattern]", summary, help)
	unit := flags.One(&l.flags, "unit", "", ": only this one, such as sec/op; empty: every unit",
		flags.Text("a unit"))
	allow := flags.Many(&l.flags, "allow", "",
		": one series for all hosts with the same processor (host), or for any machines (any)",
		optional("host", "any"))
	l.most = 1
	l.exec = func(ctx context.Context, args []string) error {
		if len(args) == 0 && all {
			args = []string{""}
		}
		cases, err := regexp.Compile(strings.Join(args, ""))
		if err != nil {
			return err
		}
		h, err := store.Open(ctx, *db)
		if err != nil {
			return err
		}
		var series []store.Series
		if len(args) > 0 {
			series, err = h.Series(ctx, cases, *unit)
			if err == nil && len(series) == 0 {
				err = fmt.Errorf("no case matches %q in unit %q", args[0], *unit)
			}
		}
		if err != nil {
			return err
		}
		if accepted(*allow) != "none" {
			series = store.Mix(series, accepted(*allow) == "any")
		}
		return f(ctx, h, series)
	}
	return l
}

func historyList(s streams) *commandLine {
	return onHistory("list", "list runs, or cases",
		"Lists the added files or, with a regular expression, the matching cases with their last change.",
		false,
		func(ctx context.Context, h *store.Store, series []store.Series) error {
			if series != nil {
				return store.WriteCases(s.out, series)
			}
			runs, err := h.Runs(ctx)
			if err != nil {
				return err
			}
			return store.WriteRuns(s.out, runs)
		})
}

// historyCheck ends with the statuses of gate.
func historyCheck(s streams) *commandLine {
	var last *int
	l := onHistory("check", "fail, by exit status, if a case became worse",
		`Lists the cases whose level changed for the worse at one of the last revisions, or which drift for
the worse over the last 30 to 60 revisions.

Exit status: 1 a case is worse; 3 there are too few revisions to judge any case.`, true,
		func(_ context.Context, _ *store.Store, series []store.Series) error {
			switch v, err := store.Check(s.out, series, *last); {
			case err != nil:
				return err
			case v.Worse > 0:
				return exitError{status: negative}
			case v.Judged == 0:
				return exitError{status: undecided}
			}
			return nil
		})
	last = flags.One(&l.flags, "last", "10", "", flags.Numbers(1, 1_000_000))
	return l
}
