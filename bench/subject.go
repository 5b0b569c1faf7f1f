package bench

import (
	"fmt"
	"os"
	"slices"
)

// Subject is a system under measurement. Its package suite declares it as a
// value; the test helpers of package benchtest and every command of zkatbench
// work from that value alone.
//
// To add a subject: declare its axes and operations, make a Subject of them,
// drive the operations from a test package with benchtest.New, and add a line to
// cmd/zkatbench/subjects.go. docs/own-scheme.md shows a complete example.
type Subject struct {
	// Name is the subject's name in lists, "token".
	Name string
	// Summary describes the subject in one line.
	Summary string
	// Package is the import path of the test package with the subject's
	// benchmarks, relative to the module: "./scheme/ps18/suite".
	Package string
	// Axes are the parameters of the matrix in the order of names, without
	// the axes that all subjects share.
	Axes []Param
	// Ops are all operations.
	Ops []Op
	// Header describes the results of a selection; nil for an empty one.
	Header func(*Selection) Header
}

// The prefixes of error messages and of environment twins.
const (
	program   = "zkatbench"
	envPrefix = "ZKAT_"
)

// shared are the axes that every subject has. They follow the subject's own, so
// that "/workers=10" ends a name.
var shared = Axes(SetupSamples, InputUse, Purity, Duration, Profile, WorkerCounts)

// Options returns all flags of the subject: its axes and the shared ones.
func (s Subject) Options() Set {
	return Set{Program: program, Env: envPrefix, Axes: slices.Concat(s.Axes, shared)}
}

// Matrix returns a set of flags for a command: the command's own, which no name
// shows, and the subject's axes.
func (s Subject) Matrix(own ...Param) Set {
	return Set{Program: program, Env: envPrefix, Axes: slices.Concat(own, s.Axes)}
}

// Op returns the operation called name.
func (s Subject) Op(name string) (Op, error) {
	i := slices.IndexFunc(s.Ops, func(op Op) bool { return op.Name == name })
	if i < 0 {
		return Op{}, fmt.Errorf("%q is not an operation of %s", name, s.Name)
	}
	return s.Ops[i], nil
}

// Flags lists the flags of the axes on which op depends.
func (s Subject) Flags(op Op) (flags []string) {
	for _, a := range s.Axes {
		if !slices.Contains(op.Without, a) && a.info().show != Never {
			flags = append(flags, a.info().flag)
		}
	}
	return flags
}

// PackageOf returns the import path of the test package with the benchmark of
// op, relative to the module.
func (s Subject) PackageOf(op Op) string {
	if op.Package != "" {
		return op.Package
	}
	return s.Package
}

// header is the header of the results of a selection.
func (s Subject) header(sel *Selection) Header {
	if s.Header == nil {
		return Header{}
	}
	return s.Header(sel)
}

// Suite drives the operations of the subject over a selection. Results go to
// standard output.
func (s Subject) Suite(sel *Selection) *Suite {
	return &Suite{Selection: sel, Header: s.header(sel), Out: os.Stdout, Err: os.Stderr}
}
