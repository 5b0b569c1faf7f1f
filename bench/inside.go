package bench

import (
	"fmt"
	"io"

	"github.com/zkatbench/zkatbench/bench/step"
	"github.com/zkatbench/zkatbench/count"
)

// Tools observe the inside of an operation. The zero value is inactive.
type Tools struct {
	// Counts receives the operations of the algebra by phase.
	Counts count.Bucket
	// Inside also counts the additions inside scalar multiplications, by a
	// textbook model of them.
	Inside bool
	// Steps is the operation's own step, below which it enters others.
	Steps *step.Recorder
	// Random replaces the source of the randomness that Work reads. It is not
	// read by set-up; nil stands for crypto/rand.
	Random io.Reader
}

// Count does the operation once and returns the operations of its algebra by
// phase, without set-up. With inside it also counts the additions inside scalar
// multiplications.
func (op Op) Count(c Case, inside bool) (count.Phases, error) {
	if op.On == nil {
		return nil, fmt.Errorf("%s has no operations that can be counted", op.Name)
	}
	var rec count.Recorder
	in, err := op.On(c, 0, Tools{Counts: rec.Bucket(""), Inside: inside})
	if in, err = op.prepared(c, in, err); err != nil {
		return nil, err
	}
	rec.Reset()
	if _, err = in.Work(); err != nil {
		return nil, fmt.Errorf("counting of %s: %w", op.Name, err)
	}
	return rec.Snapshot(), nil
}

// counted returns the figures of -ops in a case.
func (s *Suite) counted(op Op, c Case) (ms []Metric, err error) {
	if !c.Options().Ops || op.On == nil {
		return nil, nil
	}
	phases, err := op.Count(c, false)
	if err != nil {
		return nil, err
	}
	units := s.units
	if units == nil {
		units = count.Counts.Units
	}
	for _, u := range units(phases.Total()) {
		ms = append(ms, Metric{Value: float64(u.Value), Unit: u.Name})
	}
	return ms, nil
}
