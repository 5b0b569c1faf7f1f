package curve

import (
	"bytes"
	"math/big"

	"github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
)

// bn254Native is a Curve over gnark-crypto. The file of the other curve is the same
// text with another name: go generate writes it.
type bn254Native struct {
	name  string
	order *big.Int
	gen1  bn254.G1Jac
	gen2  bn254.G2Jac
}

// newBN254Native returns the curve with a name.
func newBN254Native(name string) Curve {
	gen1, gen2, _, _ := bn254.Generators()
	return &bn254Native{name: name, order: fr.Modulus(), gen1: gen1, gen2: gen2}
}

var (
	bn254Codec1 = codec[bn254.G1Affine]{
		length:     bn254.SizeOfG1AffineCompressed,
		encode:     func(a *bn254.G1Affine) []byte { b := a.Bytes(); return b[:] },
		decode:     func(b []byte) (a bn254.G1Affine, err error) { return a, bn254Decoder(b).Decode(&a) },
		inSubgroup: (*bn254.G1Affine).IsInSubGroup,
	}
	bn254Codec2 = codec[bn254.G2Affine]{
		length:     bn254.SizeOfG2AffineCompressed,
		encode:     func(a *bn254.G2Affine) []byte { b := a.Bytes(); return b[:] },
		decode:     func(b []byte) (a bn254.G2Affine, err error) { return a, bn254Decoder(b).Decode(&a) },
		inSubgroup: (*bn254.G2Affine).IsInSubGroup,
	}
)

// bn254Decoder reads points without their subgroup check.
func bn254Decoder(b []byte) *bn254.Decoder {
	return bn254.NewDecoder(bytes.NewReader(b), bn254.NoSubgroupChecks())
}

// bn254Fixed is a point in G2, in affine coordinates too if they are known, and with
// its line coefficients if it is prepared.
type bn254Fixed struct {
	point  bn254.G2Jac
	affine *bn254.G2Affine
	lines  *bn254Lines
}

func (c *bn254Native) in1(p G1) *bn254.G1Affine { return p.Point.(*bn254.G1Affine) }

func (c *bn254Native) in2(q G2) *bn254Fixed {
	return q.Point.(*bn254Fixed)
}

func (c *bn254Native) affine2(q G2) (a bn254.G2Affine) {
	if known := c.in2(q).affine; known != nil {
		return *known
	}
	a.FromJacobian(&c.in2(q).point)
	return a
}

func (c *bn254Native) Name() string    { return c.name }
func (c *bn254Native) Order() *big.Int { return c.order }

func (c *bn254Native) MulScalars(a, b *big.Int) *big.Int {
	return mulMod(a, b, c.order)
}

func (c *bn254Native) wrap1(p bn254.G1Jac) G1 {
	a := new(bn254.G1Affine)
	a.FromJacobian(&p)
	return G1{a}
}

func (c *bn254Native) GenG1() G1 { return c.wrap1(c.gen1) }

func (c *bn254Native) MulG1(p G1, k *big.Int) G1 {
	var j bn254.G1Jac
	j.FromAffine(c.in1(p))
	return c.wrap1(*j.ScalarMultiplication(&j, k))
}

func (c *bn254Native) NegG1(p G1) G1 {
	n := new(bn254.G1Affine)
	n.Neg(c.in1(p))
	return G1{n}
}

func (c *bn254Native) IsZeroG1(p G1) bool {
	return c.in1(p).IsInfinity()
}

func (c *bn254Native) SumsG1(ps []G1, ks ...[]*big.Int) []G1 {
	points, sums := make([]bn254.G1Affine, len(ps)), make([]G1, len(ks))
	for i, p := range ps {
		points[i] = *c.in1(p)
	}
	for j, row := range ks {
		scalars := make([]fr.Element, len(row))
		for i, k := range row {
			scalars[i].SetBigInt(k)
		}
		var sum bn254.G1Jac
		sums[j] = c.wrap1(*must(sum.MultiExp(points, scalars, oneTask)))
	}
	return sums
}

func (c *bn254Native) GenG2() G2 { return c.known2(c.gen2) }

func (c *bn254Native) wrap2(q bn254.G2Jac) G2 {
	return G2{&bn254Fixed{point: q}}
}

