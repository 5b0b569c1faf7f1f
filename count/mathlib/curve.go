package mathlib

import (
	"io"
	"math/big"
	"strings"

	math "github.com/IBM/mathlib"
	"github.com/IBM/mathlib/driver"

	"github.com/zkatbench/zkatbench/count"
)

// curve is a driver.Curve that counts the operations on c.
type curve struct {
	c      *math.Curve
	id     math.CurveID
	bucket count.Bucket
}

var _ driver.Curve = (*curve)(nil)

// The names of the groups of a pairing in events; the name of G1 is empty.
const (
	nameG2 = "G2"
	nameGt = "GT"
)

func (c *curve) count(group string, op count.Op, size int) {
	c.bucket.Count(count.Event{Group: group, Op: op, Size: size}, 1)
}

// The following functions convert values to and from the driver layer. A value
// of another driver was made before the curve was wrapped.

func (c *curve) zr(z driver.Zr) *math.Zr {
	if w, ok := z.(*scalar); ok {
		return w.z
	}
	return math.NewZr(z, c.id)
}

func (c *curve) g1(p driver.G1) *math.G1 {
	if w, ok := p.(*g1); ok {
		return w.p
	}
	return math.NewG1(p, c.id)
}

func (c *curve) g2(p driver.G2) *math.G2 {
	if w, ok := p.(*g2); ok {
		return w.p
	}
	return math.NewG2(p, c.id)
}

func (c *curve) gt(v driver.Gt) *math.Gt {
	if w, ok := v.(*gt); ok {
		return w.v
	}
	return math.NewGt(v, c.id)
}

func (c *curve) zrs(zs []driver.Zr) []*math.Zr {
	inner := make([]*math.Zr, len(zs))
	for i, z := range zs {
		inner[i] = c.zr(z)
	}
	return inner
}

func (c *curve) newZr(z *math.Zr) driver.Zr { return &scalar{c, z} }
func (c *curve) newGt(v *math.Gt) driver.Gt { return &gt{c, v} }

// Constants.

func (c *curve) GenG1() driver.G1 { return c.newG1(c.c.GenG1.Copy()) }
func (c *curve) GenG2() driver.G2 { return c.newG2(c.c.GenG2.Copy()) }

// GenGt copies by encoding and decoding, since mathlib's Gt has no Copy.
func (c *curve) GenGt() driver.Gt {
	v, _ := c.c.NewGtFromBytes(c.c.GenGt.Bytes()) // its own encoding
	return c.newGt(v)
}

func (c *curve) GroupOrder() driver.Zr     { return c.newZr(c.c.GroupOrder.Copy()) }
func (c *curve) CoordinateByteSize() int   { return c.c.CoordByteSize }
func (c *curve) G1ByteSize() int           { return c.c.G1ByteSize }
func (c *curve) CompressedG1ByteSize() int { return c.c.CompressedG1ByteSize }
func (c *curve) G2ByteSize() int           { return c.c.G2ByteSize }
func (c *curve) CompressedG2ByteSize() int { return c.c.CompressedG2ByteSize }
func (c *curve) ScalarByteSize() int       { return c.c.ScalarByteSize }
func (c *curve) Rand() (io.Reader, error)  { return c.c.Rand() }

// Making values.

func (c *curve) NewG1() driver.G1                     { return c.newG1(c.c.NewG1()) }
func (c *curve) NewG2() driver.G2                     { return c.newG2(c.c.NewG2()) }
func (c *curve) NewZrFromBytes(b []byte) driver.Zr    { return c.newZr(c.c.NewZrFromBytes(b)) }
func (c *curve) NewZrFromInt64(i int64) driver.Zr     { return c.newZr(c.c.NewZrFromInt(i)) }
func (c *curve) NewZrFromUint64(i uint64) driver.Zr   { return c.newZr(c.c.NewZrFromUint64(i)) }
func (c *curve) NewZrFromBigInt(i *big.Int) driver.Zr { return c.newZr(c.c.NewZrFromBigInt(i)) }
func (c *curve) NewRandomZr(rng io.Reader) driver.Zr  { return c.newZr(c.c.NewRandomZr(rng)) }
func (c *curve) HashToZr(data []byte) driver.Zr       { return c.newZr(c.c.HashToZr(data)) }
func (c *curve) NewG1FromBytes(b []byte) driver.G1 {
	return c.newG1(decode(c, "", c.c.NewG1FromBytes, b))
}
func (c *curve) NewG1FromCompressed(b []byte) driver.G1 {
	return c.newG1(decode(c, "", c.c.NewG1FromCompressed, b))
}
func (c *curve) NewG2FromBytes(b []byte) driver.G2 {
	return c.newG2(decode(c, nameG2, c.c.NewG2FromBytes, b))
}
func (c *curve) NewG2FromCompressed(b []byte) driver.G2 {
	return c.newG2(decode(c, nameG2, c.c.NewG2FromCompressed, b))
}

func (c *curve) NewGtFromBytes(b []byte) driver.Gt {
	return c.newGt(decode(c, nameGt, c.c.NewGtFromBytes, b))
}

// decode counts. It panics on bytes that are refused, as drivers do. mathlib returns the
// text of the panic in an error "failure [...]".
func decode[V any](c *curve, group string, read func([]byte) (V, error), b []byte) V {
	c.count(group, count.Decode, 1)
	v, err := read(b)
	if err != nil {
		panic(strings.TrimSuffix(strings.TrimPrefix(err.Error(), "failure ["), "]"))
	}
	return v
}

func (c *curve) HashToG1(data []byte) driver.G1 {
	c.count("", count.HashToCurve, 1)
	return c.newG1(c.c.HashToG1(data))
}

func (c *curve) HashToG1WithDomain(data, domain []byte) driver.G1 {
	c.count("", count.HashToCurve, 1)
	return c.newG1(c.c.HashToG1WithDomain(data, domain))
}

func (c *curve) HashToG2(data []byte) driver.G2 {
	c.count(nameG2, count.HashToCurve, 1)
	return c.newG2(c.c.HashToG2(data))
}

func (c *curve) HashToG2WithDomain(data, domain []byte) driver.G2 {
	c.count(nameG2, count.HashToCurve, 1)
	return c.newG2(c.c.HashToG2WithDomain(data, domain))
}

// Pairings and sums.

func (c *curve) Pairing(p2 driver.G2, p1 driver.G1) driver.Gt {
	c.count(nameGt, count.Pairing, 1)
	return c.newGt(c.c.Pairing(c.g2(p2), c.g1(p1)))
}

func (c *curve) Pairing2(p2a, p2b driver.G2, p1a, p1b driver.G1) driver.Gt {
	c.count(nameGt, count.Pairing, 2)
	return c.newGt(c.c.Pairing2(c.g2(p2a), c.g1(p1a), c.g2(p2b), c.g1(p1b)))
}

func (c *curve) FExp(v driver.Gt) driver.Gt {
	c.count(nameGt, count.FinalExp, 1)
	return c.newGt(c.c.FExp(c.gt(v)))
}

func (c *curve) MultiScalarMul(ps []driver.G1, zs []driver.Zr) driver.G1 {
	c.count("", count.MSM, len(ps))
	inner := make([]*math.G1, len(ps))
	for i, p := range ps {
		inner[i] = c.g1(p)
	}
	return c.newG1(c.c.MultiScalarMul(inner, c.zrs(zs)))
}
