package suite

import (
	"context"
	"math/big"
	"math/rand/v2"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/count/cost"
	"github.com/zkatbench/zkatbench/scheme/ps18/curve"
)

// costs measures the unit costs of a curve.
var costs = &bench.UnitCosts{
	Axes:    bench.Axes(curveName, backend),
	Key:     func(c bench.Case) string { return "ps18/" + curveName.Of(c) + "/" + backend.Of(c) },
	Measure: measureCosts,
}

// operands differ in each measured call.
type operands struct {
	curve.Curve
	ks []*big.Int
	ps []curve.G1
	qs []curve.G2
	at int
}

// operandCount is the number of operands of each kind, more than a call has.
const operandCount = 128

func newOperands(c curve.Curve) *operands {
	o := &operands{Curve: c}
	rng := rand.New(rand.NewPCG(1, 2))
	for range operandCount {
		b := make([]byte, 48)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		k := new(big.Int).SetBytes(b)
		o.ks = append(o.ks, k.Mod(k, c.Order()))
		o.ps = append(o.ps, c.MulG1(c.GenG1(), k))
		o.qs = append(o.qs, c.MulG2(c.GenG2(), k))
	}
	return o
}

// next returns where n operands begin.
func (o *operands) next(n int) int {
	if o.at+n > operandCount {
		o.at = 0
	}
	o.at += n
	return o.at - n
}

func (o *operands) k(i int) *big.Int { return o.ks[(i+7)%operandCount] }

// measureCosts measures the time of each counted operation on the curve of c. The list of
// operations is the table that makes it long.
func measureCosts(ctx context.Context, c bench.Case, options cost.Options) (*cost.Costs, error) {
	on, err := curve.Find(curveName.Of(c), backend.Of(c))
	if err != nil {
		return nil, err
	}
	o := newOperands(on)
	encoded1, encoded2 := on.AppendG1(nil, o.ps[0]), on.AppendG2(nil, o.qs[0])
	var meter cost.Meter
	measured := &cost.Costs{Ops: map[string]cost.Curve{}, Inside: map[string]cost.Curve{}}
	plan := func(group string, op count.Op, sizes []int, call func(i, n int)) {
		measured.Ops[cost.Name(group, op)] = meter.Curve(sizes, func(n int) func() {
			return func() { call(o.next(n), n) }
		})
	}
	one := []int{1}
	plan("", count.ScalarMul, one, func(i, _ int) { o.MulG1(o.ps[i], o.k(i)) })
	plan("", count.Neg, one, func(i, _ int) { o.NegG1(o.ps[i]) })
	plan("", count.MSM, []int{1, 16, 64}, func(i, n int) { o.SumsG1(o.ps[i:i+n], o.ks[i:i+n]) })
	plan("", count.Encode, one, func(i, _ int) { o.AppendG1(nil, o.ps[i]) })
	plan("", count.Decode, one, func(int, int) { _, err = o.DecodeG1(encoded1) })
	plan("", count.FieldMul, one, func(i, _ int) { o.MulScalars(o.ks[i], o.k(i)) })
	plan("G2", count.Add, one, func(i, _ int) { o.AddG2(o.qs[i], o.qs[(i+1)%operandCount]) })
	plan("G2", count.ScalarMul, one, func(i, _ int) { o.MulG2(o.qs[i], o.k(i)) })
	plan("G2", count.MSM, []int{2, 3, 6, 11}, func(i, n int) { o.MSMG2(o.qs[i:i+n], o.ks[i:i+n]) })
	plan("G2", count.Encode, one, func(i, _ int) { o.AppendG2(nil, o.qs[i]) })
	plan("G2", count.Decode, one, func(int, int) { _, err = o.DecodeG2(encoded2) })
	plan("GT", count.Pairing, []int{1, 2, 4, 13}, func(i, n int) { o.PairingIsOne(o.ps[i:i+n], o.qs[i:i+n]) })
	if runErr := meter.Run(ctx, options); runErr != nil {
		return nil, runErr
	}
	// The curve lacks a final exponentiation alone: it is the part of a product
	// of pairings that does not grow with their number.
	loops := measured.Ops[cost.Name("GT", count.Pairing)]
	finalExp := max(2*loops[0].NS-loops[1].NS, 0)
	for i := range loops {
		loops[i].NS -= finalExp
	}
	measured.Ops[cost.Name("GT", count.FinalExp)] = cost.Curve{{Size: 1, NS: finalExp}}
	measured.Spread = meter.Spread()
	return measured, err
}
