package bench

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/zkatbench/zkatbench/bench/metric"
	"github.com/zkatbench/zkatbench/bench/step"
	"github.com/zkatbench/zkatbench/count"
)

// Op is a measured operation, declared once and driven in several ways.
type Op struct {
	Name string
	Also string // a second name of its benchmarks
	// Package is the import path of the test package with the operation's
	// benchmark, relative to the module, if it is not the subject's.
	Package string
	// OnRequest excludes the operation from runs of all operations of its
	// subject; it must be named.
	OnRequest bool
	// Without lists axes that the operation does not depend on. They neither
	// multiply its matrix nor appear in its names.
	Without []Param
	// Setup prepares an environment for one case. It is never timed. If possible, equal
	// seeds give equal environments, and different seeds different ones.
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
		return in,
			fmt.Errorf("-%s: %q is not possible for %s, which decodes no inputs before its work",
				InputUse.Flag, DecodeInputs, op.Name)
	}
	return in.Decoding(), nil
}

// Tools observe the inside of an operation. The zero value is inactive.
type Tools struct {
	// Counts receives the operations of the algebra by phase.
	Counts count.Bucket
	// Inside also counts the additions inside scalar multiplications, by a
	// textbook model of them.
	Inside bool
	// Steps is the operation's own step, below which it enters others.
	Steps *step.Recorder
	// Random replaces the source of the randomness that Work reads. Set-up does not read
	// it. If it is nil, Work reads crypto/rand.
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
	in, err = op.prepared(c, in, err)
	if err != nil {
		return nil, err
	}
	rec.Reset()
	_, err = in.Work()
	if err != nil {
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

// Shot times one operation, in wall and in processor time, in a separate environment, made from
// seed. Its inputs are encoded first, which forces work that set-up left over, and
// then used, decoded, or decoded within the time, by the input mode of the case. A
// garbage collection precedes the operation, and its result is checked.
func (op Op) Shot(c Case, seed uint64) (t ShotTime, err error) {
	in, err := op.New(c, seed)
	if err != nil {
		return t, err
	}
	if in.Inputs != nil {
		in.Inputs()
	}
	if InputUse.Of(c) == freshInputs && in.Fresh != nil {
		in, err = in.Fresh()
		if err != nil {
			return t, fmt.Errorf("%s: %w", op.Name, err)
		}
	}
	runtime.GC()
	cpu := newProcessorTime(op, c, 0)
	defer cpu.Close()
	start := time.Now()
	cpu.Start()
	out, err := in.Work()
	cpu.Stop()
	t = ShotTime{Wall: time.Since(start), CPU: cpu.Sum(), Threads: cpu.threads}
	if err == nil {
		err = in.Check(out)
	}
	if err != nil {
		return t, fmt.Errorf("%s: %w", op.Name, err)
	}
	return t, nil
}

// ShotTime is the time of an operation by both clocks of benchmarks. Threads is
// the number of threads whose processor time CPU can be, 0 for the calling one.
type ShotTime struct {
	Wall, CPU time.Duration
	Threads   int
}

// ShotSeed derives the seed of one shot of a fork from the seed of all.
func ShotSeed(seed uint64, fork, shot int) uint64 {
	var b []byte
	for _, n := range []uint64{seed, uint64(fork), uint64(shot)} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	h := sha256.Sum256(b)
	return binary.LittleEndian.Uint64(h[:])
}
