package bn254

import (
	"encoding/binary"
	"math/big"
	"slices"

	"github.com/consensys/gnark-crypto/ecc/bn254/fr"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Order returns a copy of q.
func (g *Group) Order() *big.Int { return fr.Modulus() }

// Uint64 returns v.
func (g *Group) Uint64(v uint64) (s group.Scalar) {
	element(&s).SetUint64(v)
	return s
}

// chunkLen is how many bytes Reduce takes at a time: any such integer is
// below q.
const chunkLen = 16

// chunkPower[i] is 2^(128·i)·R² for the Montgomery constant R, so that the
// product with an integer is the Montgomery form of 2^(128·i) times it.
var chunkPower = func() (p [4]fr.Element) {
	shift := new(big.Int).Lsh(big.NewInt(1), 8*chunkLen)
	toMont := new(big.Int).Lsh(big.NewInt(1), 64*fr.Limbs)
	for i := range p {
		p[i].SetBigInt(toMont)
		toMont.Mul(toMont, shift)
	}
	return p
}()

// Reduce returns the big-endian integer b mod q.
func (g *Group) Reduce(b []byte) (s group.Scalar) {
	var padded [len(chunkPower) * chunkLen]byte
	copy(padded[len(padded)-len(b):], b)
	for i := range (len(b) + chunkLen - 1) / chunkLen {
		c := padded[len(padded)-(i+1)*chunkLen:]
		e := fr.Element{binary.BigEndian.Uint64(c[8:]), binary.BigEndian.Uint64(c)}
		e.Mul(&e, &chunkPower[i])
		element(&s).Add(element(&s), &e)
	}
	clear(padded[:])
	return s
}

// Add returns a + b.
func (g *Group) Add(a, b group.Scalar) (s group.Scalar) {
	element(&s).Add(element(&a), element(&b))
	return s
}

// Sub returns a - b.
func (g *Group) Sub(a, b group.Scalar) (s group.Scalar) {
	element(&s).Sub(element(&a), element(&b))
	return s
}

// Mul returns a·b.
func (g *Group) Mul(a, b group.Scalar) (s group.Scalar) {
	element(&s).Mul(element(&a), element(&b))
	return s
}

// Neg returns -a.
func (g *Group) Neg(a group.Scalar) (s group.Scalar) {
	element(&s).Neg(element(&a))
	return s
}

// Inv returns 1/a, and 0 for 0.
func (g *Group) Inv(a group.Scalar) (s group.Scalar) {
	element(&s).Inverse(element(&a))
	return s
}

// AddVec sets dstᵢ = aᵢ + bᵢ.
func (g *Group) AddVec(dst, a, b []group.Scalar) {
	elements(dst).add(elements(a), elements(b))
}

// MulVec sets dstᵢ = aᵢ·bᵢ.
func (g *Group) MulVec(dst, a, b []group.Scalar) {
	elements(dst).mul(elements(a), elements(b))
}

// ScaleVec sets dstᵢ = c·aᵢ.
func (g *Group) ScaleVec(dst, a []group.Scalar, c group.Scalar) {
	elements(dst).scale(elements(a), element(&c))
}

// blockLen is how many scalars a vector method keeps on its stack.
const blockLen = 64

// FoldVec sets dstᵢ = x·aᵢ + y·bᵢ.
func (g *Group) FoldVec(dst, a, b []group.Scalar, x, y group.Scalar) {
	var block [blockLen]fr.Element
	for len(dst) > 0 {
		n := min(len(dst), blockLen)
		t, v := scalars(block[:n]), elements(dst[:n])
		t.scale(elements(a[:n]), element(&x))
		v.scale(elements(b[:n]), element(&y))
		v.add(v, t)
		dst, a, b = dst[n:], a[n:], b[n:]
	}
	clear(block[:])
}

// invertedLen is how many scalars share an inversion.
const invertedLen = 128

// InvVec sets dstᵢ = 1/aᵢ, and 0 for 0: one inversion for each block
// (Montgomery's trick).
func (g *Group) InvVec(dst, a []group.Scalar) {
	var room [invertedLen]fr.Element
	for len(dst) > 0 {
		n := min(len(dst), invertedLen)
		elements(dst[:n]).invert(elements(a[:n]), room[:n])
		dst, a = dst[n:], a[n:]
	}
	clear(room[:])
}

// invert sets vᵢ = 1/aᵢ, and 0 for 0. Long vectors without 0 are inverted with the products
// of their halves. There is room for as many products.
func (v scalars) invert(a, room scalars) {
	if h := len(a) / 2; h >= 16 && 2*h == len(a) && !slices.Contains(a, fr.Element{}) {
		products, first := room[:h], room[h:]
		products.mul(a[:h], a[h:])
		products.invert(products, first)
		first.mul(products, a[h:])
		v[h:].mul(products, a[:h])
		copy(v, first)
		return
	}
	product := fr.One()
	for i := range a {
		room[i] = product // of all aⱼ ≠ 0, j < i
		if !a[i].IsZero() {
			product.Mul(&product, &a[i])
		}
	}
	product.Inverse(&product)
	for i := len(a) - 1; i >= 0; i-- {
		old := a[i]
		v[i].Mul(&product, &room[i])
		if old.IsZero() {
			v[i] = old
		} else {
			product.Mul(&product, &old)
		}
	}
}

// Powers sets dstᵢ = xⁱ, doubling the number of known ones with each vector
// multiplication.
func (g *Group) Powers(dst []group.Scalar, x group.Scalar) {
	v := elements(dst)
	if len(v) == 0 {
		return
	}
	v[0].SetOne()
	step := *element(&x)
	for n := 1; n < len(v); n *= 2 {
		next := v[n:min(2*n, len(v))]
		next.scale(v[:len(next)], &step)
		step.Square(&step)
	}
}

// Inner returns Σ aᵢ·bᵢ.
func (g *Group) Inner(a, b []group.Scalar) (s group.Scalar) {
	*element(&s) = elements(a).inner(elements(b))
	return s
}

// AppendScalar appends the 32-byte encoding of s.
func (g *Group) AppendScalar(dst []byte, s group.Scalar) []byte {
	b := element(&s).Bytes()
	return append(dst, b[:]...)
}

// DecodeScalar reads exactly 32 bytes of a reduced integer.
func (g *Group) DecodeScalar(b []byte) (s group.Scalar, err error) {
	if len(b) != group.ScalarLen {
		return s, group.ErrLength
	}
	e, err := fr.BigEndian.Element((*[fr.Bytes]byte)(b))
	if err != nil {
		return s, group.ErrNotCanonical
	}
	*element(&s) = e
	return s, nil
}
