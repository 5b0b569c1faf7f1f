package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/judge/require"
	"github.com/zkatbench/zkatbench/runner/render"
)

// headline is the beginning of the page: the work that was measured, the change,
// whether the figures can be trusted, and the findings that matter most.
type headline struct {
	Measured []string
	Changed  statement
	Required []statement // verdicts on the requirements of runs under load
	Trust    statement
	Findings []judge.Finding // the first shownFindings
	Rest     []judge.Finding
}

// statement is a verdict in a word, coloured by its class, with reasons.
type statement struct {
	Class, Word string
	Reasons     []string
}

const (
	shownFindings = 3
	effect        = 2 // Group of findings that others can cause
)

// headlineOf summarises the page.
func headlineOf(in Input, found changes) headline {
	h := headline{Measured: measured(in), Changed: changed(in, found), Required: required(in.Loads)}
	all := append(findingsOfFiles(in, found), findingsOfLoads(in.Loads)...)
	slices.SortStableFunc(all, func(a, b judge.Finding) int { return a.Group() - b.Group() })
	said := map[string]bool{}
	for i, f := range all {
		advice := f.Advice
		if f.Group() == effect {
			advice = "possibly caused by: " + f.Cause
		}
		all[i].Advice = advice
		if said[advice] {
			all[i].Advice = ""
		}
		said[advice] = true
	}
	h.Trust = trust(all, in)
	h.Findings, h.Rest = all[:min(len(all), shownFindings)], all[min(len(all), shownFindings):]
	return h
}

// required returns the verdicts on the requirements of the runs: green, red or
// grey.
func required(loads []Load) (all []statement) {
	classes := map[require.Verdict]string{require.Met: "good", require.Broken: "bad",
		require.Undecided: "faint"}
	for _, l := range loads {
		run := ""
		if len(loads) > 1 {
			run = l.label() + ": "
		}
		for _, c := range render.Verdicts(l.Result) {
			all = append(all,
				statement{classes[c.Verdict], capital(string(c.Verdict)),
					[]string{run + c.Requirement.String() + ": " + c.Detail() + "."}})
		}
	}
	return all
}

// measured names the work on the page: benchmarks, runs under load, histories.
func measured(in Input) (lines []string) {
	if d := in.Results; d != nil {
		line := fmt.Sprintf("%s of %s, at least %s each", text.Plural(len(d.Cases), "case"),
			benchmarkNames(d), text.Plural(leastResults(d), "result"))
		if vs := d.Config["cpu"]; len(vs) == 1 {
			line += ", on " + vs[0]
		}
		if vs := d.Config["revision"]; len(vs) == 1 {
			line += ", revision " + vs[0]
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
	words := l.label() + ", back to back"
	if r.Config.Plan != nil {
		words = l.label() + ", " + r.Config.Plan.String()
	}
	words += ": " + strings.Join(render.Figures(r), "; ")
	if r.Failed > 0 {
		words += fmt.Sprintf("; %d failed", r.Failed)
	}
	return words + "."
}

// benchmarkNames lists up to three benchmarks.
func benchmarkNames(d *result.Data) string {
	var bases []string
	for _, k := range d.Cases {
		base, _, _ := parse(k.Name)
		base = strings.TrimPrefix(base, "Benchmark")
		if !slices.Contains(bases, base) {
			bases = append(bases, base)
		}
	}
	if len(bases) > shownFindings {
		return fmt.Sprintf("%d benchmarks", len(bases))
	}
	return strings.Join(bases, ", ")
}

// leastResults returns the least number of results of a case.
func leastResults(d *result.Data) (least int) {
	least = math.MaxInt
	for _, k := range d.Cases {
		n := 0
		for _, xs := range d.Values[k] {
			n = max(n, len(xs))
		}
		least = min(least, n)
	}
	return least
}

// changed is the verdict on the change against the base, or over revisions.
func changed(in Input, found changes) statement {
	switch {
	case in.Base == nil && len(in.Trends) > 0:
		return changedOverTime(in)
	case in.Base == nil:
		return statement{"faint", "No base",
			[]string{"zkatbench report base.txt results.txt compares two files."}}
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
	for _, v := range []gate.Verdict{gate.Regression, gate.Changed, gate.Improvement, gate.Unknown,
		gate.Same} {
		if line := found.summary(v); line != "" {
			s.Reasons = append(s.Reasons, line)
		}
	}
	for _, note := range found.Notes {
		s.Reasons = append(s.Reasons, capital(note)+".")
	}
	if n := len(found.Missing); n > 0 {
		s.Reasons = append(s.Reasons,
			fmt.Sprintf("Without results: %s of the base, as of %s.", text.Plural(n, "figure"),
				found.Missing[0].Key))
	}
	if n := len(found.New); n > 0 {
		s.Reasons = append(s.Reasons,
			fmt.Sprintf("Not in the base: %s, as %s.", text.Plural(n, "figure"), found.New[0].Key))
	}
	return s
}

// capital begins a sentence.
func capital(words string) string { return strings.ToUpper(words[:1]) + words[1:] }

// changedOverTime is the verdict of zkatbench history check on all revisions.
func changedOverTime(in Input) statement {
	var lines strings.Builder
	v, _ := history.Check(&lines, in.Trends, math.MaxInt) // a builder does not fail
	all := strings.Split(strings.TrimSpace(lines.String()), "\n")
	s := statement{"faint", "No change for the worse",
		[]string{"Cases and units over the revisions: " + all[len(all)-1] + "."}}
	switch {
	case v.Worse > 0:
		s.Class, s.Word = "bad", "Worse"
	case v.TooFew > 0 || v.Judged == 0:
		s.Word = "Cannot tell"
	}
	return s
}

// trust judges the circumstances by the findings about the machine and the measurement.
// Files that do not describe the machine leave it unknown.
func trust(all []judge.Finding, in Input) statement {
	n, described := 0, true
	for _, f := range all {
		if f.Machine {
			n++
		}
	}
	for _, side := range sides(in) {
		described = described && len(side.Config["governor"]) > 0 // zkatbench run states it, known or not
	}
	switch {
	case n > 0:
		return statement{"bad", "With care",
			[]string{text.Plural(n, "finding") + " about the machine or the measurement, first in the list."}}
	case !described:
		return statement{"faint", "Unknown",
			[]string{
				"A file does not describe the machine during the measurement, as files of zkatbench run " +
					"do. No interval is wider than ±10 %.",
			}}
	case len(sides(in)) == 0 && len(in.Loads) == 0:
		return statement{"faint", "Not judged",
			[]string{"A history does not say whether the machine was disturbed."}}
	}
	return statement{"good", "No sign of disturbance",
		[]string{
			"The files mention no disturbance of the machine, no measurement was interrupted, and no " +
				"interval is wider than ±10 %.",
		}}
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
