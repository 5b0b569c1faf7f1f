package secp

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
)

// Residue is a scalar below the order in four words, least significant first. It is
// for the vectors of hundreds of scalars in package otecdsa. The zero value is 0.
type Residue [4]uint64

// orderFold are 2²⁵⁶ minus the order, without the third word, which is 1; orderWords
// are the order.
var (
	orderFold  = [2]uint64{0x402da1732fc9bebf, 0x4551231950b75fc4}
	orderWords = Residue{0xbfd25e8cd0364141, 0xbaaedce6af48a03b, 0xfffffffffffffffe, 0xffffffffffffffff}
)

// ResidueOf returns the residue of a scalar.
func ResidueOf(s *Scalar) (r Residue) {
	b := s.Bytes()
	r.load(b[:])
	return r
}

func (r *Residue) load(b []byte) {
	for i := range r {
		r[i] = binary.BigEndian.Uint64(b[24-8*i:])
	}
}

// Scalar returns r as a scalar.
func (r *Residue) Scalar() *Scalar {
	s := new(Scalar)
	s.SetByteSlice(r.Append(nil))
	return s
}

// DecodeResidue reads the same bytes as DecodeScalar.
func DecodeResidue(b []byte) (r Residue, err error) {
	if len(b) != ScalarLen {
		return r, ErrScalar
	}
	r.load(b)
	if r.below() != r {
		return Residue{}, ErrScalar
	}
	return r, nil
}

// below returns r, or r minus the order if it is not below the order.
func (r *Residue) below() Residue {
	if d, borrow := r.minus(&orderWords); borrow == 0 {
		return d
	}
	return *r
}

func (r *Residue) minus(other *Residue) (d Residue, borrow uint64) {
	for i := range d {
		d[i], borrow = bits.Sub64(r[i], other[i], borrow)
	}
	return d, borrow
}

// Append appends the encoding of r.
func (r *Residue) Append(b []byte) []byte {
	for i := len(r) - 1; i >= 0; i-- {
		b = binary.BigEndian.AppendUint64(b, r[i])
	}
	return b
}

// Plus returns r + other.
func (r *Residue) Plus(other *Residue) Residue {
	var sum Residue
	var carry uint64
	for i := range sum {
		sum[i], carry = bits.Add64(r[i], other[i], carry)
	}
	if carry == 1 {
		sum, _ = sum.minus(&orderWords)
		return sum
	}
	return sum.below()
}

// Minus returns r - other.
func (r *Residue) Minus(other *Residue) Residue {
	d, borrow := r.minus(other)
	if borrow == 1 {
		var carry uint64
		for i := range d {
			d[i], carry = bits.Add64(d[i], orderWords[i], carry)
		}
	}
	return d
}

// ReduceResidue returns 64 bytes of a big-endian integer modulo the order, as Reduce
// does.
func ReduceResidue(wide *[64]byte) Residue {
	var s InnerProduct
	for i := range 8 {
		s[i] = binary.BigEndian.Uint64(wide[56-8*i:])
	}
	return s.Residue()
}

// UniformResidue draws the residue of the scalar that Uniform draws.
func UniformResidue(random io.Reader) (Residue, error) {
	var wide [64]byte
	if _, err := io.ReadFull(random, wide[:]); err != nil {
		return Residue{}, fmt.Errorf("%w: %w", ErrRandom, err)
	}
	return ReduceResidue(&wide), nil
}

// InnerProduct is a sum of products of residues, reduced once in Residue. It
// holds up to 2⁶⁴ products. The zero value is 0.
type InnerProduct [9]uint64

// Add adds x·y.
func (s *InnerProduct) Add(x, y *Residue) {
	for i, w := range y {
		var carry uint64
		for k, v := range x {
			high, low := bits.Mul64(v, w)
			var c uint64
			low, c = bits.Add64(low, carry, 0)
			high += c
			s[i+k], c = bits.Add64(s[i+k], low, 0)
			carry = high + c
		}
		s.carry(i+4, carry)
	}
}

// carry adds a word at place i.
func (s *InnerProduct) carry(i int, word uint64) {
	for ; word != 0 && i < len(s); i++ {
		s[i], word = bits.Add64(s[i], word, 0)
	}
}

// Residue returns the sum modulo the order. Words from 2²⁵⁶ on are multiplied with
// 2²⁵⁶ minus the order and added below, until all are 0.
func (s InnerProduct) Residue() Residue {
	for s[4]|s[5]|s[6]|s[7]|s[8] != 0 {
		for k := 4; k >= 0; k-- {
			w := s[k+4]
			s[k+4] = 0
			high0, low0 := bits.Mul64(w, orderFold[0])
			high1, low1 := bits.Mul64(w, orderFold[1])
			var c uint64
			s[k], c = bits.Add64(s[k], low0, 0)
			s[k+1], c = bits.Add64(s[k+1], low1, c)
			s[k+2], c = bits.Add64(s[k+2], w, c)
			s.carry(k+3, c)
			s[k+1], c = bits.Add64(s[k+1], high0, 0)
			s[k+2], c = bits.Add64(s[k+2], high1, c)
			s.carry(k+3, c)
		}
	}
	r := Residue(s[:4])
	return r.below()
}
