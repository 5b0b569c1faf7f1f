package ps18 // counts_test.go verifies over these groups

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/count/zn"
	"github.com/zkatbench/zkatbench/scheme/ps18/curve"
)

// counting is a curve.Curve over groups of integers, which are not secure. Elements
// are expressions that are evaluated when their value is needed, and keep the
// powers that were precomputed of them.
type counting struct {
	curve.Curve // nil: what one verification does not need
	groups      zn.Bilinear
}

// integers returns the groups of count/zn of the order of BN254. They count the
// operations inside scalar multiplications in bucket.
func integers(t testing.TB, method zn.Method, bucket count.Bucket) curve.Curve {
	groups, err := zn.NewInsecureBilinear(fr.Modulus(), zn.Same(method, 4), bucket)
	require.NoError(t, err)
	return &counting{groups: groups}
}

func (c *counting) in1(p curve.G1) *zn.Element { return p.Point.(*zn.Element) }
func (c *counting) in2(q curve.G2) *zn.Element { return q.Point.(*zn.Element) }

func (c *counting) Order() *big.Int { return c.groups.G1.Order() }

func (c *counting) MulScalars(a, b *big.Int) *big.Int {
	p := new(big.Int).Mul(a, b)
	return p.Mod(p, c.Order())
}

func (c *counting) GenG1() curve.G1 { return curve.G1{Point: c.groups.G1.Value(big.NewInt(1))} }
func (c *counting) GenG2() curve.G2 { return curve.G2{Point: c.groups.G2.Value(big.NewInt(1))} }

func (c *counting) MulG1(p curve.G1, k *big.Int) curve.G1 { return curve.G1{Point: c.in1(p).Pow(k)} }
func (c *counting) NegG1(p curve.G1) curve.G1             { return curve.G1{Point: c.in1(p).Inv()} }
func (c *counting) IsZeroG1(p curve.G1) bool {
	return c.groups.G1.Equal(c.in1(p), c.groups.G1.Neutral())
}

func (c *counting) MulG2(q curve.G2, k *big.Int) curve.G2 { return curve.G2{Point: c.in2(q).Pow(k)} }
func (c *counting) AddG2(p, q curve.G2) curve.G2          { return curve.G2{Point: c.in2(p).Mul(c.in2(q))} }
func (c *counting) IsZeroG2(q curve.G2) bool {
	return c.EqualG2(q, curve.G2{Point: c.groups.G2.Neutral()})
}
func (c *counting) EqualG2(p, q curve.G2) bool { return c.groups.G2.Equal(c.in2(p), c.in2(q)) }

// MSMG2 is an expression, so that it is one sum with everything added to it.
func (c *counting) MSMG2(qs []curve.G2, ks []*big.Int) curve.G2 {
	sum := c.in2(qs[0]).Pow(ks[0])
	for i, q := range qs[1:] {
		sum = sum.Mul(c.in2(q).Pow(ks[i+1]))
	}
	return curve.G2{Point: sum}
}

func (c *counting) Pair(p curve.G1, q curve.G2) curve.GT {
	return curve.GT{Value: c.groups.Product([]*zn.Element{c.in1(p)}, []*zn.Element{c.in2(q)})}
}

func (c *counting) EqualGT(a, b curve.GT) bool {
	return c.groups.GT.Equal(a.Value.(*zn.Element), b.Value.(*zn.Element))
}

func (c *counting) PairingIsOne(ps []curve.G1, qs []curve.G2) bool {
	as, bs := make([]*zn.Element, len(ps)), make([]*zn.Element, len(qs))
	for i := range ps {
		as[i], bs[i] = c.in1(ps[i]), c.in2(qs[i])
	}
	return c.groups.GT.Equal(c.groups.Product(as, bs), c.groups.GT.Neutral())
}

func (c *counting) LenG1() int { return (c.Order().BitLen() + 7) / 8 }
func (c *counting) LenG2() int { return c.LenG1() }

func (c *counting) AppendG1(b []byte, p curve.G1) []byte {
	return append(b, c.groups.G1.Encode(c.in1(p))...)
}
func (c *counting) AppendG2(b []byte, q curve.G2) []byte {
	return append(b, c.groups.G2.Encode(c.in2(q))...)
}

func (c *counting) DecodeG1(b []byte) (curve.G1, error) {
	e, err := decodedInteger(c.groups.G1, b)
	return curve.G1{Point: e}, err
}

func (c *counting) DecodeG2(b []byte) (curve.G2, error) {
	e, err := decodedInteger(c.groups.G2, b)
	return curve.G2{Point: e}, err
}

// decodedInteger reads an element of a group, nil with an error.
func decodedInteger(g *zn.Group, b []byte) (any, error) {
	e, err := g.Decode(b)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", curve.ErrEncoding, err)
	}
	return e, nil
}

func (c *counting) Phase(name string) curve.Curve { return &counting{groups: c.groups.Phase(name)} }
