package lead254

import (
	"math/big"
	"sync"
	"unsafe"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/internal/rep"
)

// native is the Group.
type native struct {
	field
	name   string
	id     int
	hash   func(msg []byte) affine
	gen    affine
	spaces sync.Pool
}

var _ group.Group = (*native)(nil)

func newCurve(name string, id int, hash func(msg []byte) affine) *native {
	_, _, gen, _ := curve.Generators()
	n := &native{name: name, id: id, hash: hash, gen: gen}
	n.spaces.New = func() any { return new(space) }
	return n
}

// Name is the curve's name in flags.
func (n *native) Name() string { return n.name }

// ID is the curve's identifier on the wire.
func (n *native) ID() int { return n.id }

// A Point holds an affine point at the start of its coordinates; this does not
// compile if they are too short.
var _ [unsafe.Sizeof([12]uint64{}) - unsafe.Sizeof(affine{})]byte

func point(p *group.Point) *affine { return (*affine)(unsafe.Pointer(rep.Coords(p))) }

func wrap(a *affine) (p group.Point) {
	*point(&p) = *a
	return p
}

func wrapJacobian(j *jacobian) group.Point {
	var a affine
	a.FromJacobian(j)
	return wrap(&a)
}

// Generator is the curve's standard generator.
func (n *native) Generator() group.Point { return wrap(&n.gen) }

// Equal reports whether p = q: affine coordinates are unique.
func (*native) Equal(p, q group.Point) bool { return point(&p).Equal(point(&q)) }

// IsIdentity reports whether p is the identity.
func (*native) IsIdentity(p group.Point) bool { return point(&p).IsInfinity() }

// AddPoints returns p + q.
func (*native) AddPoints(p, q group.Point) group.Point {
	var j jacobian
	j.FromAffine(point(&p))
	j.AddMixed(point(&q))
	return wrapJacobian(&j)
}

// SubPoints returns p - q.
func (*native) SubPoints(p, q group.Point) group.Point {
	var j jacobian
	var minus affine
	minus.Neg(point(&q))
	j.FromAffine(point(&p))
	j.AddMixed(&minus)
	return wrapJacobian(&j)
}

// Sum returns Σ Pᵢ.
func (*native) Sum(ps []group.Point) group.Point {
	var j jacobian
	j.FromAffine(&affine{})
	for i := range ps {
		j.AddMixed(point(&ps[i]))
	}
	return wrapJacobian(&j)
}

// SumPow2 returns Σ 2ⁱ·Pᵢ by Horner's rule.
func (*native) SumPow2(ps []group.Point) group.Point {
	var j jacobian
	j.FromAffine(&affine{})
	for i := len(ps) - 1; i >= 0; i-- {
		j.DoubleAssign()
		j.AddMixed(point(&ps[i]))
	}
	return wrapJacobian(&j)
}

// MulPoint returns s·P with the curve's endomorphism.
func (*native) MulPoint(p group.Point, s group.Scalar) group.Point {
	var k big.Int
	var r affine
	r.ScalarMultiplication(point(&p), in(&s).BigInt(&k))
	return wrap(&r)
}
