package curves

import (
	"crypto/rand"
	"fmt"
	"slices"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/mathlib"
)

// Yardstick returns the multiplication of a point in G1 of a curve by a
// full-length scalar, independent of the measured backend: the GLV
// multiplication of gnark-crypto if it supports the curve, and otherwise the
// only available one. name is the name of any curve of mathlib.
func Yardstick(name string) (work func(), err error) {
	id := slices.Index(mathlib.Names, name)
	if id < 0 {
		return nil, fmt.Errorf("%q %w", name, group.ErrUnknownCurve)
	}
	g, err := ByID(id)
	if err != nil {
		return nil, err
	}
	if native, ok := g.(interface{ Yardstick() func() }); ok {
		return native.Yardstick(), nil
	}
	var s [1]group.Scalar
	err = group.Sample(g, rand.Reader, s[:])
	return func() { g.MulPoint(g.Generator(), s[0]) }, err
}
