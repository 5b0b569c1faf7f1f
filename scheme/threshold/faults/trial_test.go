package faults_test

import (
	"errors"
	"fmt"

	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

// Verdict is the end of a faulty run.
type Verdict int

// The verdicts.
const (
	Named    Verdict = iota // an error names round and sender
	Unnamed                 // an error names the round; the protocol cannot tell the sender
	Harmless                // all parties end, and their outputs verify
	Late                    // presigning ends; signing with the presignature gives an error
)

var verdicts = [...]string{"named", "unnamed", "harmless", "late"}

// String returns the name of the verdict.
func (v Verdict) String() string { return verdicts[v] }

// Try runs all parties with a fault. refused is the error of the party that found the
// fault. err describes a violation: a panic, an error without a round, or outputs that
// do not verify.
func Try(r *suite.Run, f Fault) (v Verdict, refused, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v: panic: %v", f, p)
		}
	}()
	parties, err := r.All()
	if err != nil {
		return v, nil, err
	}
	_, refused = engine.RunEdited(parties, func(sent []engine.Message) []engine.Message {
		return f.edit(sent, r.Parties())
	})
	fault := new(engine.Fault)
	if refused == nil {
		switch err := r.Verify(parties); {
		case errors.As(err, &fault):
			return Late, err, nil
		case err != nil:
			return v, nil, fmt.Errorf("%v: no party finds the fault, but %w", f, err)
		}
		return Harmless, nil, nil
	}
	if !errors.As(refused, &fault) || fault.Round == 0 {
		return v, refused, fmt.Errorf("%v: error without a round: %w", f, refused)
	}
	if fault.From == 0 {
		return Unnamed, refused, nil
	}
	return Named, refused, nil
}
