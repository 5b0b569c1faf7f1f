package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"time"

	"github.com/peterbourgon/ff/v3/ffcli"
	"golang.org/x/term"

	store "github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/result"
)

// keepHistory adds to a history, lists and plots it.
func keepHistory(ctx context.Context, args []string, s streams) error {
	c := &ffcli.Command{
		Name: "history", ShortUsage: "zkatbench history add|list|plot -db file …",
		LongHelp:    "Keeps results over revisions in a file, and finds changes of their level.",
		Subcommands: []*ffcli.Command{historyAdd(s), historyList(s), historyPlot(s)},
		Exec: func(context.Context, []string) error {
			return usageError("history: what? Such as: zkatbench history add -db history.db results.txt; add, list and plot are possible")
		},
	}
	if len(args) > 0 {
		if i := slices.IndexFunc(c.Subcommands, func(sub *ffcli.Command) bool { return sub.Name == args[0] }); i >= 0 {
			args = slices.Concat(args[:1], flagsFirst(c.Subcommands[i].FlagSet, args[1:]))
		}
	}
	return runCommand(ctx, c, args, s)
}

// historyFlags returns the flags of all history commands.
func historyFlags() (*flag.FlagSet, *string) {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	return fs, fs.String("db", "history.db", "`file` of the history")
}

func historyAdd(s streams) *ffcli.Command {
	fs, db := historyFlags()
	revision := fs.String("revision", "", "revision of the results, if the files do not state it")
	return &ffcli.Command{
		Name: "add", ShortUsage: "zkatbench history add [flags] files", ShortHelp: "keep result files", FlagSet: fs,
		LongHelp: "Adds each file of results completely or not at all. Several programs may add at the same time.",
		Exec:     func(ctx context.Context, files []string) error { return addHistory(ctx, *db, *revision, files, s) },
	}
}

func addHistory(ctx context.Context, db, revision string, files []string, s streams) error {
	if len(files) == 0 {
		return usageError("history add: which files?")
	}
	h, err := store.Create(ctx, db)
	if err != nil {
		return fmt.Errorf("zkatbench: history add: %w", err)
	}
	defer h.Close()
	for _, name := range files {
		d, err := result.ReadFiles(name)
		if err == nil {
			err = h.Add(ctx, d, revision, modified(name))
		}
		if errors.Is(err, store.ErrRevision) {
			err = fmt.Errorf("%w (say -revision)", err)
		}
		if err != nil {
			return fmt.Errorf("zkatbench: history add: %s: %w", name, err)
		}
		fmt.Fprintf(s.out, "%s: %d cases\n", name, len(d.Cases))
	}
	return nil
}

// modified replaces a start time that a file does not state.
func modified(name string) time.Time {
	info, err := os.Stat(name)
	if err != nil {
		return time.Now()
	}
	return info.ModTime()
}

func historyList(s streams) *ffcli.Command {
	fs, db := historyFlags()
	unit := fs.String("unit", "", "only this unit, such as sec/op")
	return &ffcli.Command{
		Name: "list", ShortUsage: "zkatbench history list [flags] [pattern]", ShortHelp: "list runs, or cases", FlagSet: fs,
		LongHelp: "Lists the added files or, with a regular expression, the matching cases with their last change.",
		Exec: func(ctx context.Context, args []string) error {
			h, err := openHistory(ctx, "list", *db)
			if err != nil {
				return err
			}
			defer h.Close()
			if len(args) == 0 {
				runs, err := h.Runs(ctx)
				if err != nil {
					return fmt.Errorf("zkatbench: history list: %w", err)
				}
				return store.WriteRuns(s.out, runs)
			}
			all, err := matching(ctx, h, "list", *unit, args)
			if err != nil {
				return err
			}
			return store.WriteCases(s.out, all)
		},
	}
}

func historyPlot(s streams) *ffcli.Command {
	fs, db := historyFlags()
	unit := fs.String("unit", "sec/op", "unit to plot; empty: every unit")
	ascii := fs.Bool("ascii", false, "print ASCII only")
	return &ffcli.Command{
		Name: "plot", ShortUsage: "zkatbench history plot [flags] pattern", ShortHelp: "plot cases over revisions", FlagSet: fs,
		LongHelp: "Plots each case that matches a regular expression over revisions: the median, all values, changes.",
		Exec: func(ctx context.Context, args []string) error {
			if len(args) == 0 {
				return usageError("history plot: which cases? Such as: zkatbench history plot 'Sender/bits=32/'")
			}
			h, err := openHistory(ctx, "plot", *db)
			if err != nil {
				return err
			}
			defer h.Close()
			all, err := matching(ctx, h, "plot", *unit, args)
			if err != nil {
				return err
			}
			for i, series := range all {
				if i > 0 {
					fmt.Fprintln(s.out)
				}
				if err := store.Plot(s.out, series, columns(s.out), *ascii); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func openHistory(ctx context.Context, command, db string) (*store.Store, error) {
	h, err := store.Open(ctx, db)
	if err != nil {
		return nil, fmt.Errorf("zkatbench: history %s: %w", command, err)
	}
	return h, nil
}

// matching returns the series with cases that match the only argument.
func matching(ctx context.Context, h *store.Store, command, unit string, args []string) ([]store.Series, error) {
	if len(args) > 1 {
		return nil, usageError("history %s: one pattern, not %q too", command, args[1])
	}
	cases, err := regexp.Compile(args[0])
	if err != nil {
		return nil, usageError("history %s: %w", command, err)
	}
	all, err := h.Series(ctx, cases, unit)
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("no case matches %q in unit %q", args[0], unit)
	}
	if err != nil {
		return nil, fmt.Errorf("zkatbench: history %s: %w", command, err)
	}
	return all, nil
}

// columns returns the width of a terminal, or 80.
func columns(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 80
}
