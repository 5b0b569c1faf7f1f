package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/render"
	"github.com/zkatbench/zkatbench/runner/require"
	"github.com/zkatbench/zkatbench/text"
)

// headline is the beginning of the page: the work that was measured, the change,
// whether the figures can be trusted, and the findings that matter most.
type headline struct {
	Measured []string
	Changed  statement
	Required []statement // verdicts on the requirements of runs under load
	Trust    statement
	Findings []remark // the first shownFindings
	Rest     []remark
}

// statement is a verdict in a word, coloured by its class, with reasons.
type statement struct {
	Class, Word string
	Reasons     []string
}

// remark is a finding with its advice. Group orders remarks: the machine, then the
// operations, then the effects that the machine can cause, which are muted.
type remark struct {
	Group        int
	Text, Advice string
}

// Groups of remarks.
const (
	aboutMachine = iota
	aboutWork
	muted
)

// Class returns the class of the style sheet.
func (r remark) Class() string { return [...]string{"machine", "work", "muted"}[r.Group] }

const shownFindings = 3

// headlineOf summarises the page.
func headlineOf(in Input, found changes) headline {
	h := headline{Measured: measured(in), Changed: changed(in, found), Required: required(in.Loads)}
	all := append(remarksOnResults(in, found), remarksOnLoads(in.Loads)...)
	slices.SortStableFunc(all, func(a, b remark) int { return a.Group - b.Group })
	said := map[string]bool{}
	for i, r := range all {
		if said[r.Advice] {
			all[i].Advice = map[bool]string{true: "the same cause"}[r.Group == muted]
		}
		said[r.Advice] = true
	}
	h.Trust = trust(all, in, found)
	h.Findings, h.Rest = all[:min(len(all), shownFindings)], all[min(len(all), shownFindings):]
	return h
}

// required returns the verdicts on the requirements of the runs: green, red or
// grey.
func required(loads []Load) (all []statement) {
	classes := map[require.Verdict]string{require.Met: "good", require.Broken: "bad", require.Undecided: "faint"}
	for _, l := range loads {
		of := ""
		if len(loads) > 1 {
			of = l.label() + ": "
		}
		for _, c := range render.Verdicts(l.Result) {
			all = append(all, statement{classes[c.Verdict], capital(string(c.Verdict)), []string{of + c.Requirement.String() + ": " + c.Detail() + "."}})
		}
	}
	return all
}

// measured names the work on the page: benchmarks, runs under load, histories.
func measured(in Input) (lines []string) {
	if d := in.Results; d != nil {
		line := fmt.Sprintf("%s of %s, %s each", text.Plural(len(d.Cases), "case"), benchmarkNames(d), resultsEach(d))
		for _, key := range []string{"cpu", "revision"} {
			if vs := d.Config[key]; len(vs) == 1 {
				line += map[string]string{"cpu": ", on ", "revision": ", revision "}[key] + vs[0]
			}
		}
		lines = append(lines, line+".")
	}
	for i, l := range in.Loads {
		if i == shownFindings {
			lines = append(lines, fmt.Sprintf("%s more under load.", text.Plural(len(in.Loads)-i, "run")))
			break
		}
		lines = append(lines, loadLine(l))
	}
	if len(in.Trends) > 0 {
		lines = append(lines, fmt.Sprintf("%s over revisions.", text.Plural(len(in.Trends), "case")))
	}
	return lines
}

// loadLine describes a run under load: the plan, the rate and the latency.
func loadLine(l Load) string {
	r := l.Result
	plan := "back to back"
	if r.Config.Plan != nil {
		plan = r.Config.Plan.String()
	}
	words := fmt.Sprintf("%s: %d operations in %s, %s: %.4g/s", l.label(), r.Done, r.Elapsed.Round(time.Millisecond), plan, r.Throughput())
	if o := r.Open; o != nil && o.Offered > 0 {
		words += fmt.Sprintf(", %s of the offered starts", text.Percent(float64(o.Started)/float64(o.Offered)))
	}
	for _, percent := range []float64{50, 99} {
		if e := r.Quantile(percent / 100); e.Shown() {
			words += fmt.Sprintf(", P%.0f %s", percent, text.Duration(e.Value))
		}
	}
	if r.Failed > 0 {
		words += fmt.Sprintf(", %d failed", r.Failed)
	}
	return words + "."
}

// benchmarkNames lists up to three benchmarks.
func benchmarkNames(d *result.Data) string {
	var bases []string
	for _, k := range d.Cases {
		if base := strings.TrimPrefix(takeApart(k.Name).base, "Benchmark"); !slices.Contains(bases, base) {
			bases = append(bases, base)
		}
	}
	if len(bases) > shownFindings {
		return fmt.Sprintf("%d benchmarks", len(bases))
	}
	return strings.Join(bases, ", ")
}

