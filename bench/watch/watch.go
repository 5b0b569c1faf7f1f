package watch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/pin"
)

// Lab measures revisions of the repository.
type Lab interface {
	// Measure writes the results of a commit. The error is ErrRevision if the
	// commit cannot be measured.
	Measure(ctx context.Context, commit string, to result.Sink) error
	// Compare measures two commits in turns; no keys stands for all cases.
	Compare(ctx context.Context, base, head string, keys []result.Key) (gate.Report, error)
}

// errRevision reports a commit that cannot be measured: it does not build, or none
// of its benchmarks runs.
var errRevision = errors.New("cannot be measured")

// Watch follows a branch.
type Watch struct {
	Dir        string // of the state
	Repository string // a folder in the clone
	Branch     string
	Since      string // the first revision, or a date such as 2026-01-31; may be empty
	Every      int    // every n-th revision from Since on is measured, and the last one
	Changes    string // pattern of refs that are compared with the branch, such as origin/change/*; may be empty
	Fetch      string // remote to fetch from before looking for work; may be empty
	Harness    []string
	Rules      gate.Rules
	Command    string // for files of results
	Pin        pin.Plan
	Lab        Lab
	Log        func(format string, args ...any)

	canary func() []float64 // tests replace it
	// step is called before and after each change of a file. Tests stop there.
	step func(string) error
}

// attempts is the number of measurements of a revision during which the canary
// changes, before the last one is kept.
const attempts = 3

// Run works until no work is left and, unless once is set, looks for work again
// after a pause. Errors of the disk and of the network are logged, and the work is
// tried again after the pause; with once they are returned.
func (w *Watch) Run(ctx context.Context, once bool, pause time.Duration) error {
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

// fetch updates the clone.
func (w *Watch) fetch(ctx context.Context) error {
	if w.Fetch == "" {
		return nil
	}
	_, err := result.Git(ctx, w.Repository, "fetch", "--quiet", "--prune", "--end-of-options", w.Fetch)
	return err
}

// next does the next piece of work, and reports whether there was one.
func (w *Watch) next(ctx context.Context) (did bool, err error) {
	s, err := w.look(ctx)
	if err != nil {
		return false, err
	}
	defer s.close()
	work, err := w.work(ctx, s)
	if err != nil || work == nil {
		return false, errors.Join(err, w.writePage(ctx, s))
	}
	return true, work(ctx)
}

// work chooses the next piece of work: results for the history, the last revision,
// suspicions, revisions between two of a regression, open changes, older revisions, the
// first and the last revision once a day.
func (w *Watch) work(ctx context.Context, s *state) (func(context.Context) error, error) {
	if commit := s.unkept(); commit != "" {
		return func(ctx context.Context) error { return w.keep(ctx, s, commit) }, nil
	}
	if tip := s.tip(); tip != "" && s.open(tip) {
		return w.measuring(tip, s), nil
	}
	suspects, err := w.suspects(ctx, s)
	if err != nil {
		return nil, err
	}
	if len(suspects) > 0 {
		return func(ctx context.Context) error { return w.settle(ctx, s, suspects[0]) }, nil
	}
	if commit := s.between(); commit != "" {
		return w.measuring(commit, s), nil
	}
	changes, err := w.changes(ctx, s)
	if err != nil {
		return nil, err
	}
	if len(changes) > 0 {
		return func(ctx context.Context) error { return w.settle(ctx, s, changes[0]) }, nil
	}
	if commit := s.older(); commit != "" {
		return w.measuring(commit, s), nil
	}
	if p, found := s.daily(time.Now()); found {
		return func(ctx context.Context) error { return w.settle(ctx, s, p) }, nil
	}
	return nil, nil
}

func (w *Watch) measuring(commit string, s *state) func(context.Context) error {
	return func(ctx context.Context) error {
		w.Log("measuring %.12s, one of %d in the queue", commit, max(s.queue(), 1))
		return w.measure(ctx, commit)
	}
}

// measure writes the file of results of a commit, or the reason for its absence.
func (w *Watch) measure(ctx context.Context, commit string) error {
	for attempt := 1; ; attempt++ {
		shift, err := w.once(ctx, commit)
		switch {
		case errors.Is(err, errRevision) && !errors.Is(err, syscall.ENOSPC) && !strings.Contains(err.Error(), syscall.ENOSPC.Error()):
			w.Log("%.12s %v", commit, err)
			return w.cannot(commit, err)
		case err != nil:
			return err
		case shift <= canaryLimit || attempt == attempts:
			if shift > canaryLimit {
				w.Log("%.12s: the canary changed by %.1f %% in each of %d measurements; the last one is kept", commit, 100*shift, attempts)
			}
			return nil
		}
		w.Log("%.12s: the canary changed by %.1f %%; measuring again", commit, 100*shift)
	}
}

// once measures a commit, and returns the change of the canary meanwhile.
func (w *Watch) once(ctx context.Context, commit string) (shift float64, err error) {
	e := result.Observe(ctx, w.Repository, w.Command, w.Pin)
	e.Revision = commit
	if err := w.at("create results"); err != nil {
		return 0, err
	}
	f, err := result.Create(w.resultFile(commit), e.Lines())
	if err != nil {
		return 0, err
	}
	to := sink{f, w.at}
	run := canary
	if w.canary != nil {
		run = w.canary
	}
	before := run()
	err = to.Append(canaryLines(before)...)
	if err == nil {
		err = w.Lab.Measure(ctx, commit, to)
	}
	if err == nil {
		after := run()
		shift = canaryShift(before, after)
		err = to.Append(canaryLines(after)...)
	}
	return shift, errors.Join(err, f.Close())
}

// sink is a file with a step before and after each write.
type sink struct {
	result.Sink
	at func(string) error
}

func (s sink) Append(lines ...string) error {
	if err := s.at("append results"); err != nil {
		return err
	}
	if err := s.Sink.Append(lines...); err != nil {
		return err
	}
	return s.at("appended results")
}

// at is a step.
func (w *Watch) at(what string) error {
	if w.step == nil {
		return nil
	}
	if err := w.step(what); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
