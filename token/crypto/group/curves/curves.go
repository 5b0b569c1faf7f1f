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

// Names are the curves for flags and configurations. Files may also contain the
// other curves of mathlib, which ByID supports.
var Names = []string{
	"BN254", "BLS12_381_BBS_GURVY", "BLS12_381_BBS_GURVY_FAST_RNG",
	"BLS12_381_BBS", "FP256BN_AMCL", "FP256BN_AMCL_MIRACL",
}

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
	id := slices.Index(mathlib.Names, name)
	switch {
	case backend == "native":
		return ByID(id)
	case backend == "portable" && portable[id] != nil:
		return portable[id], nil
	}
	return onMathlib[id]()
}

// ByID returns the fastest Group of the curve with identifier id on the wire.
// Every call returns the same value.
func ByID(id int) (group.Group, error) {
	if id < 0 || id >= len(onMathlib) {
		return nil, fmt.Errorf("curve %d %w", id, group.ErrUnknownCurve)
	}
	if native[id] != nil {
		return native[id], nil
	}
	return onMathlib[id]()
}

// native holds the groups with a native backend, by identifier.
var native = map[int]group.Group{
	1: bn254.New(),
	3: bls12381.New(3),
	5: bls12381.New(5),
	6: bls12381.New(6),
	7: bls12381.New(7),
	8: bls12381.New(8),
}

// portable holds the same groups with the portable kernel.
var portable = map[int]group.Group{
	1: bn254.New().Portable(),
	3: bls12381.New(3).Portable(),
	5: bls12381.New(5).Portable(),
	6: bls12381.New(6).Portable(),
	7: bls12381.New(7).Portable(),
	8: bls12381.New(8).Portable(),
}

// onMathlib makes each curve once, on first use.
var onMathlib = func() []func() (group.Group, error) {
	makers := make([]func() (group.Group, error), len(mathlib.Names))
	for id := range makers {
		makers[id] = sync.OnceValues(func() (group.Group, error) { return mathlib.New(id) })
	}
	return makers
}()
