package judge

import (
	"slices"
)

// timing lists the findings that any disturbance of the machine can cause.
var timing = []string{
	"never steady", "precision missed", "wide distribution", "long tail", "outlier", "drift",
	"several modes", "hidden stalls", "start-up", "remembers", "pacer lag", "scheduler latency",
}

// periodicKind is the only cause that is not about the machine: a noisy machine does
// not hang at regular intervals.
const periodicKind = "periodic stalls"

// boundKind is about the machine that generates the load.
const boundKind = "bound by the generator"

// explains maps each kind of finding about the machine, and stalls, to the kinds that
// it explains, strongest cause first.
var explains = []struct {
	kind    string
	effects []string
}{
	{periodicKind, []string{
		"wide distribution", "long tail", "outlier", "several modes", "hidden stalls", "remembers",
	}},
	{boundKind, append([]string{"overloaded"}, timing...)},
	{"throttled", append([]string{"overloaded", periodicKind}, timing...)},
	{"stolen time", timing},
	{"noisy machine", timing},
	{"processor pressure", timing},
	{"governor", []string{"never steady", "drift"}},
}

// ranked orders findings for a reader, and names their causes among the others.
func ranked(fs []Finding) []Finding {
	for _, e := range explains {
		if !slices.ContainsFunc(fs, func(f Finding) bool { return f.Kind == e.kind }) {
			continue
		}
		for i := range fs {
			fs[i].Machine = fs[i].Machine || fs[i].Kind == e.kind && e.kind != periodicKind
			if fs[i].Cause == "" && slices.Contains(e.effects, fs[i].Kind) {
				fs[i].Cause = e.kind
			}
		}
	}
	slices.SortStableFunc(fs, func(a, b Finding) int { return a.Group() - b.Group() })
	return fs
}

// Group orders findings: about the machine, about the operations, effects of others.
func (f Finding) Group() int {
	switch {
	case f.Machine:
		return 0
	case f.Cause == "":
		return 1
	}
	return 2
}
