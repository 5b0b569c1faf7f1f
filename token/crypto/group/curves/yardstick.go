package curves

import (
	"crypto/rand"
	"fmt"
	"slices"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/mathlib"
)

// Yardstick returns the multiplication of a point in G1 of a curve by a scalar of
// full length, whatever the measured backend: the GLV multiplication of
// gnark-crypto where that has the curve, and else the only one there is. name is
// that of any curve of mathlib.
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
