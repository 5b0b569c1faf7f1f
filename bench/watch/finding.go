package watch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// finding is a suspicion that cases became worse between two revisions, with its answer.
type finding struct {
	Base, Head string
	Why        string       // step, level, drift, day, half, or the name of a change
	Asked      []result.Key // empty: all cases
	Changed    []result.Key // not compared: the benchmark itself changed
	Verdicts   []verdict    // of the comparison
	At         time.Time    // of the comparison
	Note       string       // the reason for missing verdicts
}

// verdict is the verdict of a comparison in turns. Change is a share; it is absent if it is not finite,
// as in the JSON of package gate.
type verdict struct {
	Key        result.Key
	Unit       string
	Verdict    gate.Verdict
	Base, Head float64  // medians
	Change     *float64 `json:",omitempty"`
}

func verdictOf(c gate.Comparison) verdict {
	v := verdict{Key: c.Key, Unit: c.Unit, Verdict: c.Verdict, Base: c.Base.Median, Head: c.Head.Median}
	if change := c.Shift.Value; stats.Finite(change) {
		v.Change = &change
	}
	return v
}

// change is the share of the change, also if it is not finite.
func (v verdict) change() float64 {
	if v.Change == nil {
		return (v.Head - v.Base) / v.Base
	}
	return *v.Change
}

// worse returns the cases with a regression.
func (f finding) worse() (keys []result.Key) {
	for _, v := range f.Verdicts {
		if v.Verdict == gate.Regression && !slices.Contains(keys, v.Key) {
			keys = append(keys, v.Key)
		}
	}
	return keys
}

func (f finding) regression() bool { return len(f.worse()) > 0 }

// answer returns the finding that answers p, or nil. A drift is answered while the
// revisions of an earlier answer overlap with it.
func (s *state) answer(p finding) *finding {
	for i, f := range s.findings {
		asked := len(f.Asked) == 0 || len(p.Asked) > 0 &&
			!slices.ContainsFunc(p.Asked, func(k result.Key) bool { return !slices.Contains(f.Asked, k) })
		same := f.Base == p.Base && f.Head == p.Head
		if p.Why == whyDrift && f.Why == whyDrift {
			same = slices.Index(s.line, f.Head) < slices.Index(s.line, p.Base)
		}
		if same && asked {
			return &s.findings[i]
		}
	}
	return nil
}

// settle compares the revisions of a suspicion and keeps the answer. Cases are not
// compared if their benchmark differs.
func (w *Watch) settle(ctx context.Context, f finding) error {
	f.At = time.Now()
	var same []result.Key
	for _, k := range f.Asked {
		differs, err := w.benchmarkChanged(ctx, f.Base, f.Head, k.Package)
		switch {
		case err != nil:
			return err
		case differs:
			f.Changed = append(f.Changed, k)
		default:
			same = append(same, k)
		}
	}
	if len(same) > 0 || len(f.Asked) == 0 {
		w.Log("comparing %.12s with %.12s (%s)", f.Base, f.Head, f.Why)
		r, err := w.Lab.Compare(ctx, f.Base, f.Head, same)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, ErrRevision):
			f.Note = err.Error()
		case err != nil:
			return err
		case len(r.Comparisons)+len(r.Missing) == 0 || len(r.Unmeasured) > 0 && r.Count(gate.Regression) == 0:
			w.later(f, r)
			return nil
		}
		worse := r.Count(gate.Regression) > 0
		for _, c := range r.Comparisons {
			if c.Verdict == gate.Regression || c.Verdict == gate.Unknown && !worse {
				f.Verdicts = append(f.Verdicts, verdictOf(c))
			}
		}
	}
	content, err := json.MarshalIndent(f, "", "  ")
	if err != nil { // without its figures it can be written
		f.Verdicts, f.Note = nil, err.Error()
		content, err = json.MarshalIndent(f, "", "  ")
	}
	if err != nil {
		return fmt.Errorf("finding: %w", err)
	}
	if err := outfile.WriteBytes(w.findingFile(f), append(content, '\n')); err != nil {
		return err
	}
	for _, line := range f.lines() {
		w.Log("%s", line)
	}
	return nil
}

// later puts off a suspicion if its comparison did not measure every case asked for, so that it has no
// answer. It is asked again after the pause, then after twice this time, at most once a day, and after a new
// start.
func (w *Watch) later(f finding, r gate.Report) {
	why := "no case was measured"
	if n := len(r.Unmeasured); n > 0 && len(r.Comparisons) > 0 {
		why = text.Plural(n, "case") + " of " + fmt.Sprint(n+len(r.Comparisons)) + " were not measured"
	}
	if len(r.Notes) > 0 {
		why += " (" + strings.Join(r.Notes, "; ") + ")"
	}
	if w.put == nil {
		w.put = map[string]putOff{}
	}
	p := w.put[f.pair()]
	p.wait = min(max(2*p.wait, w.pause), day)
	p.until = time.Now().Add(p.wait)
	w.put[f.pair()] = p
	w.Log("not measured, so asked again: between %.12s and %.12s (%s): %s", f.Base, f.Head, f.Why, why)
}

