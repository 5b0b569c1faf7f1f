package study

import (
	"cmp"
	"slices"
	"time"
)

// Phases are measured cases by name, of one number of malicious parties.
type Phases map[string]*Phase

// finish returns the time of the phases of cases, one after the other. ok is false
// unless all of them were measured.
func (ps Phases) finish(cases []string, n Net) (sum time.Duration, ok bool) {
	for _, name := range cases {
		if ps[name] == nil {
			return 0, false
		}
		sum += ps[name].Finish(n)
	}
	return sum, true
}

// draws returns sorted times of the phases of cases, one after the other, in runs
// with random delays. Steps take the times of the sample with the median
// replay. ok is false unless all phases were measured.
func (ps Phases) draws(cases []string, n Net, draws int) (sums []time.Duration, ok bool) {
	sums = make([]time.Duration, draws)
	for _, name := range cases {
		p := ps[name]
		if p == nil {
			return nil, false
		}
		s := p.median()
		steps := n.Peers.Steps(p.Real[0], s.Took[p.Real[0]], s.Recorded)
		for i, d := range s.Model.Draws(n.Network, p.Real[0], steps, draws) {
			sums[i] += d
		}
		n.Jitter.Seed++ // delays of the next phase are independent
	}
	slices.Sort(sums)
	return sums, true
}

// median returns the sample with the median replay.
func (p *Phase) median() Sample {
	sorted := slices.SortedFunc(slices.Values(p.Samples), func(a, b Sample) int { return cmp.Compare(a.replay(), b.replay()) })
	return sorted[len(sorted)/2]
}