// known2 is wrap2 for points that are used often.
func (c *bn254Native) known2(q bn254.G2Jac) G2 {
	a := new(bn254.G2Affine)
	a.FromJacobian(&q)
	return G2{&bn254Fixed{point: q, affine: a}}
}

func (c *bn254Native) MulG2(q G2, k *big.Int) G2 {
	var r bn254.G2Jac
	return c.known2(*r.ScalarMultiplication(&c.in2(q).point, k))
}

func (c *bn254Native) AddG2(p, q G2) G2 {
	sum := c.in2(p).point
	sum.AddAssign(&c.in2(q).point)
	return c.wrap2(sum)
}

func (c *bn254Native) IsZeroG2(q G2) bool {
	a := c.affine2(q)
	return a.IsInfinity()
}

func (c *bn254Native) EqualG2(p, q G2) bool {
	a, b := c.affine2(p), c.affine2(q)
	return string(bn254Codec2.encode(&a)) == string(bn254Codec2.encode(&b))
}

// MSMG2 multiplies one point after the other: MultiExp is slower for up to 11 terms.
func (c *bn254Native) MSMG2(qs []G2, ks []*big.Int) G2 {
	var sum bn254.G2Jac
	for i, q := range qs {
		var term bn254.G2Jac
		sum.AddAssign(term.ScalarMultiplication(&c.in2(q).point, ks[i]))
	}
	return c.wrap2(sum)
}

func (c *bn254Native) PrepareG2(q G2) G2 {
	f := *c.in2(q)
	lines := bn254.PrecomputeLines(c.affine2(q))
	f.lines = &lines
	return G2{&f}
}

func (c *bn254Native) Pair(p G1, q G2) GT {
	return GT{c.product([]G1{p}, []G2{q})}
}

func (c *bn254Native) EqualGT(a, b GT) bool {
	return a.Value.(*bn254.GT).Equal(b.Value.(*bn254.GT))
}

func (c *bn254Native) PairingIsOne(ps []G1, qs []G2) bool {
	var one bn254.GT
	return c.product(ps, qs).Equal(one.SetOne())
}

// product returns Π e(ps[i], qs[i]): a loop over the points in G2 that are not
// prepared, a loop over the lines of the others, and one final exponentiation.
// Making lines for all points costs more than the second loop.
func (c *bn254Native) product(ps []G1, qs []G2) *bn254.GT {
	var points, fixedPoints []bn254.G1Affine
	var others []bn254.G2Affine
	var lines []bn254Lines
	for i, q := range qs {
		if f := c.in2(q); f.lines != nil {
			fixedPoints, lines = append(fixedPoints, *c.in1(ps[i])), append(lines, *f.lines)
		} else {
			points, others = append(points, *c.in1(ps[i])), append(others, c.affine2(q))
		}
	}
	var loop bn254.GT
	loop.SetOne()
	if len(points) > 0 {
		loop = must(bn254.MillerLoop(points, others))
	}
	if len(lines) > 0 {
		more := must(bn254.MillerLoopFixedQ(fixedPoints, lines))
		loop.Mul(&loop, &more)
	}
	result := bn254.FinalExponentiation(&loop)
	return &result
}

func (c *bn254Native) LenG1() int { return bn254Codec1.length }
func (c *bn254Native) LenG2() int { return bn254Codec2.length }

func (c *bn254Native) AppendG1(b []byte, p G1) []byte {
	return append(b, bn254Codec1.encode(c.in1(p))...)
}

func (c *bn254Native) AppendG2(b []byte, q G2) []byte {
	a := c.affine2(q)
	return append(b, bn254Codec2.encode(&a)...)
}

func (c *bn254Native) DecodeG1(b []byte) (G1, error) {
	a, err := bn254Codec1.decoded(b)
	if err != nil {
		return G1{}, err
	}
	return G1{&a}, nil
}

func (c *bn254Native) DecodeG2(b []byte) (G2, error) {
	a, err := bn254Codec2.decoded(b)
	if err != nil {
		return G2{}, err
	}
	var q bn254.G2Jac
	q.FromAffine(&a)
	return G2{&bn254Fixed{point: q, affine: &a}}, nil
}

func (c *bn254Native) Phase(string) Curve { return c }
