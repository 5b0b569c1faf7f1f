package curve

import (
	"math/big"

	"github.com/zkatbench/zkatbench/count"
)

// The names of the groups in events. G1 is unnamed.
const (
	nameG2 = "G2"
	nameGT = "GT"
)

// counted counts the calls to a Curve, which belong to a step. The calls of a phase belong
// to the step below it with the name of the phase.
type counted struct {
	Curve
	bucket count.Bucket
	steps  count.Steps
}

// countedGroup returns c with its calls counted in bucket. Results are unchanged.
func countedGroup(c Curve, bucket count.Bucket) Curve { return &counted{c, bucket, count.NoSteps{}} }

// Steps returns c with its calls as part of a step.
func Steps(c Curve, step count.Steps) Curve { return &counted{c, count.Bucket{}, step} }

func (c *counted) count(group string, op count.Op, size int) {
	c.bucket.Count(count.Event{Group: group, Op: op, Size: size}, 1)
}

// begin enters the step; the caller must call Leave on the result.
func (c *counted) begin() count.Steps {
	c.steps.Begin()
	return c.steps
}

// enter counts a call and enters the step.
func (c *counted) enter(group string, op count.Op, size int) count.Steps {
	c.count(group, op, size)
	return c.begin()
}

func (c *counted) MulScalars(a, b *big.Int) *big.Int {
	c.count("", count.FieldMul, 1)
	return c.Curve.MulScalars(a, b)
}

func (c *counted) MulG1(p G1, k *big.Int) G1 {
	defer c.enter("", count.ScalarMul, 1).Leave()
	return c.Curve.MulG1(p, k)
}

func (c *counted) NegG1(p G1) G1 {
	defer c.enter("", count.Neg, 1).Leave()
	return c.Curve.NegG1(p)
}

func (c *counted) SumsG1(ps []G1, ks ...[]*big.Int) []G1 {
	for range ks {
		c.count("", count.MSM, len(ps))
	}
	defer c.begin().Leave()
	return c.Curve.SumsG1(ps, ks...)
}

func (c *counted) MulG2(q G2, k *big.Int) G2 {
	defer c.enter(nameG2, count.ScalarMul, 1).Leave()
	return c.Curve.MulG2(q, k)
}

func (c *counted) AddG2(p, q G2) G2 {
	defer c.enter(nameG2, count.Add, 1).Leave()
	return c.Curve.AddG2(p, q)
}

func (c *counted) MSMG2(qs []G2, ks []*big.Int) G2 {
	defer c.enter(nameG2, count.MSM, len(qs)).Leave()
	return c.Curve.MSMG2(qs, ks)
}

func (c *counted) PrepareG2(q G2) G2 {
	defer c.begin().Leave()
	return c.Curve.PrepareG2(q)
}

func (c *counted) Pair(p G1, q G2) GT {
	c.count(nameGT, count.Pairing, 1)
	defer c.enter(nameGT, count.FinalExp, 1).Leave()
	return c.Curve.Pair(p, q)
}

func (c *counted) PairingIsOne(ps []G1, qs []G2) bool {
	c.count(nameGT, count.Pairing, len(ps))
	defer c.enter(nameGT, count.FinalExp, 1).Leave()
	return c.Curve.PairingIsOne(ps, qs)
}

func (c *counted) AppendG1(b []byte, p G1) []byte {
	c.count("", count.Encode, 1)
	return c.Curve.AppendG1(b, p)
}

func (c *counted) AppendG2(b []byte, q G2) []byte {
	c.count(nameG2, count.Encode, 1)
	return c.Curve.AppendG2(b, q)
}

func (c *counted) DecodeG1(b []byte) (G1, error) {
	defer c.enter("", count.Decode, 1).Leave()
	return c.Curve.DecodeG1(b)
}

func (c *counted) DecodeG2(b []byte) (G2, error) {
	defer c.enter(nameG2, count.Decode, 1).Leave()
	return c.Curve.DecodeG2(b)
}

func (c *counted) Phase(name string) Curve {
	return &counted{c.Curve.Phase(name), c.bucket.Sub(name), c.steps.Step(name)}
}
