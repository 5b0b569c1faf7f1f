package suite

import (
	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
)

// yardstick is one multiplication of a point by a full-length scalar,
// independent of the backend of the case: the GLV multiplication of
// gnark-crypto if it supports the curve, and otherwise the only available one.
func yardstick(c bench.Case) (bench.Yardstick, error) {
	work, err := curves.Yardstick(Curve.Of(c))
	return bench.Yardstick{Unit: "eq-mul/op", Work: work}, err
}
