// Package curves finds a Group by its name or identifier. It is the only place
// that knows every backend.
package curves

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/lead254"
	"github.com/zkatbench/zkatbench/token/crypto/group/lead381"
	"github.com/zkatbench/zkatbench/token/crypto/group/mathlib"
)

// Names are the curves that flags and configurations may name. Files may also
// hold the other curves of mathlib, which ByID knows.
var Names = []string{
	"BN254", "BLS12_381_BBS_GURVY", "BLS12_381_BBS_GURVY_FAST_RNG",
	"BLS12_381_BBS", "FP256BN_AMCL", "FP256BN_AMCL_MIRACL",
}

// Backends are the implementations that Find can be asked for: "native" is the
// fastest one of a curve, "mathlib" the one on IBM/mathlib.
var Backends = []string{"native", "mathlib"}

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
	id := slices.Index(mathlib.Names, name)
	if backend == "native" {
		return ByID(id)
	}
	return onMathlib[id]()
}

// ByID returns the fastest Group of the curve with identifier id on the wire.
// Every call returns the same value.
func ByID(id int) (group.Group, error) {
	if id < 0 || id >= len(fastest) {
		return nil, fmt.Errorf("curve %d %w", id, group.ErrUnknownCurve)
	}
	return fastest[id]()
}

// onMathlib makes each curve once, when it is first asked for.
var onMathlib = each(func(id int) (group.Group, error) { return mathlib.New(id) })

// fastest is the native backend of a curve where there is one.
var fastest = each(func(id int) (group.Group, error) {
	name := mathlib.Names[id]
	switch {
	case name == "BN254":
		return lead254.New(), nil
	case strings.HasPrefix(name, "BLS12_381"):
		// All of these are one curve with one encoding; they differ in how
		// they hash to it, which is not worth a second implementation.
		m, err := onMathlib[id]()
		if err != nil {
			return nil, err
		}
		hash := func(msg []byte) []byte { return m.AppendPoint(nil, m.HashToPoint(msg)) }
		return lead381.New(name, id, hash), nil
	}
	return onMathlib[id]()
})

// each returns, for every identifier, make called at most once.
func each(create func(id int) (group.Group, error)) (makers []func() (group.Group, error)) {
	for id := range mathlib.Names {
		makers = append(makers, sync.OnceValues(func() (group.Group, error) { return create(id) }))
	}
	return makers
}
