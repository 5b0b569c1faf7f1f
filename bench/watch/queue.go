package watch

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/result"
)

// revisions reads the commits of the branch, without the ones that merges bring in.
func (w *Watch) revisions(ctx context.Context, s *state) error {
	out, err := result.Git(ctx, w.Repository, "rev-list", "--first-parent", "--end-of-options", w.Branch, "--")
	if err != nil {
		return err
	}
	s.line = strings.Fields(out)
	n, err := w.first(ctx, s)
	if err != nil {
		return err
	}
	s.line = s.line[:n]
	for i, commit := range s.line {
		if i == 0 || (n-1-i)%max(w.Every, 1) == 0 {
			s.queued = append(s.queued, commit)
		}
	}
	return nil
}

// first returns the number of commits from the first one to measure on: Since, or
// the oldest commit in the history, or the last one.
func (w *Watch) first(ctx context.Context, s *state) (n int, err error) {
	if _, bad := time.Parse(time.DateOnly, w.Since); w.Since != "" && bad != nil {
		commit, err := result.Commit(ctx, w.Repository, w.Since)
		if err != nil {
			return 0, fmt.Errorf("%q is neither a revision nor a date such as 2026-01-31: %w", w.Since, err)
		}
		if n = slices.Index(s.line, commit) + 1; n == 0 {
			return 0, fmt.Errorf("%s is not on the branch %s", w.Since, w.Branch)
		}
		return n, nil
	}
	if w.Since != "" {
		out, err := result.Git(ctx, w.Repository, "rev-list", "--first-parent", "--count", "--since="+w.Since+" 00:00", "--end-of-options", w.Branch, "--")
		if err != nil {
			return 0, err
		}
		_, err = fmt.Sscan(out, &n)
		return max(n, 1), err
	}
	n = 1
	for i, commit := range s.line {
		if s.kept[commit] {
			n = i + 1
		}
	}
	return n, nil
}

// open reports whether a commit is still to be measured.
func (s *state) open(commit string) bool {
	r, cannot := s.reasons[commit]
	return s.data[commit] == nil && (!cannot || r.again)
}

func (s *state) tip() string {
	if len(s.line) == 0 {
		return ""
	}
	return s.line[0]
}

// older returns the last open commit of the queue.
func (s *state) older() string {
	if i := slices.IndexFunc(s.queued, s.open); i >= 0 {
		return s.queued[i]
	}
	return ""
}

// queue returns the number of open commits.
func (s *state) queue() (n int) {
	for _, commit := range s.queued {
		if s.open(commit) {
			n++
		}
	}
	return n
}

// between returns the middle one of the open commits between two of a regression,
// if none between them is measured.
func (s *state) between() string {
	for _, f := range s.findings {
		head, base := slices.Index(s.line, f.Head), slices.Index(s.line, f.Base)
		if !f.regression() || head < 0 || base < head+2 {
			continue
		}
		inside := s.line[head+1 : base]
		var open []string
		for _, commit := range inside {
			if s.open(commit) {
				open = append(open, commit)
			}
		}
		measured := slices.ContainsFunc(inside, func(c string) bool { return s.data[c] != nil })
		if len(open) > 0 && !measured {
			return open[len(open)/2]
		}
	}
	return ""
}

// changes returns the refs that Changes matches and that are not in the branch, as
// suspects against the commit where they left it, unless they are settled.
func (w *Watch) changes(ctx context.Context, s *state) (open []suspect, err error) {
	if w.Changes == "" {
		return nil, nil
	}
	out, err := result.Git(ctx, w.Repository, "for-each-ref", "--format=%(objectname) %(refname:short)", "--no-merged="+w.Branch,
		"refs/heads/"+w.Changes, "refs/remotes/"+w.Changes)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(out) {
		head, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		base, err := result.Git(ctx, w.Repository, "merge-base", "--end-of-options", w.Branch, head)
		if err != nil {
			return nil, err
		}
		c := suspect{base: strings.TrimSpace(base), head: head, why: name}
		if !s.settled(c) {
			open = append(open, c)
		}
	}
	return open, nil
}
