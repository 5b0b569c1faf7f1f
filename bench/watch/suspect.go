package watch

import (
	"cmp"
	"context"
	"slices"
	"time"

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
	whyDay   = "day" // the first revision and the last one
)

const (
	dayLeast = 10 // measured revisions
	day      = 24 * time.Hour
)

// daily returns the first and the last measured revision, once a day: many small steps
// that no comparison of neighbours shows. A regression between them is halved until
// its revisions are neighbours.
func (s *state) daily(now time.Time) (p suspect, found bool) {
	var line []string // measured, the last one first
	for _, commit := range s.line {
		if s.data[commit] != nil {
			line = append(line, commit)
		}
	}
	if len(line) < dayLeast {
		return p, false
	}
	answers := map[[2]string]finding{}
	var last time.Time
	var worse finding // the last regression since the first revision
	for _, f := range s.findings {
		if f.Why == whyDay {
			answers[[2]string{f.Base, f.Head}] = f
			if f.At.After(last) {
				last = f.At
			}
			if f.Base == line[len(line)-1] && f.regression() && f.At.After(worse.At) && slices.Contains(line, f.Head) {
				worse = f
			}
		}
	}
	whole := suspect{base: line[len(line)-1], head: line[0], why: whyDay}
	if _, known := answers[[2]string{whole.base, whole.head}]; !known && now.Sub(last) >= day {
		return whole, true
	}
	if worse.Head == "" {
		return p, false
	}
	base, head := len(line)-1, slices.Index(line, worse.Head)
	for base-head > 1 {
		middle := (base + head) / 2
		f, known := answers[[2]string{line[base], line[middle]}]
		if !known {
			return suspect{base: line[base], head: line[middle], why: whyDay}, true
		}
		if f.regression() {
			head = middle
		} else {
			base = middle
		}
	}
	return p, false
}

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