// resultsEach states the number of results of a case: "10 results".
func resultsEach(d *result.Data) string {
	counts := resultCounts(d)
	low, high := slices.Min(counts), slices.Max(counts)
	if low == high {
		return text.Plural(low, "result")
	}
	return fmt.Sprintf("%d to %d results", low, high)
}

// resultCounts returns the number of results of each case.
func resultCounts(d *result.Data) (counts []int) {
	for _, k := range d.Cases {
		n := 0
		for _, xs := range d.Values[k] {
			n = max(n, len(xs))
		}
		counts = append(counts, n)
	}
	return counts
}

// changed is the verdict on the change against the base, or over revisions.
func changed(in Input, found changes) statement {
	switch {
	case in.Base == nil && len(in.Trends) > 0:
		return changedOverTime(in)
	case in.Base == nil:
		return statement{"faint", "No base", []string{"zkatbench report base.txt results.txt compares two files."}}
	}
	s := statement{"faint", "No change", nil}
	switch found.Outcome() {
	case gate.Regressed:
		s.Class, s.Word = "bad", "Worse"
	case gate.Unclear:
		s.Word = "Cannot tell"
	case gate.Pass:
		if found.Count(gate.Improvement) > 0 {
			s.Class, s.Word = "good", "Better"
		}
	}
	units := found.judgedFirst(in.Results)
	for _, v := range []gate.Verdict{gate.Regression, gate.Improvement} {
		for _, unit := range units {
			if line := found.sentence(v, unit); line != "" {
				s.Reasons = append(s.Reasons, line+".")
			}
		}
	}
	for _, v := range []gate.Verdict{gate.Unknown, gate.Same} {
		if line := found.summary(v, units); line != "" {
			s.Reasons = append(s.Reasons, line+".")
		}
	}
	for _, note := range found.Notes {
		s.Reasons = append(s.Reasons, capital(note)+".")
	}
	if n := len(found.Missing); n > 0 {
		s.Reasons = append(s.Reasons, fmt.Sprintf("%s of the base without results.", text.Plural(n, "case or unit")))
	}
	return s
}

// capital begins a sentence.
func capital(words string) string { return strings.ToUpper(words[:1]) + words[1:] }

// changedOverTime counts the series of the history with a change of their level.
func changedOverTime(in Input) statement {
	worse, better, judged := 0, 0, 0
	for _, s := range in.Trends {
		if s.Judged() {
			judged++
		}
		all := s.Changes()
		if c, found := s.Drift(); found {
			all = append(all, c)
		}
		for _, c := range all {
			if s.Worse(c) {
				worse++
			} else {
				better++
			}
		}
	}
	switch {
	case worse > 0:
		return statement{"bad", "Worse", []string{fmt.Sprintf("%s for the worse over the revisions, %d others.", text.Plural(worse, "change"), better)}}
	case better > 0:
		return statement{"good", "Better", []string{fmt.Sprintf("%s over the revisions, none for the worse.", text.Plural(better, "change"))}}
	}
	if judged < len(in.Trends) {
		return statement{"faint", "Cannot tell", []string{fmt.Sprintf("%s of %d have too few revisions to find a change.", text.Count(len(in.Trends)-judged), len(in.Trends))}}
	}
	return statement{"faint", "No change", []string{"The level of each case stayed the same over the revisions."}}
}

// trust judges the circumstances: a disturbed machine, too few results, an
// interrupted measurement, results that scatter. Files without remarks on the
// machine leave it unknown.
func trust(all []remark, in Input, found changes) statement {
	var reasons []string
	n := 0
	for _, r := range all {
		n += map[bool]int{true: 1}[r.Group == aboutMachine]
	}
	if n > 0 {
		reasons = append(reasons, text.Plural(n, "finding")+" about the machine or the measurement, first in the list.")
	}
	described := true
	for _, side := range sides(in) {
		if words := widest(side, found.judgedFirst(side)[0], doubtful); words != "" {
			reasons = append(reasons, capital(words)+"; "+measureLonger+".")
		}
		described = described && len(side.Config["governor"]) > 0 // zkatbench run states it, known or not
	}
	slices.Sort(reasons)
	switch {
	case len(reasons) > 0:
		return statement{"bad", "With care", slices.Compact(reasons)}
	case !described:
		return statement{"faint", "Unknown", []string{"A file does not describe the machine during the measurement, as files of zkatbench run do. Its results do not scatter."}}
	case len(sides(in)) == 0 && len(in.Loads) == 0:
		return statement{"faint", "Not judged", []string{"A history does not say whether the machine was disturbed."}}
	}
	return statement{"good", "No sign of disturbance", []string{"The files mention no disturbance of the machine, no measurement was interrupted, and results do not scatter."}}
}

