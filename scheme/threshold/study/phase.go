// Package study measures threshold signatures and compares them: times of phases
// by replay and of all parties together, bytes, rounds, group operations, and the
// time to a signature over a network.
//
// Measure takes the samples of each case. A Network with a virtual clock turns
// them into times to a signature. Tables, pictures and fits of the growth show
// the measured Phases, and received bytes are compared with the specification.
package study

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/runner/stats"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

// Options choose the measurements.
type Options struct {
	// Party names the real party of the timed replays: coordinator, a number, or
	// all.
	Party string
	// Naive times all parties together as well.
	Naive bool
	// Samples is the number of recordings with timed runs, each with another seed.
	Samples int
	// Every replays every party once as the real one, without timing it.
	Every bool
	// CPU measures processor time of the thread instead of wall time. A party does its
	// steps in one goroutine, so both are equal on an idle machine.
	CPU bool
	// Count counts the group operations of the first real party.
	Count bool
	// Progress, if it is not nil, is called before each recording.
	Progress func(done, all int)
}

// Sample is one recording with its timed runs. All its replays ended, sent the recorded
// bytes, and have the recorded output.
type Sample struct {
	Naive    time.Duration              // all parties; 0 if it was not measured
	Recorded map[uint32][]time.Duration // steps of all parties in the naive run
	Took     map[uint32][]time.Duration // steps of the real parties
	Model    *model
}

// Phase is the measurement of one case.
type Phase struct {
	suite.Scenario // with the first seed
	Real           []uint32
	Samples        []Sample
	Rounds         int
	Messages       int // one to all counts for each recipient
	// Traffic is the traffic to each party, for each seed.
	Traffic [][]engine.Traffic
	// Ops are the group operations of the first real party by round; nil if they
	// were not counted.
	Ops []count.Counts
	// Replays is the number of timed replays, Every the number of parties that were
	// replayed as the real one.
	Replays, Every int
}

// Phases are measured cases by name, of one number of malicious parties.
type Phases map[string]*Phase

// Check returns the errors that Measure has for cases, parties and the coordinator of a scenario,
// before any work.
func Check(s suite.Scenario, cases []string, party string) error {
	for _, name := range cases {
		s.Case = name
		if _, err := s.Real(party); err != nil {
			return err
		}
		if int(s.Coordinator) > s.Parties() {
			return fmt.Errorf("-%s: %s has %d parties", suite.Coordinator.Flag, name, s.Parties())
		}
	}
	return nil
}

