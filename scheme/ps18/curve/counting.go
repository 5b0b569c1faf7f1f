package curve

import (
	"fmt"
	"math/big"

	"github.com/consensys/gnark-crypto/ecc/bn254/fr"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/count/zn"
)

// counting is a Curve over groups of integers, which are not secure. Elements
// are expressions that are evaluated when their value is needed, and keep the
// powers that were precomputed of them.
type counting struct{ groups zn.Bilinear }

// InsecureCounting returns the groups of count/zn of the order of BN254 as a
// Curve. It counts the operations inside scalar multiplications in bucket, by
// the given algorithms.
func InsecureCounting(algorithms zn.Algorithms, bucket count.Bucket) (Curve, error) {
	groups, err := zn.NewInsecureBilinear(fr.Modulus(), algorithms, bucket)
	return &counting{groups}, err
}

func (c *counting) in1(p G1) *zn.Element { return p.point.(*zn.Element) }
func (c *counting) in2(q G2) *zn.Element { return q.point.(*zn.Element) }

func (c *counting) Name() string    { return "zn" }
func (c *counting) Order() *big.Int { return c.groups.G1.Order() }

func (c *counting) MulScalars(a, b *big.Int) *big.Int { return mulMod(a, b, c.Order()) }

func (c *counting) GenG1() G1 { return G1{c.groups.G1.Value(big.NewInt(1))} }
func (c *counting) GenG2() G2 { return G2{c.groups.G2.Value(big.NewInt(1))} }

func (c *counting) MulG1(p G1, k *big.Int) G1 { return G1{c.in1(p).Pow(k)} }
func (c *counting) NegG1(p G1) G1             { return G1{c.in1(p).Inv()} }
func (c *counting) IsZeroG1(p G1) bool        { return c.groups.G1.Equal(c.in1(p), c.groups.G1.Neutral()) }

func (c *counting) SumsG1(ps []G1, ks ...[]*big.Int) []G1 {
	sums := make([]G1, len(ks))
	for j, row := range ks {
		sum := c.in1(ps[0]).Pow(row[0])
		for i, p := range ps[1:] {
			sum = sum.Mul(c.in1(p).Pow(row[i+1]))
		}
		sums[j] = G1{sum}
	}
	return sums
}

func (c *counting) MulG2(q G2, k *big.Int) G2 { return G2{c.in2(q).Pow(k)} }
func (c *counting) AddG2(p, q G2) G2          { return G2{c.in2(p).Mul(c.in2(q))} }
func (c *counting) IsZeroG2(q G2) bool        { return c.EqualG2(q, G2{c.groups.G2.Neutral()}) }
func (c *counting) EqualG2(p, q G2) bool      { return c.groups.G2.Equal(c.in2(p), c.in2(q)) }

// MSMG2 is an expression, so that it is one sum with everything added to it.
func (c *counting) MSMG2(qs []G2, ks []*big.Int) G2 {
	sum := c.in2(qs[0]).Pow(ks[0])
	for i, q := range qs[1:] {
		sum = sum.Mul(c.in2(q).Pow(ks[i+1]))
	}
	return G2{sum}
}

func (c *counting) PrepareG2(q G2) G2 { return G2{c.groups.G2.Precompute(c.in2(q))} }

func (c *counting) Pair(p G1, q G2) GT { return GT{c.groups.Pair(c.in1(p), c.in2(q))} }

func (c *counting) EqualGT(a, b GT) bool {
	return c.groups.GT.Equal(a.value.(*zn.Element), b.value.(*zn.Element))
}

func (c *counting) PairingIsOne(ps []G1, qs []G2) bool {
	as, bs := make([]*zn.Element, len(ps)), make([]*zn.Element, len(qs))
	for i := range ps {
		as[i], bs[i] = c.in1(ps[i]), c.in2(qs[i])
	}
	return c.groups.GT.Equal(c.groups.Product(as, bs), c.groups.GT.Neutral())
}

func (c *counting) LenG1() int { return (c.Order().BitLen() + 7) / 8 }
func (c *counting) LenG2() int { return c.LenG1() }

func (c *counting) AppendG1(b []byte, p G1) []byte { return append(b, c.groups.G1.Encode(c.in1(p))...) }
func (c *counting) AppendG2(b []byte, q G2) []byte { return append(b, c.groups.G2.Encode(c.in2(q))...) }

func (c *counting) DecodeG1(b []byte) (G1, error) {
	e, err := decodedInteger(c.groups.G1, b)
	return G1{e}, err
}

func (c *counting) DecodeG2(b []byte) (G2, error) {
	e, err := decodedInteger(c.groups.G2, b)
	return G2{e}, err
}

// decodedInteger reads an element of a group, nil with an error.
func decodedInteger(g *zn.Group, b []byte) (any, error) {
	e, err := g.Decode(b)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrEncoding, err)
	}
	return e, nil
}

func (c *counting) Phase(name string) Curve { return &counting{c.groups.Phase(name)} }
