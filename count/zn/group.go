package zn

import (
	"crypto/sha256"
	"fmt"
	"io"
	"math/big"

	"github.com/zkatbench/zkatbench/count"
)

// Group is ℤ/n written multiplicatively, with a bucket for the counts of its
// evaluations. It is safe for concurrent use.
type Group struct {
	core   *core
	bucket count.Bucket
}

type core struct {
	name  string
	order *big.Int
	alg   Algorithms
}

// NewInsecure returns the group of the integers modulo order, which is at least 2 and
// need not be prime: counting divides by no exponent. name is its name in events and
// may be empty.
func NewInsecure(name string, order *big.Int, alg Algorithms, bucket count.Bucket) (*Group, error) {
	if order.Cmp(big.NewInt(2)) < 0 {
		return nil, fmt.Errorf("order %v is less than 2", order)
	}
	if err := alg.Check(); err != nil {
		return nil, err
	}
	return &Group{&core{name, new(big.Int).Set(order), alg}, bucket}, nil
}

// Phase returns the same group for a phase inside the phase of g.
func (g *Group) Phase(name string) *Group { return &Group{g.core, g.bucket.Sub(name)} }

// Order returns a copy of n.
func (g *Group) Order() *big.Int { return new(big.Int).Set(g.core.order) }

// Neutral returns the neutral element.
func (g *Group) Neutral() *Element { return g.core.element(new(big.Int), nil) }

// Value returns v mod n as an element. 1 generates the group, so v is the
// discrete logarithm of the element.
func (g *Group) Value(v *big.Int) *Element { return g.core.element(new(big.Int).Set(v), nil) }

// Random returns an element drawn from r.
func (g *Group) Random(r io.Reader) (*Element, error) {
	b := make([]byte, (g.core.order.BitLen()+7)/8+16) // 128 extra bits: uniform to within 2⁻¹²⁸
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, err
	}
	return g.core.element(new(big.Int).SetBytes(b), nil), nil
}

// Hash returns an element derived from msg.
func (g *Group) Hash(msg []byte) *Element {
	g.count(count.One(count.HashToCurve))
	h := sha256.Sum256(msg)
	return g.core.element(new(big.Int).SetBytes(h[:]), nil)
}

// Encode evaluates e and returns it in the byte length of the order.
func (g *Group) Encode(e *Element) []byte {
	g.Compute(e)
	g.count(count.One(count.Encode))
	return e.value.FillBytes(make([]byte, (g.core.order.BitLen()+7)/8))
}

// Decode parses the output of Encode.
func (g *Group) Decode(b []byte) (*Element, error) {
	v := new(big.Int).SetBytes(b)
	if len(b) != (g.core.order.BitLen()+7)/8 || v.Cmp(g.core.order) >= 0 {
		return nil, fmt.Errorf("%d bytes are not the encoding of an element", len(b))
	}
	g.count(count.One(count.Decode))
	return g.core.element(v, nil), nil
}

// Equal evaluates both elements and compares them.
func (g *Group) Equal(a, b *Element) bool { return g.Compute(a).value.Cmp(g.Compute(b).value) == 0 }

func (g *Group) count(e count.Event) {
	e.Group = g.core.name
	g.bucket.Count(e, 1)
}
