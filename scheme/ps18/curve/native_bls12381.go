// Code generated from native_bn254.go; DO NOT EDIT.

package curve

import (
	"bytes"
	"math/big"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// bls12381Native is a Curve over gnark-crypto. The file of the other curve is the same
// text with another name: go generate writes it.
type bls12381Native struct {
	name  string
	order *big.Int
	gen1  bls12381.G1Jac
	gen2  bls12381.G2Jac
}

// newBLS12381Native returns the curve with a name.
func newBLS12381Native(name string) Curve {
	gen1, gen2, _, _ := bls12381.Generators()
	return &bls12381Native{name: name, order: fr.Modulus(), gen1: gen1, gen2: gen2}
}

var (
	bls12381Codec1 = codec[bls12381.G1Affine]{
		length:     bls12381.SizeOfG1AffineCompressed,
		encode:     func(a *bls12381.G1Affine) []byte { b := a.Bytes(); return b[:] },
		decode:     func(b []byte) (a bls12381.G1Affine, err error) { return a, bls12381Decoder(b).Decode(&a) },
		inSubgroup: (*bls12381.G1Affine).IsInSubGroup,
	}
	bls12381Codec2 = codec[bls12381.G2Affine]{
		length:     bls12381.SizeOfG2AffineCompressed,
		encode:     func(a *bls12381.G2Affine) []byte { b := a.Bytes(); return b[:] },
		decode:     func(b []byte) (a bls12381.G2Affine, err error) { return a, bls12381Decoder(b).Decode(&a) },
		inSubgroup: (*bls12381.G2Affine).IsInSubGroup,
	}
)

// bls12381Decoder reads points without their subgroup check.
func bls12381Decoder(b []byte) *bls12381.Decoder {
	return bls12381.NewDecoder(bytes.NewReader(b), bls12381.NoSubgroupChecks())
}

// bls12381Fixed is a point in G2, in affine coordinates too if they are known, and with
// its line coefficients if it is prepared.
type bls12381Fixed struct {
	point  bls12381.G2Jac
	affine *bls12381.G2Affine
	lines  *bls12381Lines
}

func (c *bls12381Native) in1(p G1) *bls12381.G1Affine { return p.Point.(*bls12381.G1Affine) }

func (c *bls12381Native) in2(q G2) *bls12381Fixed {
	return q.Point.(*bls12381Fixed)
}

func (c *bls12381Native) affine2(q G2) (a bls12381.G2Affine) {
	if known := c.in2(q).affine; known != nil {
		return *known
	}
	a.FromJacobian(&c.in2(q).point)
	return a
}

func (c *bls12381Native) Name() string    { return c.name }
func (c *bls12381Native) Order() *big.Int { return c.order }

func (c *bls12381Native) MulScalars(a, b *big.Int) *big.Int {
	return mulMod(a, b, c.order)
}

func (c *bls12381Native) wrap1(p bls12381.G1Jac) G1 {
	a := new(bls12381.G1Affine)
	a.FromJacobian(&p)
	return G1{a}
}

func (c *bls12381Native) GenG1() G1 { return c.wrap1(c.gen1) }

func (c *bls12381Native) MulG1(p G1, k *big.Int) G1 {
	var j bls12381.G1Jac
	j.FromAffine(c.in1(p))
	return c.wrap1(*j.ScalarMultiplication(&j, k))
}

func (c *bls12381Native) NegG1(p G1) G1 {
	n := new(bls12381.G1Affine)
	n.Neg(c.in1(p))
	return G1{n}
}

func (c *bls12381Native) IsZeroG1(p G1) bool {
	return c.in1(p).IsInfinity()
}

func (c *bls12381Native) SumsG1(ps []G1, ks ...[]*big.Int) []G1 {
	points, sums := make([]bls12381.G1Affine, len(ps)), make([]G1, len(ks))
	for i, p := range ps {
		points[i] = *c.in1(p)
	}
	for j, row := range ks {
		scalars := make([]fr.Element, len(row))
		for i, k := range row {
			scalars[i].SetBigInt(k)
		}
		var sum bls12381.G1Jac
		sums[j] = c.wrap1(*must(sum.MultiExp(points, scalars, oneTask)))
	}
	return sums
}

func (c *bls12381Native) GenG2() G2 { return c.known2(c.gen2) }

func (c *bls12381Native) wrap2(q bls12381.G2Jac) G2 {
	return G2{&bls12381Fixed{point: q}}
}

// known2 is wrap2 for points that are used often.
func (c *bls12381Native) known2(q bls12381.G2Jac) G2 {
	a := new(bls12381.G2Affine)
	a.FromJacobian(&q)
	return G2{&bls12381Fixed{point: q, affine: a}}
}

func (c *bls12381Native) MulG2(q G2, k *big.Int) G2 {
	var r bls12381.G2Jac
	return c.known2(*r.ScalarMultiplication(&c.in2(q).point, k))
}

func (c *bls12381Native) AddG2(p, q G2) G2 {
	sum := c.in2(p).point
	sum.AddAssign(&c.in2(q).point)
	return c.wrap2(sum)
}

func (c *bls12381Native) IsZeroG2(q G2) bool {
	a := c.affine2(q)
	return a.IsInfinity()
}

func (c *bls12381Native) EqualG2(p, q G2) bool {
	a, b := c.affine2(p), c.affine2(q)
	return string(bls12381Codec2.encode(&a)) == string(bls12381Codec2.encode(&b))
}

// MSMG2 multiplies one point after the other: MultiExp is slower for up to 11 terms.
func (c *bls12381Native) MSMG2(qs []G2, ks []*big.Int) G2 {
	var sum bls12381.G2Jac
	for i, q := range qs {
		var term bls12381.G2Jac
		sum.AddAssign(term.ScalarMultiplication(&c.in2(q).point, ks[i]))
	}
	return c.wrap2(sum)
}

func (c *bls12381Native) PrepareG2(q G2) G2 {
	f := *c.in2(q)
	lines := bls12381.PrecomputeLines(c.affine2(q))
	f.lines = &lines
	return G2{&f}
}

func (c *bls12381Native) Pair(p G1, q G2) GT {
	return GT{c.product([]G1{p}, []G2{q})}
}

func (c *bls12381Native) EqualGT(a, b GT) bool {
	return a.Value.(*bls12381.GT).Equal(b.Value.(*bls12381.GT))
}

func (c *bls12381Native) PairingIsOne(ps []G1, qs []G2) bool {
	var one bls12381.GT
	return c.product(ps, qs).Equal(one.SetOne())
}

// product returns Π e(ps[i], qs[i]): a loop over the points in G2 that are not
// prepared, a loop over the lines of the others, and one final exponentiation.
// Making lines for all points costs more than the second loop.
func (c *bls12381Native) product(ps []G1, qs []G2) *bls12381.GT {
	var points, fixedPoints []bls12381.G1Affine
	var others []bls12381.G2Affine
	var lines []bls12381Lines
	for i, q := range qs {
		if f := c.in2(q); f.lines != nil {
			fixedPoints, lines = append(fixedPoints, *c.in1(ps[i])), append(lines, *f.lines)
		} else {
			points, others = append(points, *c.in1(ps[i])), append(others, c.affine2(q))
		}
	}
	var loop bls12381.GT
	loop.SetOne()
	if len(points) > 0 {
		loop = must(bls12381.MillerLoop(points, others))
	}
	if len(lines) > 0 {
		more := must(bls12381.MillerLoopFixedQ(fixedPoints, lines))
		loop.Mul(&loop, &more)
	}
	result := bls12381.FinalExponentiation(&loop)
	return &result
}

func (c *bls12381Native) LenG1() int { return bls12381Codec1.length }
func (c *bls12381Native) LenG2() int { return bls12381Codec2.length }

func (c *bls12381Native) AppendG1(b []byte, p G1) []byte {
	return append(b, bls12381Codec1.encode(c.in1(p))...)
}

func (c *bls12381Native) AppendG2(b []byte, q G2) []byte {
	a := c.affine2(q)
	return append(b, bls12381Codec2.encode(&a)...)
}

func (c *bls12381Native) DecodeG1(b []byte) (G1, error) {
	a, err := bls12381Codec1.decoded(b)
	if err != nil {
		return G1{}, err
	}
	return G1{&a}, nil
}

func (c *bls12381Native) DecodeG2(b []byte) (G2, error) {
	a, err := bls12381Codec2.decoded(b)
	if err != nil {
		return G2{}, err
	}
	var q bls12381.G2Jac
	q.FromAffine(&a)
	return G2{&bls12381Fixed{point: q, affine: &a}}, nil
}

func (c *bls12381Native) Phase(string) Curve { return c }
