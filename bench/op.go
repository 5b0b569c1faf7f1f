package bench

import (
	"fmt"

	"github.com/zkatbench/zkatbench/bench/metric"
)

// Op is an operation that is measured: declared once, driven in several ways.
type Op struct {
	Name string
	// Package is the import path of the test package with the operation's
	// benchmark, relative to the module, if it is not the subject's.
	Package string
	// OnRequest leaves the operation out where all operations of its subject are
	// run and it is not named.
	OnRequest bool
	// Without are axes that the operation does not depend on: they neither
	// multiply its matrix nor appear in its names.
	Without []Param
	// Setup prepares an environment for one case. It is never timed. The same
	// seed gives the same environment, as far as that can be; another seed
	// another one.
	Setup func(c Case, seed uint64) (Instance, error)
	// Yardstick is a known operation for the case, nil for none.
	Yardstick func(Case) (Yardstick, error)
	// On is Setup with tools in the operation's algebra: its events include
	// the events of set-up. Nil if the operation has no algebra that can be
	// observed.
	On func(c Case, seed uint64, tools Tools) (Instance, error)
	// Read is On with other inputs: encodings in the order of Instance.Inputs.
	// Nil if the operation reads no inputs that have an encoding.
	Read func(c Case, seed uint64, tools Tools, inputs [][]byte) (Instance, error)
	// Concurrent reports whether Work starts goroutines in a case: its time is
	// then wall time and not processor time. Nil if it never does.
	Concurrent func(Case) bool
}

// Instance is an operation with an environment of its own. Its functions can
// be called again and at the same time from several goroutines.
type Instance struct {
	// Work is what is timed. It returns what the operation made, serialised,
	// or nothing if it is a judgement and makes nothing.
	Work func() ([]byte, error)
	// Check returns an error unless out, which Work made, is right.
	Check func(out []byte) error
	// Exact returns figures of out that do not depend on the machine.
	Exact func(out []byte) []Metric
	// Fresh returns the operation on inputs that are decoded again, nil if only
	// another set-up makes new ones.
	Fresh func() (Instance, error)
	// Inputs returns encodings of everything that Work reads, nil if it reads
	// nothing that has one: Work must not change them.
	Inputs func() [][]byte
	// Reads are the values that Work reads, by pointer or slice, nil if there
	// are none: -purity compares their memory before and after Work.
	Reads any
	// Decode returns the operation on inputs that it decodes from their
	// encodings. -inputs=decode times it together with Work. Nil if the
	// operation decodes nothing apart from its work.
	Decode func() (Instance, error)
}

// New returns an environment for a case. With -inputs=decode the work of the
// instance begins by decoding its inputs; the error is one line if op decodes
// nothing.
func (op Op) New(c Case, seed uint64) (Instance, error) {
	in, err := op.Setup(c, seed)
	return op.prepared(c, in, err)
}

// prepared finishes the set-up of in for the input mode of the case.
func (op Op) prepared(c Case, in Instance, err error) (Instance, error) {
	if err != nil {
		return in, fmt.Errorf("set-up of %s: %w", op.Name, err)
	}
	if InputUse.Of(c) != decode {
		return in, nil
	}
	if in.Decode == nil {
		return in, fmt.Errorf("-%s: %q is not possible for %s, which decodes no inputs before its work", InputUse.Flag, decode, op.Name)
	}
	return in.decoding(), nil
}

// decoding is the operation with decoding as a part of its work. Its inputs are
// encodings, which no use changes, so every use finds them fresh.
func (in Instance) decoding() Instance {
	decodes := in
	decodes.Work = func() ([]byte, error) {
		decoded, err := in.Decode()
		if err != nil {
			return nil, err
		}
		return decoded.Work()
	}
	decodes.Fresh = func() (Instance, error) { return decodes, nil }
	decodes.Reads = nil
	return decodes
}

// pure is the operation as package metric knows it.
func (in Instance) pure() metric.Instance {
	return metric.Instance{Work: in.Work, Check: in.Check, Inputs: in.Inputs, Reads: in.Reads}
}

// Metric is a figure beside the time.
type Metric struct {
	Value float64
	Unit  string
}

// try does the work once, untimed, and checks what it made and that its inputs
// are what they were.
func (in Instance) try() ([]Metric, error) {
	out, err := in.pure().Try()
	if err != nil || in.Exact == nil {
		return nil, err
	}
	return in.Exact(out), nil
}
