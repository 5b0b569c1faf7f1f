// Package mathlib implements group.Group for every curve of IBM/mathlib.
//
// Encodings are strict, around mathlib's lenient decoders, and tables have no
// precomputation.
//
// It is the reference for the native backends, and the only backend for the
// other curves. It is simple and slow: every operation is one mathlib call.
package mathlib

import (
	"fmt"
	"math/big"

	math "github.com/IBM/mathlib"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Curve is a group.Group over one mathlib curve.
type Curve struct {
	name     string
	id       int
	curve    *math.Curve
	order    *big.Int
	pointLen int
	wide     int // bytes of a coordinate
	infinity []byte
	gen      group.Point
	p, b     *big.Int // y² = x³ + b over the field of p elements
}

var _ group.Group = (*Curve)(nil)

// fastRNG is the identifier of BLS12_381_BBS_GURVY_FAST_RNG, which mathlib
// lacks: the curve of BLS12_381_BBS_GURVY under another number (specification,
// section 2.1).
const fastRNG = 8

// Names lists the curves by identifier.
var Names = []string{
	"FP256BN_AMCL", "BN254", "FP256BN_AMCL_MIRACL", "BLS12_381", "BLS12_377_GURVY",
	"BLS12_381_GURVY", "BLS12_381_BBS", "BLS12_381_BBS_GURVY", "BLS12_381_BBS_GURVY_FAST_RNG",
}

// New returns the Group of the curve with the given wire identifier.
func New(id int) (*Curve, error) {
	if id < 0 || id >= len(Names) {
		return nil, fmt.Errorf("curve %d %w", id, group.ErrUnknownCurve)
	}
	m := id
	if id == fastRNG {
		m = int(math.BLS12_381_BBS_GURVY)
	}
	return over(math.Curves[m], Names[id], id), nil
}

// over returns the Group over c, a curve of mathlib or an implementation of its
// driver interfaces, with the given name and wire identifier.
func over(c *math.Curve, name string, id int) *Curve {
	infinity := c.NewG1().Bytes()
	r := &Curve{
		name: name, id: id, curve: c,
		order:    new(big.Int).SetBytes(c.GroupOrder.Bytes()),
		pointLen: len(infinity),
		wide:     c.CoordByteSize,
		infinity: infinity,
		gen:      wrap(c.GenG1.Copy()),
	}
	r.deriveEquation()
	return r
}

// deriveEquation finds p and b from the generator: the ordinates of G and -G
// add up to p, and G satisfies the equation.
func (c *Curve) deriveEquation() {
	minus := c.g1(c.gen)
	minus.Neg()
	x, y := c.coordinates(c.g1(c.gen).Bytes())
	_, minusY := c.coordinates(minus.Bytes())
	c.p = minusY.Add(minusY, y)
	c.b = c.offset(x, y)
}

// Name returns the name of the curve in flags.
func (c *Curve) Name() string { return c.name }

// ID returns the identifier of the curve on the wire.
func (c *Curve) ID() int { return c.id }
