package curve

import (
	"bytes"
	"fmt"
	"math/big"

	math "github.com/IBM/mathlib"

	"github.com/zkatbench/zkatbench/count"
	mathlibcount "github.com/zkatbench/zkatbench/count/mathlib"
)

// mathlibs are the identifiers of the curves of mathlib, by name.
var mathlibs = map[string]math.CurveID{
	"FP256BN_AMCL": math.FP256BN_AMCL, "FP256BN_AMCL_MIRACL": math.FP256BN_AMCL_MIRACL,
	"BN254":           math.BN254,
	"BLS12_377_GURVY": math.BLS12_377_GURVY, "BLS12_381_GURVY": math.BLS12_381_GURVY,
	"BLS12_381_BBS_GURVY": math.BLS12_381_BBS_GURVY,
	"BLS12_381":           math.BLS12_381, "BLS12_381_BBS": math.BLS12_381_BBS,
}

// onMathlib is a Curve over mathlib, which lacks multi-exponentiations in G2.
type onMathlib struct {
	name   string
	curve  *math.Curve
	order  *big.Int
	half   *math.Zr // (q+1)/2
	zero1  *math.G1
	zero2  *math.G2
	bucket count.Bucket
	phases func(count.Bucket) *math.Curve // nil if calls are not counted
}

// countedMathlib is overMathlib with the calls to the curve counted in bucket by the
// counting driver of count/mathlib.
func countedMathlib(name string, curve *math.Curve, bucket count.Bucket) *onMathlib {
	wrap := func(b count.Bucket) *math.Curve { return mathlibcount.Wrap(curve, b) }
	c := overMathlib(name, wrap(bucket))
	c.bucket, c.phases = bucket, wrap
	return c
}

func overMathlib(name string, curve *math.Curve) *onMathlib {
	c := &onMathlib{name: name, curve: curve, order: new(big.Int).SetBytes(curve.GroupOrder.Bytes())}
	half := new(big.Int).Add(c.order, big.NewInt(1))
	c.half = c.scalar(half.Rsh(half, 1))
	c.zero1, c.zero2 = curve.GenG1.Copy(), curve.GenG2.Copy()
	c.zero1.Sub(curve.GenG1)
	c.zero2.Sub(curve.GenG2)
	return c
}

func (c *onMathlib) in1(p G1) *math.G1 { return p.Point.(*math.G1) }
func (c *onMathlib) in2(q G2) *math.G2 { return q.Point.(*math.G2) }

func (c *onMathlib) scalar(k *big.Int) *math.Zr { return c.curve.NewZrFromBytes(k.Bytes()) }

func (c *onMathlib) Name() string    { return c.name }
func (c *onMathlib) Order() *big.Int { return c.order }

func (c *onMathlib) MulScalars(a, b *big.Int) *big.Int { return mulMod(a, b, c.order) }

func (c *onMathlib) GenG1() G1 { return G1{c.curve.GenG1.Copy()} }

func (c *onMathlib) MulG1(p G1, k *big.Int) G1 { return G1{c.in1(p).Mul(c.scalar(k))} }

func (c *onMathlib) NegG1(p G1) G1 {
	n := c.in1(p).Copy()
	n.Neg()
	return G1{n}
}

func (c *onMathlib) IsZeroG1(p G1) bool { return c.in1(p).IsInfinity() }

func (c *onMathlib) SumsG1(ps []G1, ks ...[]*big.Int) []G1 {
	points := make([]*math.G1, len(ps))
	for i, p := range ps {
		points[i] = c.in1(p)
	}
	sums := make([]G1, len(ks))
	for j, row := range ks {
		scalars := make([]*math.Zr, len(row))
		for i, k := range row {
			scalars[i] = c.scalar(k)
		}
		sums[j] = G1{c.curve.MultiScalarMul(points, scalars)}
	}
	return sums
}

func (c *onMathlib) GenG2() G2 { return G2{c.curve.GenG2.Copy()} }

func (c *onMathlib) MulG2(q G2, k *big.Int) G2 { return G2{c.in2(q).Mul(c.scalar(k))} }

func (c *onMathlib) AddG2(p, q G2) G2 {
	sum := c.in2(p).Copy()
	sum.Add(c.in2(q))
	return G2{sum}
}

func (c *onMathlib) IsZeroG2(q G2) bool { return c.in2(q).Equals(c.zero2) }

