package curves

import (
	"fmt"
	"slices"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/mathlib"
)

// Yardstick returns the multiplication of a point in G1 of a curve by a
// full-length scalar, independent of the measured backend: the GLV
// multiplication of gnark-crypto if it supports the curve, and otherwise
// mathlib's. name is the name of any curve of mathlib.
func Yardstick(name string) (work func(), err error) {
	id := slices.Index(mathlib.Names, name)
	if id < 0 {
		return nil, fmt.Errorf("%q %w", name, group.ErrUnknownCurve)
	}
	if e := find(id); e.native != nil {
		return e.native.Yardstick(), nil
	}
	g, err := onMathlib[id]()
	if err != nil {
		return nil, err
	}
	return g.Yardstick(), nil
}
