package bench

import (
	"fmt"

	"github.com/zkatbench/zkatbench/bench/metric"
)

// Op is a measured operation, declared once and driven in several ways.
type Op struct {
	Name string
	// Package is the import path of the test package with the operation's
	// benchmark, relative to the module, if it is not the subject's.
	Package string
	// OnRequest excludes the operation from runs of all operations of its
	// subject; it must be named.
	OnRequest bool
	// Without lists axes that the operation does not depend on. They neither
	// multiply its matrix nor appear in its names.
	Without []Param
	// Setup prepares an environment for one case. It is never timed. As far as
	// possible, equal seeds give equal environments, and different seeds
	// different ones.
	Setup func(c Case, seed uint64) (Instance, error)
	// Yardstick returns a known operation for the case; nil means no yardstick.
	Yardstick func(Case) (Yardstick, error)
	// On is Setup with tools in the operation's algebra; its events include the
	// set-up. It is nil if the algebra of the operation cannot be observed.
	On func(c Case, seed uint64, tools Tools) (Instance, error)
	// Read is On with other inputs: encodings in the order of Instance.Inputs.
	// It is nil if the inputs of the operation cannot be encoded.
	Read func(c Case, seed uint64, tools Tools, inputs [][]byte) (Instance, error)
	// Concurrent reports whether Work starts goroutines in a case; its time is
	// then wall time instead of processor time. Nil means never.
	Concurrent func(Case) bool
}

// Instance is an operation with its environment.
type Instance = metric.Instance

// Metric is a figure other than the time.
type Metric = metric.Figure

// New returns an environment for a case. With -inputs=decode, the work of the
// instance begins with decoding its inputs; the error is one line if op has no
// Decode.
func (op Op) New(c Case, seed uint64) (Instance, error) {
	in, err := op.Setup(c, seed)
	return op.prepared(c, in, err)
}

// prepared finishes the set-up of in for the input mode of the case.
func (op Op) prepared(c Case, in Instance, err error) (Instance, error) {
	if err != nil {
		return in, fmt.Errorf("set-up of %s: %w", op.Name, err)
	}
	if InputUse.Of(c) != DecodeInputs {
		return in, nil
	}
	if in.Decode == nil {
		return in, fmt.Errorf("-%s: %q is not possible for %s, which decodes no inputs before its work", InputUse.Flag, DecodeInputs, op.Name)
	}
	return in.Decoding(), nil
}
