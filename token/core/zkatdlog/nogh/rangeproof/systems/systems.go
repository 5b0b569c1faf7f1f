// Package systems is the list of range-proof systems of the v1 format.
package systems

import (
	"slices"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/bulletproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/csp"
)

// All are the systems in the order of their variants on the wire. Provers prefer
// the last one that their parameters have.
var All = []rangeproof.Family{
	bulletproof.Family,
	csp.Family,
}

// Find returns the system of a kind.
func Find(kind rangeproof.Kind) (f rangeproof.Family, found bool) {
	i := slices.IndexFunc(All, func(f rangeproof.Family) bool { return f.Kind == kind })
	if i < 0 {
		return f, false
	}
	return All[i], true
}

// Sound reports whether proofs of a kind hold against a malicious prover. An
// unknown kind is not sound.
func Sound(kind rangeproof.Kind) bool {
	f, _ := Find(kind)
	return f.Sound
}

// Names lists the kinds as flags name them.
func Names() (names []string) {
	for _, f := range All {
		names = append(names, string(f.Kind))
	}
	return names
}