func (c *onMathlib) EqualG2(p, q G2) bool { return c.in2(p).Equals(c.in2(q)) }

func (c *onMathlib) MSMG2(qs []G2, ks []*big.Int) G2 {
	var sum *math.G2
	for i, q := range qs {
		p := c.in2(q).Mul(c.scalar(ks[i]))
		if sum == nil {
			sum = p
		} else {
			sum.Add(p)
		}
	}
	return G2{sum}
}

// PrepareG2 returns q: mathlib cannot precompute for a fixed point.
func (c *onMathlib) PrepareG2(q G2) G2 { return q }

func (c *onMathlib) Pair(p G1, q G2) GT {
	return GT{c.curve.FExp(c.curve.Pairing(c.in2(q), c.in1(p)))}
}

func (c *onMathlib) EqualGT(a, b GT) bool { return a.Value.(*math.Gt).Equals(b.Value.(*math.Gt)) }

// PairingIsOne multiplies the Miller loops of the pairs, two in a call.
func (c *onMathlib) PairingIsOne(ps []G1, qs []G2) bool {
	var product *math.Gt
	for len(ps) > 0 {
		var loop *math.Gt
		n := min(2, len(ps))
		if n == 2 {
			loop = c.curve.Pairing2(c.in2(qs[0]), c.in1(ps[0]), c.in2(qs[1]), c.in1(ps[1]))
		} else {
			loop = c.curve.Pairing(c.in2(qs[0]), c.in1(ps[0]))
		}
		ps, qs = ps[n:], qs[n:]
		if product == nil {
			product = loop
		} else {
			product.Mul(loop)
		}
	}
	return product == nil || c.curve.FExp(product).IsUnity()
}

func (c *onMathlib) LenG1() int { return c.curve.CompressedG1ByteSize }
func (c *onMathlib) LenG2() int { return c.curve.CompressedG2ByteSize }

// AppendG1 encodes one representation of 0: drivers encode others otherwise.
func (c *onMathlib) AppendG1(b []byte, p G1) []byte {
	if c.IsZeroG1(p) {
		return append(b, c.zero1.Copy().Compressed()...)
	}
	return append(b, c.in1(p).Compressed()...)
}

// AppendG2 encodes one representation of 0.
func (c *onMathlib) AppendG2(b []byte, q G2) []byte {
	if c.IsZeroG2(q) {
		return append(b, c.zero2.Copy().Compressed()...)
	}
	return append(b, c.in2(q).Compressed()...)
}

func (c *onMathlib) DecodeG1(b []byte) (G1, error) {
	p, err := decodedMathlib(b, c.LenG1(), c.zero1.Copy(), c.half, c.curve.NewG1FromCompressed)
	return G1{p}, err
}

func (c *onMathlib) DecodeG2(b []byte) (G2, error) {
	q, err := decodedMathlib(b, c.LenG2(), c.zero2.Copy(), c.half, c.curve.NewG2FromCompressed)
	return G2{q}, err
}

// mathlibPoint is *math.G1 or *math.G2.
type mathlibPoint[P any] interface {
	Compressed() []byte
	Mul(*math.Zr) P
	Add(P)
	Copy() P
	Equals(P) bool
}

// decodedMathlib reads a point of a group of mathlib, nil with an error. It tests the
// subgroup by 2·((q+1)/2)·P = P, since not every driver does.
func decodedMathlib[P mathlibPoint[P]](b []byte, length int, zero P, half *math.Zr,
	read func([]byte) (P, error)) (any, error) {
	if len(b) != length {
		return nil, fmt.Errorf("%w: %d bytes and not %d", ErrEncoding, len(b), length)
	}
	if bytes.Equal(zero.Compressed(), b) { // not every driver decodes it
		return zero, nil
	}
	p, err := read(b)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrEncoding, err)
	}
	if !bytes.Equal(p.Compressed(), b) {
		return nil, fmt.Errorf("%w: it is not canonical", ErrEncoding)
	}
	twice := p.Mul(half)
	twice.Add(twice.Copy())
	if !twice.Equals(p) {
		return nil, ErrSubgroup
	}
	return p, nil
}

func (c *onMathlib) Phase(name string) Curve {
	if c.phases == nil {
		return c
	}
	inner := *c
	inner.bucket = c.bucket.Sub(name)
	inner.curve = c.phases(inner.bucket)
	return &inner
}
