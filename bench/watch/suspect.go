package watch

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/result"
)

// Reasons to suspect a pair.
const (
	whyStep  = "step"  // between two neighbours
	whyLevel = "level" // of several revisions
	whyDrift = "drift"
	whyDay   = "day"  // the first revision and the last one
	whyHalf  = "half" // of a regression
)

// suspects returns the pairs that are not settled: neighbours whose files a
// comparison finds different, changes of a level, and drifts. The files were not
// measured in turns, so that a verdict is only a suspicion.
func (w *Watch) suspects(ctx context.Context, s *state) (found []finding, err error) {
	add := func(base, head, why string, k result.Key) {
		p := finding{Base: base, Head: head, Why: why, Asked: []result.Key{k}}
		if s.answer(p) != nil {
			return
		}
		i := slices.IndexFunc(found, func(o finding) bool { return o.Base == base && o.Head == head && o.Why == why })
		if i < 0 {
			i, found = len(found), append(found, p)
		}
		if !slices.Contains(found[i].Asked, k) {
			found[i].Asked = append(found[i].Asked, k)
		}
	}
	measured := s.measured()
	for i := 1; i < len(measured); i++ {
		base, head := s.data[measured[i]], s.data[measured[i-1]]
		for _, c := range gate.Files(w.Rules, base, head).Comparisons {
			if c.Verdict == gate.Regression && result.SameMachine(false, base, head) == nil {
				add(measured[i], measured[i-1], whyStep, c.Key)
			}
		}
	}
	all, err := s.series(ctx)
	for _, one := range all {
		levels(one, add)
	}
	for _, p := range found {
		slices.SortFunc(p.Asked, func(a, b result.Key) int {
			return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Name, b.Name))
		})
	}
	return found, err
}

// levels adds the changes of a series for the worse. An exact unit without a known
// direction changes for the worse each time.
func levels(s history.Series, add func(base, head, why string, k result.Key)) {
	worse := func(c history.Change) bool { return s.Worse(c) || s.Better == 0 && s.Exact }
	for _, c := range s.Changes() {
		if worse(c) {
			add(s.Points[c.At-1].Revision, s.Points[c.Alarm].Revision, whyLevel, s.Key)
		}
	}
	if d, found := s.Drift(); found && worse(d) {
		add(s.Points[d.At].Revision, s.Points[d.Alarm].Revision, whyDrift, s.Key)
	}
}

const (
	dayLeast = 10 // measured revisions
	day      = 24 * time.Hour
)

// daily returns the first and the last measured revision, once a day: many small steps
// that no comparison of neighbours shows.
func (s *state) daily(now time.Time) (p finding, found bool) {
	measured := s.measured()
	if len(measured) < dayLeast {
		return p, false
	}
	p = finding{Base: measured[len(measured)-1], Head: measured[0], Why: whyDay}
	for _, f := range s.findings {
		if f.Why == whyDay && (now.Sub(f.At) < day || f.Base == p.Base && f.Head == p.Head) {
			return p, false
		}
	}
	return p, true
}

// halve returns a half of a regression between revisions that are not neighbours, or a
// commit between them that is to be measured before.
func (s *state) halve() (half []finding, commit string) {
	for _, f := range s.findings {
		head, base := slices.Index(s.line, f.Head), slices.Index(s.line, f.Base)
		if !f.regression() || head < 0 || base < 0 {
			continue
		}
		inside := slices.DeleteFunc(slices.Clone(s.line[head+1:base]), func(c string) bool { return s.data[c] == nil && !s.open(c) })
		if len(inside) == 0 {
			continue
		}
		middle := inside[len(inside)/2]
		if s.data[middle] == nil {
			return nil, middle
		}
		older := finding{Base: f.Base, Head: middle, Asked: f.worse(), Why: whyHalf}
		newer := finding{Base: middle, Head: f.Head, Asked: f.worse(), Why: whyHalf}
		answer := s.answer(older)
		if answer == nil {
			return []finding{older}, ""
		}
		if !answer.regression() && s.answer(newer) == nil {
			return []finding{newer}, ""
		}
	}
	return nil, ""
}

// changes returns the refs that Changes matches and that are not in the branch, as
// suspects against the commit where they left it, unless they are settled.
func (w *Watch) changes(ctx context.Context, s *state) (open []finding, err error) {
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
		if c := (finding{Base: strings.TrimSpace(base), Head: head, Why: name}); s.answer(c) == nil {
			open = append(open, c)
		}
	}
	return open, nil
}
