package watch

import (
	"cmp"
	"context"
	"slices"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/result"
)

// suspect is a pair of revisions between which cases may have become worse.
type suspect struct {
	base, head string
	keys       []result.Key // empty: all cases
	why        string
}

// suspects returns the pairs that are not settled: neighbours whose files a
// comparison finds different, changes of a level, and drifts.
func (w *Watch) suspects(ctx context.Context, s *state) ([]suspect, error) {
	var found []suspect
	add := func(base, head, why string, k result.Key) {
		if k.Package == canaryPackage || s.settled(suspect{base: base, head: head, keys: []result.Key{k}, why: why}) {
			return
		}
		i := slices.IndexFunc(found, func(p suspect) bool { return p.base == base && p.head == head && p.why == why })
		if i < 0 {
			i, found = len(found), append(found, suspect{base: base, head: head, why: why})
		}
		if !slices.Contains(found[i].keys, k) {
			found[i].keys = append(found[i].keys, k)
		}
	}
	w.neighbours(s, add)
	all, err := s.series(ctx)
	for _, one := range all {
		levels(one, add)
	}
	for _, p := range found {
		slices.SortFunc(p.keys, func(a, b result.Key) int {
			return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Name, b.Name))
		})
	}
	return found, err
}

// Reasons to suspect a pair.
const (
	whyStep  = "step"  // between two neighbours
	whyLevel = "level" // of several revisions
	whyDrift = "drift"
)

// neighbours compares the files of measured commits that follow each other. They
// were not measured in turns, so that a verdict is only a suspicion.
func (w *Watch) neighbours(s *state, add func(base, head, why string, k result.Key)) {
	head := ""
	for _, commit := range s.line {
		if s.data[commit] == nil {
			continue
		}
		if base := s.data[commit]; head != "" && result.SameMachine(false, base, s.data[head]) == nil {
			j := gate.Judge{Rules: w.Rules, Floor: gate.FloorOf(gate.TwinsOf(base.Halves())), Once: true}
			for _, c := range j.Look(base, s.data[head]).Comparisons {
				if c.Verdict == gate.Regression {
					add(commit, head, whyStep, c.Key)
				}
			}
		}
		head = commit
	}
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
	if d, found := s.Drift(); found && worse(history.Change{Before: d.Before, After: d.After}) {
		add(s.Points[d.From].Revision, s.Points[len(s.Points)-1].Revision, whyDrift, s.Key)
	}
}