// Measure measures cases of a scenario with seeds from s.Seed on. It returns the error
// of the first replay that does not count, or ctx.Err().
func Measure(ctx context.Context, s suite.Scenario, cases []string, o Options) (Phases, error) {
	now, done := wall(), func() {}
	if o.CPU {
		now, done = cputime.Thread()
	}
	defer done()
	phases := Phases{}
	for k, name := range cases {
		s.Case = name
		real, err := s.Real(o.Party)
		if err != nil {
			return nil, err
		}
		p := &Phase{Scenario: s, Real: real}
		for i := range o.Samples {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if o.Progress != nil {
				o.Progress(k*o.Samples+i, len(cases)*o.Samples)
			}
			if err := p.sample(i, o, now); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		phases[name] = p
	}
	return phases, nil
}

// wall is a clock of wall time.
func wall() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

func timed(now func() time.Duration, work func()) time.Duration {
	start := now()
	work()
	return now() - start
}

// timing returns p with the times of its steps.
func timing(p engine.Party, now func() time.Duration, took *[]time.Duration) engine.Party {
	return engine.Observe(p, func(_ int, step func() []engine.Message) {
		*took = append(*took, timed(now, func() { step() }))
	})
}

// sample records the case with seed i, verifies the recording, and replays the real
// parties, which must count.
func (p *Phase) sample(i int, o Options, now func() time.Duration) error {
	s := p.Scenario
	s.Seed += uint64(i)
	r, err := suite.New(s)
	if err != nil {
		return err
	}
	snapshot, err := r.Record()
	if err != nil {
		return err
	}
	messages := snapshot.All()
	var traffic []engine.Traffic
	for _, id := range r.IDs() {
		traffic = append(traffic, engine.TrafficOf(messages, id))
		if i == 0 && o.Every {
			if err := r.Replay(snapshot, id); err != nil {
				return err
			}
			p.Every++
		}
	}
	p.Traffic = append(p.Traffic, traffic)
	if i == 0 && o.Count {
		party, err := r.Party(p.Real[0])
		if err != nil {
			return err
		}
		if err := suite.Play(snapshot, engine.Counting(party, &p.Ops)); err != nil {
			return err
		}
	}
	p.Rounds, p.Messages = engine.Rounds(messages), engine.Sent(messages, r.Parties())
	sample := Sample{Took: map[uint32][]time.Duration{}, Recorded: map[uint32][]time.Duration{},
		Model: newModel(messages, r.IDs())}
	if o.Naive {
		if err := sample.all(r, now); err != nil {
			return err
		}
	}
	for _, id := range p.Real {
		party, err := r.Party(id)
		if err != nil {
			return err
		}
		var took []time.Duration
		if err := suite.Play(snapshot, timing(party, now, &took)); err != nil {
			return err
		}
		sample.Took[id] = took
		p.Replays++
	}
	p.Samples = append(p.Samples, sample)
	return nil
}

// all times all parties in one run.
func (s *Sample) all(r *suite.Run, now func() time.Duration) error {
	parties, err := r.All()
	if err != nil {
		return err
	}
	took := make([][]time.Duration, len(parties))
	for i, p := range parties {
		parties[i] = timing(p, now, &took[i])
	}
	s.Naive = timed(now, func() { _, err = engine.Run(parties) })
	for i, p := range parties {
		s.Recorded[p.ID()] = took[i]
	}
	return err
}

// figure is the median of samples with its 95 % interval from order statistics,
// which needs six samples.
type figure struct {
	Mid      float64
	Interval stats.Interval
	Bounded  bool // there is an interval
}

// figure returns the figure of a value of each sample, 0 without samples.
func (p *Phase) figure(value func(Sample) float64) (f figure) {
	var values []float64
	for _, s := range p.Samples {
		values = append(values, value(s))
	}
	if len(values) == 0 {
		return f
	}
	f.Mid = stats.Median(values)
	f.Interval, f.Bounded = stats.MedianInterval(values)
	return f
}

// replay is the time of a replayed party in nanoseconds; of several real parties, it
// is their mean.
func (p *Phase) replay() figure { return p.figure(Sample.replay) }

func (s Sample) replay() float64 {
	var sum time.Duration
	for _, took := range s.Took {
		for _, d := range took {
			sum += d
		}
	}
	return float64(sum) / float64(max(1, len(s.Took)))
}

// ratio is naive ÷ (N × replay), where both times of a sample were measured one
// right after the other.
func (p *Phase) ratio() figure {
	return p.figure(func(s Sample) float64 { return float64(s.Naive) / (float64(p.Parties()) * s.replay()) })
}

// steps are the times of the steps of a sample on a network, by the first real party.
func (p *Phase) steps(n Network, s Sample) steps {
	return n.Peers.Steps(p.Real[0], s.Took[p.Real[0]], s.Recorded)
}

// finish is the median time until the first real party has its output.
func (p *Phase) finish(n Network) time.Duration {
	return time.Duration(p.figure(func(s Sample) float64 {
		return float64(s.Model.finish(n, p.Real[0], p.steps(n, s)))
	}).Mid)
}

// added is the median time of the real parties with the latency of each round, as in the
// published tables.
func (p *Phase) added(n Network) time.Duration {
	return time.Duration(p.replay().Mid) + time.Duration(p.Rounds)*n.Latency
}

// middle returns the sample with the median replay.
func (p *Phase) middle() Sample {
	sorted := slices.SortedFunc(slices.Values(p.Samples), func(a, b Sample) int {
		return cmp.Compare(a.replay(), b.replay())
	})
	return sorted[len(sorted)/2]
}

// draws returns sorted times of the phases of cases, one after the other, in runs
// with random delays. Steps take the times of the sample with the median
// replay. ok is false unless all phases were measured.
func (ps Phases) draws(cases []string, n Network, draws int) (sums []time.Duration, ok bool) {
	sums = make([]time.Duration, draws)
	for _, name := range cases {
		p := ps[name]
		if p == nil {
			return nil, false
		}
		s := p.middle()
		for i, d := range s.Model.Draws(n, p.Real[0], p.steps(n, s), draws) {
			sums[i] += d
		}
		n.Jitter.Seed++ // delays of the next phase are independent
	}
	slices.Sort(sums)
	return sums, true
}
