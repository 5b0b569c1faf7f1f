// Package curves finds a Group by its name or identifier. It is the only
// package that imports every backend.
package curves

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/bls12381"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
	"github.com/zkatbench/zkatbench/token/crypto/group/mathlib"
)

// entry is one curve.
type entry struct {
	id     int  // on the wire, which is its place in mathlib.Names
	listed bool // in Names
	// native and portable are the native backend and the same with the portable
	// kernel; nil if only mathlib has the curve.
	native, portable timed
}

// timed is a Group with an operation of well-known cost.
type timed interface {
	group.Group
	// Yardstick returns a multiplication of a point by a full-length scalar.
	Yardstick() func()
}

// registry has every curve; listed ones come in the order of Names.
var registry = []entry{
	{id: 1, listed: true, native: bn254.New(), portable: bn254.New().Portable()},
	{id: 7, listed: true, native: bls12381.New(7), portable: bls12381.New(7).Portable()},
	{id: 8, listed: true, native: bls12381.New(8), portable: bls12381.New(8).Portable()},
	{id: 6, listed: true, native: bls12381.New(6), portable: bls12381.New(6).Portable()},
	{id: 0, listed: true},
	{id: 2, listed: true},
	{id: 3, native: bls12381.New(3), portable: bls12381.New(3).Portable()},
	{id: 5, native: bls12381.New(5), portable: bls12381.New(5).Portable()},
	{id: 4},
}

// Names are the curves for flags and configurations. Files may also contain the
// other curves of mathlib, which ByID supports.
var Names = func() (names []string) {
	for _, e := range registry {
		if e.listed {
			names = append(names, mathlib.Names[e.id])
		}
	}
	return names
}()

// Backends are the implementations accepted by Find: "native" is the fastest
// one of a curve on this processor, "portable" the same without our vector
// kernels, "mathlib" the one on IBM/mathlib.
var Backends = []string{"native", "portable", "mathlib"}

// ByName returns the fastest Group of the curve called name, one of Names.
func ByName(name string) (group.Group, error) { return Find(name, "native") }

// Find returns the Group of the curve called name, one of Names, on backend,
// one of Backends. A curve without a native backend has only the mathlib one.
func Find(name, backend string) (group.Group, error) {
	if !slices.Contains(Names, name) {
		return nil, fmt.Errorf("%q %w: not one of %s", name, group.ErrUnknownCurve, strings.Join(Names, ", "))
	}
	if !slices.Contains(Backends, backend) {
		return nil, fmt.Errorf("backend %q is not one of %s", backend, strings.Join(Backends, ", "))
	}
	e := find(slices.Index(mathlib.Names, name))
	switch {
	case backend == "native":
		return ByID(e.id)
	case backend == "portable" && e.portable != nil:
		return e.portable, nil
	}
	return onMathlib[e.id]()
}

// ByID returns the fastest Group of the curve with identifier id on the wire.
// Every call returns the same value.
func ByID(id int) (group.Group, error) {
	e := find(id)
	switch {
	case e == nil:
		return nil, fmt.Errorf("curve %d %w", id, group.ErrUnknownCurve)
	case e.native != nil:
		return e.native, nil
	}
	return onMathlib[id]()
}

// find returns the curve with an identifier, or nil.
func find(id int) *entry {
	i := slices.IndexFunc(registry, func(e entry) bool { return e.id == id })
	if i < 0 {
		return nil
	}
	return &registry[i]
}

// onMathlib makes each curve once, on first use.
var onMathlib = func() []func() (timed, error) {
	makers := make([]func() (timed, error), len(mathlib.Names))
	for id := range makers {
		makers[id] = sync.OnceValues(func() (timed, error) { return mathlib.New(id) })
	}
	return makers
}()