// sides are the base and the results that exist.
func sides(in Input) (some []*result.Data) {
	for _, d := range []*result.Data{in.Base, in.Results} {
		if d != nil {
			some = append(some, d)
		}
	}
	return some
}

// minResults is the least number of results for an interval of a median.
const minResults = 6

// disturbances are the keys of configuration that are findings.
var disturbances = []string{"interrupted", "noise", "noise-after"}

// remarksOnResults are the findings about files of benchmarks.
func remarksOnResults(in Input, found changes) (all []remark) {
	d := in.Results
	if d == nil {
		return nil
	}
	noisy := false
	for i, side := range sides(in) {
		where := ""
		if in.Base != nil {
			where = [...]string{" (base)", " (results)"}[i]
		}
		for _, key := range []string{"host", "cpu", "go", "revision"} {
			if vs := side.Config[key]; len(vs) > 1 {
				all = append(all, remark{aboutMachine, fmt.Sprintf("results of different machines or sources were joined: %s is %s%s", key, strings.Join(vs, ", "), where), "compare them apart"})
			}
		}
		for _, key := range disturbances {
			for _, v := range side.Config[key] {
				noisy = true
				all = append(all, remark{aboutMachine, map[string]string{"interrupted": "interrupted: "}[key] + v + where, "repeat the measurement on an idle machine"})
			}
		}
	}
	if low := slices.Min(resultCounts(d)); low < minResults && len(varying(d, found)) > 0 || low < 2 {
		all = append(all, remark{aboutMachine, fmt.Sprintf("only %s of some cases: intervals need %d", text.Plural(low, "result"), minResults), "measure with -count=10"})
	}
	for _, unit := range found.judgedFirst(d) {
		if worst := found.with(gate.Regression, unit); len(worst) > 0 {
			c := worst[0]
			all = append(all, remark{aboutWork, fmt.Sprintf("the largest change of %s for the worse: %s in %s", unit, signed(c.Shift.Value), c.Key), "look at the steps and the flame graph of this case: zkatbench inside"})
		}
	}
	unit := found.judgedFirst(d)[0]
	if words := widest(d, unit, wide); words != "" && widest(d, unit, doubtful) == "" { // Trust has the doubtful one
		r := remark{aboutWork, words, measureLonger}
		if noisy {
			r = remark{muted, words, "the machine can cause it"}
		}
		all = append(all, r)
	}
	return all
}

// The relative half width of an interval from which it is a finding, and from which
// the measurement is not to be trusted.
const (
	wide     = 0.05
	doubtful = 0.10
)

const measureLonger = "measure longer (-benchtime), or more often"

// widest names the case with the widest interval in a unit, if it is wider than
// least.
func widest(d *result.Data, unit string, least float64) string {
	most, words := least, ""
	for _, k := range d.Cases {
		s, ok := summarise(d.Values[k][unit])
		if !ok || !s.Bounded || s.Mid == 0 {
			continue
		}
		if half := (s.High - s.Low) / 2 / s.Mid; half > most {
			most, words = half, fmt.Sprintf("results of %s scatter: the interval of the median is ±%s wide", k, text.Percent(half))
		}
	}
	return words
}

// remarksOnLoads joins the findings of all runs by their kind.
func remarksOnLoads(loads []Load) []remark {
	type joined struct {
		remark
		order int
		runs  []string
	}
	byKind := map[string]*joined{}
	for _, l := range loads {
		for i, f := range l.Result.Findings() {
			j := byKind[f.Kind]
			if j == nil {
				j = &joined{remark{aboutWork, f.Observed, f.Advice}, i, nil}
				byKind[f.Kind] = j
			}
			switch {
			case f.Machine:
				j.Group = aboutMachine
			case f.Cause != "" && len(j.runs) == 0:
				j.Group, j.Advice = muted, "possibly caused by: "+f.Cause
			case f.Cause == "":
				j.Group = aboutWork
			}
			j.runs = append(j.runs, l.label())
		}
		if l.Result.Interrupted {
			kind := "interrupted " + l.label()
			byKind[kind] = &joined{remark{aboutMachine, l.label() + " was interrupted by: " + l.Result.End, "repeat the run"}, -1, nil}
		}
	}
	all := slices.SortedFunc(maps.Values(byKind), func(a, b *joined) int {
		return cmp.Or(a.Group-b.Group, a.order-b.order, strings.Compare(a.Text, b.Text))
	})
	var remarks []remark
	for _, j := range all {
		if len(j.runs) > 0 && len(loads) > 1 {
			j.Text += fmt.Sprintf(" (in %d of %s, as in %s)", len(j.runs), text.Plural(len(loads), "run"), j.runs[0])
		}
		remarks = append(remarks, j.remark)
	}
	return remarks
}
