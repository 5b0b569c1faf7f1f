package suite

import (
	"crypto/rand"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
)

// yardstick is one multiplication of a point by a full-length scalar,
// independent of the backend of the case: the GLV multiplication of
// gnark-crypto if it supports the curve, and otherwise the only available one.
func yardstick(c bench.Case) (bench.Yardstick, error) {
	y := bench.Yardstick{Unit: "eq-mul/op"}
	g, err := curves.ByName(Curve.Of(c))
	if err != nil {
		return y, err
	}
	if native, ok := g.(interface{ Yardstick() func() }); ok {
		y.Work = native.Yardstick()
		return y, nil
	}
	var s [1]group.Scalar
	err = group.Sample(g, rand.Reader, s[:])
	y.Work = func() { g.MulPoint(g.Generator(), s[0]) }
	return y, err
}
