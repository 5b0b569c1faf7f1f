package runner

import "slices"

// Ranked is a Finding with its place in a report.
type Ranked struct {
	Finding
	Machine     bool   // the finding is about the machine
	ExplainedBy string // kind of a finding, mostly about the machine, that can cause this one; empty without one
}

// timing lists the findings that any disturbance of the machine can cause.
var timing = []string{
	"never steady", "precision missed", "wide distribution", "long tail", "outlier", "severe outliers", "drift",
	"several modes", "hidden stalls", "start-up", "remembers", "pacer lag", "scheduler latency",
}

// periodicKind is the only cause that is not about the machine: a noisy machine does
// not hang at regular intervals.
const periodicKind = "periodic stalls"

// explains maps each kind of finding about the machine, and stalls, to the kinds that
// it explains, strongest cause first.
var explains = []struct {
	kind    string
	effects []string
}{
	{periodicKind, []string{
		"wide distribution", "long tail", "outlier", "severe outliers", "several modes", "hidden stalls", "remembers",
	}},
	{"throttled", append([]string{"overloaded", "backlog grows", periodicKind}, timing...)},
	{"stolen time", timing},
	{"noisy machine", timing},
	{"processor pressure", timing},
	{"governor", []string{"never steady", "drift"}},
}

// Rank orders findings for a reader: about the machine first, then
// about the operation, and at the end the ones that the machine explains. Within each
// group the order stays.
func Rank(fs []Finding) []Ranked {
	ranked := make([]Ranked, len(fs))
	for i, f := range fs {
		ranked[i].Finding = f
		for _, e := range explains {
			ranked[i].Machine = ranked[i].Machine || e.kind == f.Kind && e.kind != periodicKind
			if ranked[i].ExplainedBy == "" && slices.Contains(e.effects, f.Kind) && has(fs, e.kind) {
				ranked[i].ExplainedBy = e.kind
			}
		}
	}
	slices.SortStableFunc(ranked, func(a, b Ranked) int { return a.group() - b.group() })
	return ranked
}

func (r Ranked) group() int {
	switch {
	case r.Machine:
		return 0
	case r.ExplainedBy == "":
		return 1
	}
	return 2
}

func has(fs []Finding, kind string) bool {
	return slices.ContainsFunc(fs, func(f Finding) bool { return f.Kind == kind })
}
