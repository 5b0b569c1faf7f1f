package watch

import (
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
)

// Configuration keys of benchmarks that a revision does not have.
const (
	unknownFlags = "unknown-flags" // "pkg -a -b; pkg -a"
	leftOut      = "left-out"      // packages that do not build or whose benchmarks fail, with the reasons
)

// Bench is the Lab of a clone: it checks commits out into a folder and measures
// their test binaries.
type Bench struct {
	Repository string
	Packages   []string
	Flags      result.Flags
	Count      int           // results of each case
	Budget     time.Duration // of a comparison
	Rules      gate.Rules
	Processors []int  // of measured processes; empty: not bound
	Work       string // folder for sources and binaries, emptied for each commit
	// Lock waits for other measurements.
	Lock func(context.Context) (unlock func(), err error)
	Show func(result.Progress)
}

// Measure is part of Lab.
func (b Bench) Measure(ctx context.Context, commit string, to result.Sink) error {
	unlock, err := b.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := b.clear(ctx); err != nil {
		return err
	}
	defer b.clear(context.WithoutCancel(ctx))
	binaries, left, err := b.build(ctx, commit, "head", 0)
	if err != nil {
		return err
	}
	keys := []result.Key{}
	var unknown, without, lines []string
	for i := range binaries {
		found, err := b.probe(ctx, &binaries[i])
		if ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			left = append(left, err)
		}
		keys = append(keys, found...)
		if flags := binaries[i].Unknown; len(flags) > 0 && len(found) > 0 {
			unknown = append(unknown, binaries[i].Package+" "+strings.Join(flags, " "))
		}
	}
	if len(keys) == 0 {
		return fmt.Errorf("%w: %w", errRevision, errors.Join(append(left, result.ErrNoBenchmarks)...))
	}
	for _, l := range left {
		without = append(without, strings.ReplaceAll(l.Error(), "\n", "; "))
	}
	if len(unknown) > 0 {
		lines = append(lines, unknownFlags+": "+strings.Join(unknown, "; "))
	}
	if len(without) > 0 {
		lines = append(lines, leftOut+": "+strings.Join(without, "; "))
	}
	if len(lines) > 0 {
		if err := to.Append(lines...); err != nil {
			return err
		}
	}
	return result.Suite{Binaries: binaries, Flags: b.Flags, Count: b.Count, Seed: 1, Keys: keys}.Run(ctx, to, b.Show)
}

// probe finds the flags that a binary knows, and its cases.
func (b Bench) probe(ctx context.Context, binary *result.Binary) ([]result.Key, error) {
	if err := binary.Probe(ctx, b.Flags); err != nil {
		return nil, err
	}
	return binary.Cases(ctx, b.Flags)
}

// clear removes the rest of an earlier measurement, also after a crash.
func (b Bench) clear(ctx context.Context) error {
	if err := os.RemoveAll(b.Work); err != nil {
		return err
	}
	if err := os.MkdirAll(b.Work, 0o755); err != nil {
		return err
	}
	_, err := result.Git(ctx, b.Repository, "worktree", "prune")
	return err
}

// build checks a commit out and builds its test binaries, and returns errors of
// packages that are left out. If not all build together, each is built on its own.
func (b Bench) build(ctx context.Context, commit, name string, layout int) (all []result.Binary, left []error, err error) {
	source, into := filepath.Join(b.Work, name+"-source"), filepath.Join(b.Work, name)
	dir, _, err := result.Checkout(ctx, b.Repository, commit, source)
	if err != nil {
		return nil, nil, err
	}
	if err := os.Mkdir(into, 0o755); err != nil {
		return nil, nil, err
	}
	from := result.Source{Dir: dir, Packages: b.Packages, Flags: b.Flags.Build, Layout: layout}
	defer func() {
		for i := range all {
			all[i].Processors = b.Processors
		}
	}()
	all, err = from.Build(ctx, into)
	if err == nil || ctx.Err() != nil {
		return all, nil, err
	}
	packages, err := from.Existing(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errRevision, err)
	}
	for i, pkg := range packages {
		from.Packages = []string{pkg}
		sub := filepath.Join(into, fmt.Sprint(i))
		if err := os.Mkdir(sub, 0o755); err != nil {
			return nil, nil, err
		}
		one, err := from.Build(ctx, sub)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		} else if err != nil && !errors.Is(err, result.ErrNoTests) {
			left = append(left, fmt.Errorf("%s: %w", pkg, err))
		}
		all = append(all, one...)
	}
	if len(all) == 0 {
		return nil, nil, fmt.Errorf("%w: %w", errRevision, errors.Join(append(left, result.ErrNoTests)...))
	}
	return all, left, nil
}

// layouts is the number of orders of the functions of each side of a comparison.
const layouts = 3

// Compare is part of Lab.
func (b Bench) Compare(ctx context.Context, base, head string, keys []result.Key) (r gate.Report, err error) {
	unlock, err := b.Lock(ctx)
	if err != nil {
		return r, err
	}
	defer unlock()
	if err := b.clear(ctx); err != nil {
		return r, err
	}
	defer b.clear(context.WithoutCancel(ctx))
	var sides [2][]result.Binary
	for i, commit := range []string{base, head} {
		binaries, _, err := b.build(ctx, commit, fmt.Sprint(i), i+1)
		if err == nil {
			binaries, err = result.Relink(ctx, binaries, nil, layouts-1)
		}
		if err != nil {
			return r, err
		}
		for _, one := range binaries {
			wanted := len(keys) == 0 || slices.ContainsFunc(keys, func(k result.Key) bool { return k.Package == one.Package })
			if !wanted {
				continue
			}
			if err := one.Probe(ctx, b.Flags); err != nil {
				return r, errors.Join(ctx.Err(), fmt.Errorf("%w: %w", errRevision, err))
			}
			sides[i] = append(sides[i], one)
		}
	}
	contender := func(binaries []result.Binary) *result.Contender {
		return result.NewContender(binaries, result.Stream{Writer: io.Discard})
	}
	flags := b.Flags
	if len(keys) > 0 {
		flags.Bench = result.Pattern(keys)
	}
	r, err = gate.Trial{
		Base: contender(sides[0]), Head: contender(sides[1]),
		Flags: flags, Rules: b.Rules, Count: 10, Budget: b.Budget, Layouts: layouts, Seed: 1, Show: b.Show,
	}.Run(ctx)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", errRevision, err)
	}
	return r, err
}
