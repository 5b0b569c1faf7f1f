package suite

import (
	"context"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/count/cost"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/group/unitcost"
)

// costs measures the unit costs of the group of a case.
var costs = &bench.UnitCosts{
	Axes:    bench.Axes(Curve, backend),
	Key:     func(c bench.Case) string { return Curve.Of(c) + "/" + backend.Of(c) },
	Measure: measureCosts,
}

// measureCosts also measures tables of the sizes used by the parameters: the
// three generators of commitments, and 6 + 2n of range proofs with n bits.
func measureCosts(ctx context.Context, c bench.Case, o cost.Options) (*cost.Costs, error) {
	g, err := curves.Find(Curve.Of(c), backend.Of(c))
	if err != nil {
		return nil, err
	}
	tables := []unitcost.TableSize{{Points: 3, Budget: 2 << 20}}
	for _, bits := range []int{16, 32, 64} {
		tables = append(tables, unitcost.TableSize{Points: 6 + 2*bits})
	}
	return unitcost.Measure(ctx, g, tables, o)
}
