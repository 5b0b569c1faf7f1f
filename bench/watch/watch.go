package watch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/zkatbench/zkatbench/bench/compare"
	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/pin"
)

// Lab measures revisions of the repository.
type Lab interface {
	// Measure writes the results of a commit. The error is ErrRevision if the
	// commit cannot be measured.
	Measure(ctx context.Context, commit string, to result.Sink) error
	// Compare measures two commits in turns; without keys, it compares all cases.
	Compare(ctx context.Context, base, head string, keys []result.Key) (gate.Report, error)
}

// ErrRevision reports a commit that cannot be measured: it does not build, or has no
// benchmark that runs.
var ErrRevision = compare.ErrSide

// LeftOut is the configuration key of packages that a revision lacks, since they do not
// build or their benchmarks fail, with the reasons, and of flags that it does not know.
const LeftOut = "left-out"

// Watch follows a branch.
type Watch struct {
	Dir        string // of the state
	Repository string // a folder in the clone
	Branch     string
	Since      string // the first revision, or a date such as 2026-01-31; may be empty
	Every      int    // every n-th revision from Since on is measured, and the last one
	// pattern of refs that are compared with the branch, such as origin/change/… with a star; may be empty
	Changes string
	Fetch   string // remote to fetch from before looking for work; may be empty
	Harness []string
	Rules   gate.Rules
	Command string // for files of results
	Pin     pin.Plan
	Lab     Lab
	Log     func(format string, args ...any)

	// observe is result.Observe, unless a test has no time for it.
	observe func(ctx context.Context, dir, command string, p pin.Plan) result.Environment

	pause time.Duration
	put   map[string]putOff // suspicions to be compared later
}

// Run works until no work is left and, unless once is set, looks for work again
// after a pause. Errors of the disk and of the network are logged, and the work is
// tried again after the pause; with once they are returned.
func (w *Watch) Run(ctx context.Context, once bool, pause time.Duration) error {
	w.pause = pause
	if err := w.tidy(); err != nil {
		return err
	}
	for {
		if err := w.fetch(ctx); err != nil && ctx.Err() == nil {
			w.Log("%v", err)
		}
		did, err := true, error(nil)
		for did && err == nil && ctx.Err() == nil {
			did, err = w.next(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return result.ErrInterrupted
		case once:
			return err
		case err != nil:
			w.Log("%v; trying again in %v", err, pause)
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// Check refuses a first revision that is not on the branch, and a date that is not past.
func (w *Watch) Check(ctx context.Context) error {
	day, err := time.ParseInLocation(time.DateOnly, w.Since, time.Local)
	if err == nil && day.After(time.Now()) {
		return fmt.Errorf("-since: %s is not past", w.Since)
	}
	if w.Since == "" {
		return nil
	}
	_ = w.fetch(ctx) // without the network, the clone has to have it
	if err := w.revisions(ctx, &state{}); err != nil {
		return fmt.Errorf("-since: %w", err)
	}
	return nil
}

// fetch updates the clone.
func (w *Watch) fetch(ctx context.Context) error {
	if w.Fetch == "" {
		return nil
	}
	_, err := result.Git(ctx, w.Repository, "fetch", "--quiet", "--prune", "--end-of-options", w.Fetch)
	return err
}

// next does the next piece of work, and reports whether there was one: results for the
// history, the last revision, suspicions, parts of a regression, other branches, older
// revisions, the first and the last revision once a day.
func (w *Watch) next(ctx context.Context) (did bool, err error) {
	s, err := w.look(ctx)
	if err != nil {
		return false, err
	}
	if commit := s.unkept(); commit != "" {
		return true, s.keep(ctx, commit)
	}
	if s.open(s.line[0]) {
		return true, w.measure(ctx, s.line[0])
	}
	suspects, err := w.suspects(ctx, s)
	if err != nil {
		return false, err
	}
	suspects = w.ready(suspects)
	if len(suspects) > 0 {
		return true, w.settle(ctx, suspects[0])
	}
	part, commit := s.halve()
	if commit != "" {
		return true, w.measure(ctx, commit)
	}
	changes, err := w.changes(ctx, s)
	if err != nil {
		return false, err
	}
	suspects = w.ready(slices.Concat(part, changes))
	if len(suspects) > 0 {
		return true, w.settle(ctx, suspects[0])
	}
	for _, commit := range s.queued {
		if s.open(commit) {
			return true, w.measure(ctx, commit)
		}
	}
	if p, found := s.daily(time.Now()); found && len(w.ready([]finding{p})) > 0 {
		return true, w.settle(ctx, p)
	}
	return false, w.writePage(ctx, s)
}

// measure writes the file of results of a commit, or the reason for its absence.
func (w *Watch) measure(ctx context.Context, commit string) error {
	w.Log("measuring %.12s", commit)
	observe := w.observe
	if observe == nil {
		observe = result.Observe
	}
	e := observe(ctx, w.Repository, w.Command, w.Pin)
	e.Revision = commit
	f, err := result.Create(w.resultFile(commit), e.Lines())
	if err != nil {
		return err
	}
	err = errors.Join(w.Lab.Measure(ctx, commit, f), f.Close())
	// The linker has the text of a full disk only.
	if errors.Is(err, ErrRevision) && !errors.Is(err, syscall.ENOSPC) &&
		!strings.Contains(err.Error(), syscall.ENOSPC.Error()) {
		w.Log("%.12s %v", commit, err)
		return w.cannot(commit, err)
	}
	return err
}
