package lead254

import (
	"math/big"
	"math/bits"
	"unsafe"

	"github.com/consensys/gnark-crypto/ecc/bn254/fr"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/internal/rep"
)

// A Scalar holds an fr.Element as it is; this does not compile if their sizes
// differ.
var _ [unsafe.Sizeof(group.Scalar{})]byte = [unsafe.Sizeof(fr.Element{})]byte{}

// field is arithmetic modulo the order.
type field struct{}

func in(s *group.Scalar) *fr.Element { return (*fr.Element)(rep.Limbs(s)) }

func out(e *fr.Element) (s group.Scalar) {
	*rep.Limbs(&s) = *e
	return s
}

// vec views a list of scalars as one of field elements.
func vec(s []group.Scalar) fr.Vector {
	return unsafe.Slice((*fr.Element)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

// Order returns a copy of q.
func (field) Order() *big.Int { return fr.Modulus() }

// Uint64 returns v mod q.
func (field) Uint64(v uint64) group.Scalar {
	var e fr.Element
	return out(e.SetUint64(v))
}

// Reduce returns the big-endian integer b mod q.
func (field) Reduce(b []byte) group.Scalar {
	if len(b) <= 32 {
		e := reduce32(b)
		return out(&e)
	}
	// b = high·2²⁵⁶ + low
	high, low := reduce32(b[:len(b)-32]), reduce32(b[len(b)-32:])
	high.Mul(&high, &two256)
	return out(high.Add(&high, &low))
}

// two256 is 2²⁵⁶ mod q.
var two256 = func() (e fr.Element) {
	e.SetBigInt(new(big.Int).Lsh(big.NewInt(1), 256))
	return e
}()

// reduce32 takes at most 32 bytes.
func reduce32(b []byte) (e fr.Element) {
	var l [4]uint64
	for i, c := range b {
		k := len(b) - 1 - i
		l[k/8] |= uint64(c) << (8 * (k % 8))
	}
	for { // at most 2²⁵⁶/q times
		var d [4]uint64
		var borrow uint64
		for i := range d {
			d[i], borrow = bits.Sub64(l[i], order[i], borrow)
		}
		if borrow != 0 {
			break
		}
		l = d
	}
	// The limbs of two256 are R² mod q, which takes an integer to its
	// Montgomery form.
	e = l
	return *e.Mul(&e, &two256)
}

// order is q, least significant limb first.
var order = func() (l [4]uint64) {
	for i, w := range fr.Modulus().Bits() {
		l[i] = uint64(w)
	}
	return l
}()

// Add returns a + b.
func (field) Add(a, b group.Scalar) group.Scalar {
	var e fr.Element
	return out(e.Add(in(&a), in(&b)))
}

// Sub returns a - b.
func (field) Sub(a, b group.Scalar) group.Scalar {
	var e fr.Element
	return out(e.Sub(in(&a), in(&b)))
}

// Mul returns a·b.
func (field) Mul(a, b group.Scalar) group.Scalar {
	var e fr.Element
	return out(e.Mul(in(&a), in(&b)))
}

// Neg returns -a.
func (field) Neg(a group.Scalar) group.Scalar {
	var e fr.Element
	return out(e.Neg(in(&a)))
}

// Inv returns 1/a, and 0 for 0.
func (field) Inv(a group.Scalar) group.Scalar {
	var e fr.Element
	return out(e.Inverse(in(&a)))
}

// AddVec sets dstᵢ = aᵢ + bᵢ.
func (field) AddVec(dst, a, b []group.Scalar) {
	d := vec(dst)
	d.Add(vec(a), vec(b))
}

// MulVec sets dstᵢ = aᵢ·bᵢ.
func (field) MulVec(dst, a, b []group.Scalar) {
	d := vec(dst)
	d.Mul(vec(a), vec(b))
}

// ScaleVec sets dstᵢ = c·aᵢ.
func (field) ScaleVec(dst, a []group.Scalar, c group.Scalar) {
	d := vec(dst)
	d.ScalarMul(vec(a), in(&c))
}

// FoldVec sets dstᵢ = x·aᵢ + y·bᵢ.
func (field) FoldVec(dst, a, b []group.Scalar, x, y group.Scalar) {
	d, u, v := vec(dst), vec(a), vec(b)
	ex, ey := in(&x), in(&y)
	for i := range d {
		var s, t fr.Element
		s.Mul(ex, &u[i])
		t.Mul(ey, &v[i])
		d[i].Add(&s, &t)
	}
}

// InvVec sets dstᵢ = 1/aᵢ, and 0 for 0, with one inversion (Montgomery's
// trick): dst first holds the products of what stands before each place.
func (field) InvVec(dst, a []group.Scalar) {
	d, u := vec(dst), vec(a)
	if len(d) > 0 && &d[0] == &u[0] {
		u = append(fr.Vector(nil), u...)
	}
	product := fr.One()
	for i := range u {
		d[i] = product
		if !u[i].IsZero() {
			product.Mul(&product, &u[i])
		}
	}
	product.Inverse(&product)
	for i := len(u) - 1; i >= 0; i-- {
		if u[i].IsZero() {
			d[i].SetZero()
			continue
		}
		d[i].Mul(&d[i], &product)
		product.Mul(&product, &u[i])
	}
}

// Powers sets dstᵢ = xⁱ, in four chains so that products overlap.
func (field) Powers(dst []group.Scalar, x group.Scalar) {
	d, e := vec(dst), in(&x)
	for i := range d {
		switch {
		case i == 0:
			d[i].SetOne()
		case i < 8:
			d[i].Mul(&d[i-1], e)
		default:
			d[i].Mul(&d[i-4], &d[4])
		}
	}
}

// Inner returns Σ aᵢ·bᵢ.
func (field) Inner(a, b []group.Scalar) group.Scalar {
	u := vec(a)
	e := u.InnerProduct(vec(b))
	return out(&e)
}
