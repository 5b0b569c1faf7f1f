package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/compare"
	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
)

// NewLab returns a Lab that measures revisions of a clone, count results of each case, and compares two
// of them, as package compare does. work is a folder for sources and binaries; it is emptied for each commit.
func NewLab(o compare.Options, repository string, count int, work string) Lab {
	o.Lenient, o.Work = true, work
	return lab{o, repository, count}
}

type lab struct {
	compare.Options
	repository string
	count      int
}

// notReady is an error of the lock or the folder. The commit is not its cause.
type notReady struct{ error }

func (e notReady) Unwrap() error { return e.error }

// options returns the options of one measurement. Once it has the lock, the measurement empties the
// folder, which may have remains of a killed measurement.
func (l lab) options() compare.Options {
	o := l.Options
	o.Lock = func(ctx context.Context) (func(), error) {
		unlock, err := l.Lock(ctx)
		if err != nil {
			return nil, notReady{err}
		}
		err = errors.Join(os.RemoveAll(l.Work), os.MkdirAll(l.Work, 0o755))
		if err == nil {
			_, err = result.Git(ctx, l.repository, "worktree", "prune")
		}
		if err != nil {
			unlock()
			return nil, notReady{err}
		}
		return func() { _ = os.RemoveAll(l.Work); unlock() }, nil // the next measurement empties it, too
	}
	return o
}

// at is a commit as a side.
func (l lab) at(commit string) compare.Side {
	return compare.Side{Name: l.repository + "@" + commit, Kind: compare.Revision}
}

func (l lab) Measure(ctx context.Context, commit string, to result.Sink) error {
	return compare.Measure(ctx, l.at(commit), l.options(), to, l.count, func(left error) error {
		return to.Append(LeftOut + ": " + strings.ReplaceAll(left.Error(), "\n", "; "))
	})
}

func (l lab) Compare(ctx context.Context, base, head string, keys []result.Key) (gate.Report, error) {
	o := l.options()
	if len(keys) > 0 {
		o.Flags.Bench, o.Packages = result.Pattern(keys), nil
		for _, k := range keys {
			if !slices.Contains(o.Packages, k.Package) {
				o.Packages = append(o.Packages, k.Package)
			}
		}
	}
	r, err := compare.Run(ctx, l.at(base), l.at(head), o)
	switch {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case err != nil && !errors.As(err, new(notReady)):
		err = fmt.Errorf("%w: %w", ErrRevision, err)
	}
	return r, err
}
