package grouptest

import (
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/internal/rep"
)

// AddCurvePoints returns p + q, exactly.
func AddCurvePoints(g group.Curve, p, q group.CurvePoint) group.CurvePoint {
	return group.OnCurve(g.AddPoints(*rep.Coordinates(&p), *rep.Coordinates(&q)))
}
