package mathlib

import (
	"encoding/binary"
	"math/big"

	math "github.com/IBM/mathlib"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/internal/rep"
)

// A Scalar holds its canonical value, least significant limb first. mathlib's
// Zr keeps unreduced values on some curves, which then compare unequal.

func toBig(s group.Scalar) *big.Int {
	var b [group.ScalarLen]byte
	put(&b, s)
	return new(big.Int).SetBytes(b[:])
}

func put(b *[group.ScalarLen]byte, s group.Scalar) {
	l := rep.Limbs(&s)
	for i, v := range l {
		binary.BigEndian.PutUint64(b[group.ScalarLen-8*(i+1):], v)
	}
}

// fromBig converts v in [0, 2²⁵⁶).
func fromBig(v *big.Int) (s group.Scalar) {
	var b [group.ScalarLen]byte
	v.FillBytes(b[:])
	l := rep.Limbs(&s)
	for i := range l {
		l[i] = binary.BigEndian.Uint64(b[group.ScalarLen-8*(i+1):])
	}
	return s
}

func (c *Curve) reduce(v *big.Int) group.Scalar { return fromBig(v.Mod(v, c.order)) }

func (c *Curve) zr(s group.Scalar) *math.Zr {
	var b [group.ScalarLen]byte
	put(&b, s)
	return c.curve.NewZrFromBytes(b[:])
}

// Order returns a copy of q.
func (c *Curve) Order() *big.Int { return new(big.Int).Set(c.order) }

// Uint64 returns v mod q.
func (c *Curve) Uint64(v uint64) group.Scalar { return c.reduce(new(big.Int).SetUint64(v)) }

// Reduce returns the big-endian integer b mod q.
func (c *Curve) Reduce(b []byte) group.Scalar { return c.reduce(new(big.Int).SetBytes(b)) }

// Add returns a + b.
func (c *Curve) Add(a, b group.Scalar) group.Scalar {
	v := toBig(a)
	return c.reduce(v.Add(v, toBig(b)))
}

// Sub returns a - b.
func (c *Curve) Sub(a, b group.Scalar) group.Scalar {
	v := toBig(a)
	return c.reduce(v.Sub(v, toBig(b)))
}

// Mul returns a·b.
func (c *Curve) Mul(a, b group.Scalar) group.Scalar {
	v := toBig(a)
	return c.reduce(v.Mul(v, toBig(b)))
}

// Neg returns -a.
func (c *Curve) Neg(a group.Scalar) group.Scalar {
	v := toBig(a)
	return c.reduce(v.Neg(v))
}

// Inv returns 1/a, and 0 for 0.
func (c *Curve) Inv(a group.Scalar) group.Scalar {
	v := toBig(a)
	if v.Sign() == 0 {
		return a
	}
	return fromBig(v.ModInverse(v, c.order))
}

// AddVec sets dstᵢ = aᵢ + bᵢ.
func (c *Curve) AddVec(dst, a, b []group.Scalar) {
	for i := range dst {
		dst[i] = c.Add(a[i], b[i])
	}
}

// MulVec sets dstᵢ = aᵢ·bᵢ.
func (c *Curve) MulVec(dst, a, b []group.Scalar) {
	for i := range dst {
		dst[i] = c.Mul(a[i], b[i])
	}
}

// ScaleVec sets dstᵢ = x·aᵢ.
func (c *Curve) ScaleVec(dst, a []group.Scalar, x group.Scalar) {
	for i := range dst {
		dst[i] = c.Mul(a[i], x)
	}
}

// FoldVec sets dstᵢ = x·aᵢ + y·bᵢ.
func (c *Curve) FoldVec(dst, a, b []group.Scalar, x, y group.Scalar) {
	for i := range dst {
		dst[i] = c.Add(c.Mul(x, a[i]), c.Mul(y, b[i]))
	}
}

// InvVec sets dstᵢ = 1/aᵢ, and 0 for 0.
func (c *Curve) InvVec(dst, a []group.Scalar) {
	for i := range dst {
		dst[i] = c.Inv(a[i])
	}
}

// Powers sets dstᵢ = xⁱ.
func (c *Curve) Powers(dst []group.Scalar, x group.Scalar) {
	p := c.Uint64(1)
	for i := range dst {
		dst[i] = p
		p = c.Mul(p, x)
	}
}

// Inner returns Σ aᵢ·bᵢ.
func (c *Curve) Inner(a, b []group.Scalar) group.Scalar {
	sum, t := new(big.Int), new(big.Int)
	for i := range a {
		sum.Add(sum, t.Mul(toBig(a[i]), toBig(b[i])))
	}
	return c.reduce(sum)
}
