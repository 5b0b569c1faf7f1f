// Package study measures threshold signatures and compares them: times of phases
// by replay and of all parties together, bytes, rounds, group operations, and the
// time to a signature over a network.
//
//	phase.go   Measure: the samples of one case
//	figures.go figures of a phase: medians with intervals, ratios, sizes
//	scheme.go  times of sequences of phases
//	table.go   the tables as text
//	picture.go time to a signature over latency and bandwidth, with crossings
//	growth.go  cost over the number of malicious parties, with fitted exponents
//	sleep.go   a comparison of the virtual clock with real time
//	text.go    columns and numbers as text
//
// A Phase and its figures are data; only functions with Write in their names format
// text.
package study

import (
	"context"
	"fmt"
	"time"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/scheme/threshold/network"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

// Options choose the measurements of a case.
type Options struct {
	// Party names the real party of the timed replays: coordinator, a number, or
	// all.
	Party string
	// Naive times all parties together as well.
	Naive bool
	// Samples is the number of recordings with timed runs. Seeds is the number of
	// recordings with their sizes; recordings after the samples are not timed.
	Samples, Seeds int
	// Every replays every party once as the real one, without timing it.
	Every bool
	// CPU measures processor time of the thread instead of wall time. A party does its
	// steps in one goroutine, so both are equal on an idle machine.
	CPU bool
	// Count counts the group operations of the first real party.
	Count bool
	// Progress, if it is not nil, is called before each recording.
	Progress func(done, of int)
}

// Sample is one recording with its timed runs.
type Sample struct {
	Naive    time.Duration              // all parties; 0 if it was not measured
	Recorded map[uint32][]time.Duration // steps of all parties in the naive run
	Took     map[uint32][]time.Duration // steps of the real parties
	Model    *network.Model
}

// Phase is the measurement of one case.
type Phase struct {
	suite.Scenario // with the first seed
	Real           []uint32
	Samples        []Sample
	Rounds         int
	Messages       int // one to all counts for each recipient
	// Bytes are the bytes that each party receives, for each seed.
	Bytes [][]int
	// ByRound are the bytes that each party receives in the last recording, by round.
	ByRound [][]int
	// Ops are the group operations of the first real party by round; nil if they
	// were not counted.
	Ops []count.Counts
	// Replays is the number of timed replays, Every the number of parties that were
	// replayed as the real one.
	Replays, Every int
}

// Measure measures a case with seeds from s.Seed on. Its error is that of the first
// replay that does not count, or that of ctx.
func Measure(ctx context.Context, s suite.Scenario, o Options) (*Phase, error) {
	p := &Phase{Scenario: s}
	var now func() time.Duration
	if o.CPU {
		var done func()
		now, done = cputime.Thread()
		defer done()
	}
	var err error
	if p.Real, err = s.Real(o.Party); err != nil {
		return nil, err
	}
	for i := range max(o.Samples, o.Seeds) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if o.Progress != nil {
			o.Progress(i, max(o.Samples, o.Seeds))
		}
		if err := p.sample(i, o, now); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Case, err)
		}
	}
	if o.Count {
		if p.Ops, err = suite.Count(s, p.Real[0]); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Case, err)
		}
	}
	return p, nil
}

// sample adds recording i.
func (p *Phase) sample(i int, o Options, now func() time.Duration) error {
	s := p.Scenario
	s.Seed += uint64(i)
	timed, real := i < o.Samples, p.Real
	if !timed {
		real = nil
	}
	if i == 0 && o.Every {
		if _, err := suite.Measure(s, suite.Timing{Real: s.IDs()}); err != nil {
			return err
		}
		p.Every = s.Parties()
	}
	t, err := suite.Measure(s, suite.Timing{Real: real, Naive: timed && o.Naive, Now: now})
	if err != nil {
		return err
	}
	p.Bytes = append(p.Bytes, t.Bytes())
	if !timed {
		return nil
	}
	m := network.NewModel(t.Messages, s.IDs())
	p.Samples = append(p.Samples, Sample{Naive: t.Naive, Recorded: t.Recorded, Took: t.Took, Model: m})
	p.Replays += len(p.Real)
	p.Rounds, p.Messages = m.Rounds(), m.Messages()
	p.ByRound = nil
	for _, traffic := range t.Traffic {
		p.ByRound = append(p.ByRound, traffic.ByRound)
	}
	return nil
}
