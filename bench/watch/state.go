package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

func (w *Watch) resultFile(commit string) string {
	return filepath.Join(w.Dir, "results", commit+".txt")
}
func (w *Watch) reasonFile(commit string) string {
	return filepath.Join(w.Dir, "results", commit+".unmeasurable")
}

// tidy removes the temporary files of a watch that was killed.
func (w *Watch) tidy() error {
	for _, pattern := range []string{".*", "*/.*"} {
		names, err := filepath.Glob(filepath.Join(w.Dir, pattern))
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// state is the folder and the branch at one moment.
type state struct {
	queued   []string // commits to measure, the last one first
	line     []string // all commits of the branch since the first one, the last one first
	data     map[string]*result.Data
	reasons  map[string]reason // of commits that cannot be measured
	store    *history.Store
	kept     map[string]bool // commits in the history
	findings []finding
}

// look reads the state.
func (w *Watch) look(ctx context.Context) (*state, error) {
	for _, dir := range []string{"results", "findings"} {
		if err := os.MkdirAll(filepath.Join(w.Dir, dir), 0o755); err != nil {
			return nil, err
		}
	}
	store, err := history.Create(ctx, filepath.Join(w.Dir, "history.db"))
	if err != nil {
		return nil, err
	}
	s := &state{store: store, data: map[string]*result.Data{}, reasons: map[string]reason{},
		kept: map[string]bool{}}
	runs, err := store.Runs(ctx)
	for _, r := range runs {
		s.kept[r.Revision] = true
	}
	if err == nil {
		err = w.revisions(ctx, s)
	}
	for _, commit := range s.line {
		if err == nil {
			err = w.read(s, commit)
		}
	}
	if err == nil {
		s.findings, err = w.readFindings()
	}
	return s, err
}

// read reads the file of results of a commit, if it is complete, or the reason why it is
// missing.
func (w *Watch) read(s *state, commit string) error {
	why, err := w.reasonOf(commit)
	switch {
	case err != nil:
		return err
	case why.text != "":
		s.reasons[commit] = why
		return nil
	}
	if _, err := os.Stat(w.resultFile(commit)); err != nil {
		return nil
	}
	// A file that was cut is measured again.
	if d, err := result.ReadFiles(w.resultFile(commit)); err == nil && len(d.Partial) == 0 {
		s.data[commit] = d
	}
	return nil
}

// reason says why a commit cannot be measured.
type reason struct {
	text  string // a line for each attempt
	again bool   // the only attempt is long ago: the network or the memory may have been the reason
}

// retryAfter is the time after which a commit is tried once more.
const retryAfter = time.Hour

func (w *Watch) reasonOf(commit string) (r reason, err error) {
	text, err := os.ReadFile(w.reasonFile(commit))
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	} else if err != nil {
		return r, err
	}
	info, err := os.Stat(w.reasonFile(commit))
	if err != nil {
		return r, err
	}
	r.text = string(text)
	r.again = strings.Count(r.text, "\n") == 1 && time.Since(info.ModTime()) > retryAfter
	return r, nil
}

// cannot records an attempt to measure a commit.
func (w *Watch) cannot(commit string, why error) error {
	r, err := w.reasonOf(commit)
	if err != nil {
		return err
	}
	return outfile.WriteBytes(w.reasonFile(commit),
		[]byte(r.text+strings.ReplaceAll(why.Error(), "\n", "; ")+"\n"))
}

// revisions reads the commits of the branch since the first one to measure, without the
// ones that merges bring in.
func (w *Watch) revisions(ctx context.Context, s *state) error {
	list := func(more ...string) ([]string, error) {
		out, err := result.Git(ctx, w.Repository,
			slices.Concat([]string{"rev-list", "--first-parent"}, more,
				[]string{"--end-of-options", w.Branch, "--"})...)
		return strings.Fields(out), err
	}
	var err error
	s.line, err = list()
	if err != nil {
		return err
	}
	n := 1
	// the oldest one in the history, or the last one
	if _, bad := time.Parse(time.DateOnly, w.Since); w.Since == "" {
		for i, commit := range s.line {
			if s.kept[commit] {
				n = i + 1
			}
		}
	} else if bad == nil {
		young, err := list("--since=" + w.Since + " 00:00")
		if err != nil {
			return err
		}
		n = max(n, len(young))
	} else {
		commit, err := result.Commit(ctx, w.Repository, w.Since)
		if err != nil {
			return fmt.Errorf("%q is neither a revision nor a date such as 2026-01-31: %w", w.Since, err)
		}
		n = slices.Index(s.line, commit) + 1
		if n == 0 {
			return fmt.Errorf("%s is not on the branch %s", w.Since, w.Branch)
		}
	}
	s.line = s.line[:n]
	for i, commit := range s.line {
		if i == 0 || (n-1-i)%max(w.Every, 1) == 0 {
			s.queued = append(s.queued, commit)
		}
	}
	return nil
}

// open reports whether a commit is still to be measured.
func (s *state) open(commit string) bool {
	r, cannot := s.reasons[commit]
	return s.data[commit] == nil && (!cannot || r.again)
}

// measured returns the commits with results, the last one first.
func (s *state) measured() []string {
	return slices.DeleteFunc(slices.Clone(s.line), func(commit string) bool { return s.data[commit] == nil })
}

// unkept returns a measured commit without an entry in the history.
func (s *state) unkept() string {
	for _, commit := range s.line {
		if s.data[commit] != nil && !s.kept[commit] {
			return commit
		}
	}
	return ""
}

// keep adds the results of a commit to the history.
func (s *state) keep(ctx context.Context, commit string) error {
	if err := s.store.Add(ctx, s.data[commit], commit, time.Now()); err != nil &&
		!errors.Is(err, history.ErrKnown) {
		return fmt.Errorf("history: %w", err)
	}
	return nil
}

// series returns all cases over the revisions of the branch, in its order.
func (s *state) series(ctx context.Context) ([]history.Series, error) {
	all, err := s.store.Series(ctx, regexp.MustCompile(""), "")
	position := map[string]int{}
	for i, commit := range s.line {
		position[commit] = len(s.line) - i
	}
	for i := range all {
		points := slices.DeleteFunc(all[i].Points, func(p history.Point) bool {
			return position[p.Revision] == 0
		})
		slices.SortStableFunc(points, func(a, b history.Point) int {
			return position[a.Revision] - position[b.Revision]
		})
		all[i].Points = points
	}
	return slices.DeleteFunc(all, func(s history.Series) bool { return len(s.Points) == 0 }), err
}