// putOff is the time until which a suspicion is not asked again, and how long it waited before.
type putOff struct {
	until time.Time
	wait  time.Duration
}

// pair identifies the suspicion of a pair of revisions.
func (f finding) pair() string { return f.Base + " " + f.Head + " " + f.Why }

// ready removes suspicions that are put off.
func (w *Watch) ready(all []finding) []finding {
	return slices.DeleteFunc(all, func(f finding) bool { return time.Now().Before(w.put[f.pair()].until) })
}

// benchmarkChanged reports whether the benchmarks of a package differ between two
// commits: its test files, its test data, or the folders of the harness.
func (w *Watch) benchmarkChanged(ctx context.Context, base, head, pkg string) (bool, error) {
	gomod, err := result.Git(ctx, w.Repository, "show", base+":./go.mod")
	if err != nil {
		return false, err
	}
	dir := path.Join(".", strings.TrimPrefix(strings.TrimPrefix(pkg, modfile.ModulePath([]byte(gomod))), "/"))
	paths := []string{":(glob)" + path.Join(dir, "*_test.go"), ":(glob)" + path.Join(dir, "testdata/**")}
	for _, h := range w.Harness {
		paths = append(paths, ":(glob)"+path.Join(h, "**/*.go"))
	}
	out, err := result.Git(ctx, w.Repository,
		append([]string{"diff", "--name-only", "--no-renames", base, head, "--"}, paths...)...)
	return out != "", err
}

// findingFile names the file of a finding; a second one of the same revisions has other
// cases.
func (w *Watch) findingFile(f finding) string {
	for i := 1; ; i++ {
		name := filepath.Join(w.Dir, "findings", fmt.Sprintf("%.12s-%.12s-%d.json", f.Base, f.Head, i))
		if _, err := os.Stat(name); err != nil {
			return name
		}
	}
}

func (w *Watch) readFindings() (all []finding, err error) {
	names, err := filepath.Glob(filepath.Join(w.Dir, "findings", "*.json"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		var f finding
		content, err := outfile.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(content, &f)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, f)
	}
	return all, nil
}

// lines describes a finding, a line for each case and unit.
func (f finding) lines() (all []string) {
	between := fmt.Sprintf("between %.12s and %.12s (%s)", f.Base, f.Head, f.Why)
	for _, v := range f.Verdicts {
		word := "regression"
		if v.Verdict != gate.Regression {
			word = "undecided"
		}
		all = append(all,
			fmt.Sprintf("%s: %s %s %s %s", word, v.Key, v.Unit, text.Change(v.change()), between))
	}
	for _, k := range f.Changed {
		all = append(all, fmt.Sprintf("the benchmark itself changed: %s %s", k, between))
	}
	switch {
	case f.Note != "":
		all = append(all, fmt.Sprintf("not compared: %s %s", f.Note, between))
	case len(all) == 0:
		all = []string{"not confirmed: no regression " + between}
	}
	return all
}

// Reasons to suspect a pair.
const (
	whyStep  = "step"  // between two neighbours
	whyLevel = "level" // of several revisions
	whyDrift = "drift"
	whyDay   = "day"  // the first revision and the last one
	whyHalf  = "half" // of a regression
)

// suspects returns the unsettled pairs: neighbours between which a comparison of files
// finds a difference, changes of a level, and drifts. The files were not measured in
// turns, so that a verdict is only a suspicion.
func (w *Watch) suspects(ctx context.Context, s *state) (found []finding, err error) {
	add := func(base, head, why string, k result.Key) {
		p := finding{Base: base, Head: head, Why: why, Asked: []result.Key{k}}
		if s.answer(p) != nil {
			return
		}
		i := slices.IndexFunc(found, func(o finding) bool {
			return o.Base == base && o.Head == head && o.Why == why
		})
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
// commit between them to be measured first.
func (s *state) halve() (half []finding, commit string) {
	for _, f := range s.findings {
		head, base := slices.Index(s.line, f.Head), slices.Index(s.line, f.Base)
		if !f.regression() || head < 0 || base < 0 {
			continue
		}
		inside := slices.DeleteFunc(slices.Clone(s.line[head+1:base]), func(c string) bool {
			return s.data[c] == nil && !s.open(c)
		})
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
	out, err := result.Git(ctx, w.Repository, "for-each-ref", "--format=%(objectname) %(refname:short)",
		"--no-merged="+w.Branch,
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
