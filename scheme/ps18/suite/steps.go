package suite

import (
	"math/big"

	"github.com/zkatbench/zkatbench/bench/step"
	"github.com/zkatbench/zkatbench/scheme/ps18/curve"
)

// stepped is a curve whose calls belong to a step; those of a phase belong to the
// step below it with the name of the phase.
type stepped struct {
	curve.Curve
	step *step.Recorder
}

func (s stepped) Phase(name string) curve.Curve {
	return stepped{s.Curve.Phase(name), s.step.Step(name)}
}

// enter enters the step; the caller must call Leave on the result.
func (s stepped) enter() *step.Recorder {
	s.step.Begin()
	return s.step
}

func (s stepped) MulG1(p curve.G1, k *big.Int) curve.G1 {
	defer s.enter().Leave()
	return s.Curve.MulG1(p, k)
}

func (s stepped) NegG1(p curve.G1) curve.G1 {
	defer s.enter().Leave()
	return s.Curve.NegG1(p)
}

func (s stepped) SumsG1(ps []curve.G1, ks ...[]*big.Int) []curve.G1 {
	defer s.enter().Leave()
	return s.Curve.SumsG1(ps, ks...)
}

func (s stepped) MulG2(q curve.G2, k *big.Int) curve.G2 {
	defer s.enter().Leave()
	return s.Curve.MulG2(q, k)
}

func (s stepped) AddG2(p, q curve.G2) curve.G2 {
	defer s.enter().Leave()
	return s.Curve.AddG2(p, q)
}

func (s stepped) MSMG2(qs []curve.G2, ks []*big.Int) curve.G2 {
	defer s.enter().Leave()
	return s.Curve.MSMG2(qs, ks)
}

func (s stepped) PrepareG2(q curve.G2) curve.G2 {
	defer s.enter().Leave()
	return s.Curve.PrepareG2(q)
}

func (s stepped) Pair(p curve.G1, q curve.G2) curve.GT {
	defer s.enter().Leave()
	return s.Curve.Pair(p, q)
}

func (s stepped) PairingIsOne(ps []curve.G1, qs []curve.G2) bool {
	defer s.enter().Leave()
	return s.Curve.PairingIsOne(ps, qs)
}

func (s stepped) DecodeG1(b []byte) (curve.G1, error) {
	defer s.enter().Leave()
	return s.Curve.DecodeG1(b)
}

func (s stepped) DecodeG2(b []byte) (curve.G2, error) {
	defer s.enter().Leave()
	return s.Curve.DecodeG2(b)
}
