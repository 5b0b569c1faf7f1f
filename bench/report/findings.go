package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/judge"
)

// minResults is the least number of results for an interval of a median, and for a density.
const minResults = 6

// doubtful is a relative half-width of an interval. From it on, a measurement is not to
// be trusted.
const doubtful = 0.10

const (
	scatter = "results scatter: the interval of the median is ±%s wide"
	longer  = "measure longer (-benchtime), or more often"
)

// rules are the kinds of findings about files of benchmarks. Kinds that package runner
// knows have its names, so that it finds their causes.
var rules = []judge.Rule{
	{Kind: "regression", Limit: math.Inf(-1), Write: signed, Observed: "the largest change for the worse: %s",
		Advice: "look at the flame graph of this case: zkatbench inside"},
	{Kind: "joined", Limit: 0, Write: text.Number,
		Observed: "results of different machines or sources were joined", Advice: "compare them apart"},
	{Kind: "interrupted", Limit: 0, Write: text.Number, Observed: "the measurement was interrupted",
		Advice: "repeat it"},
	{Kind: "noisy machine", Limit: 0, Write: text.Number, Observed: "the machine was disturbed",
		Advice: "repeat the measurement on an idle machine"},
	{Kind: "few results", Below: true, Limit: minResults, Write: text.Number,
		Observed: "the least number of results of a case is %s", Advice: "measure with -count=10"},
	{Kind: "doubtful", Limit: doubtful, Write: text.Percent, Observed: scatter, Advice: longer},
	{Kind: "wide distribution", Limit: 0.05, Write: text.Percent, Observed: scatter, Advice: longer},
}

// disturbances are the kinds of findings by their keys of the configuration.
var disturbances = map[string]string{"interrupted": "interrupted", "noise": "noisy machine",
	"noise-after": "noisy machine"}

// findingsOfFiles are the findings about files of benchmarks.
func findingsOfFiles(in Input, found changes) (all []judge.Finding) {
	endings := [...]string{" (base)", " (results)"}
	for i, d := range slices.Backward(sides(in)) {
		figures, details := map[string]float64{}, map[string]string{}
		add := func(kind string, figure float64, detail string) {
			figures[kind], details[kind] = figure, details[kind]+"; "+detail
		}
		for _, unit := range found.units {
			if worst := found.with(gate.Regression, unit); d == in.Results && len(worst) > 0 &&
				details["regression"] == "" {
				add("regression", worst[0].Shift.Value, unit+" of "+worst[0].Key.String())
			}
		}
		for _, key := range []string{"host", "cpu", "go", "revision"} {
			if vs := d.Config[key]; len(vs) > 1 {
				add("joined", 1, key+" is "+strings.Join(vs, ", "))
			}
		}
		for _, key := range slices.Sorted(maps.Keys(disturbances)) {
			for _, v := range d.Config[key] {
				add(disturbances[key], 1, v)
			}
		}
		if least := leastResults(d); len(varying(d, found)) > 0 || least < 2 {
			add("few results", float64(least), fmt.Sprintf("intervals need %d", minResults))
		}
		half, widest := widest(d, found.judgedFirst(d)[0])
		scatters := "doubtful"
		if figures["noisy machine"] > 0 || half <= doubtful {
			scatters = "wide distribution"
		}
		add(scatters, half, widest.String())
		for _, f := range judge.Judge(rules, figures) {
			f.Observed += details[f.Kind]
			if in.Base != nil {
				f.Observed += endings[i]
			}
			// the figures cannot be trusted
			f.Machine = f.Kind != "regression" && f.Kind != "wide distribution"
			all = append(all, f)
		}
	}
	return all
}

// widest returns the case with the widest interval in a unit, and half its width
// relative to the median.
func widest(d *result.Data, unit string) (most float64, widest result.Key) {
	for _, k := range d.Cases {
		s, _ := summarise(d.Values[k][unit])
		if half := (s.High - s.Low) / 2 / s.Mid; half > most && !math.IsInf(half, 0) {
			most, widest = half, k
		}
	}
	return most, widest
}

// findingsOfLoads are the findings of all runs, joined by their kind.
func findingsOfLoads(loads []Load) (all []judge.Finding) {
	runs := map[string][]string{}
	for _, l := range loads {
		found := judge.Findings(l.Result)
		if l.Result.Interrupted {
			found = append(found,
				judge.Finding{Kind: "interrupted", Machine: true,
					Observed: "the run was interrupted by: " + l.Result.End, Advice: "repeat the run"})
		}
		for _, f := range found {
			i := slices.IndexFunc(all, func(other judge.Finding) bool { return other.Kind == f.Kind })
			if i < 0 {
				all = append(all, f)
			} else if f.Group() < all[i].Group() {
				all[i] = f
			}
			runs[f.Kind] = append(runs[f.Kind], l.label())
		}
	}
	for i, f := range all {
		if len(loads) > 1 {
			all[i].Observed += fmt.Sprintf(" (in %d of %s, as in %s)", len(runs[f.Kind]),
				text.Plural(len(loads), "run"), runs[f.Kind][0])
		}
	}
	return all
}
