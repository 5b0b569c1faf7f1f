// Package rep holds the memory layout of group.Scalar and group.Point.
//
// It is internal so that the two types are opaque: only package group and the
// backends below it can look inside or make a value, and every value that
// they make is valid (reduced, on the curve, in the prime-order subgroup).
package rep

import (
	"fmt"
	"io"
)

// Scalar is an integer modulo the group order, at most 256 bits, in the form
// its backend chose (canonical or Montgomery). The zero value is 0 in both.
type Scalar struct {
	limb [4]uint64
}

// Format implements fmt.Formatter for every verb: it writes no secret.
func (Scalar) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "scalar") }

// Limbs gives a backend access to the limbs of s.
func Limbs(s *Scalar) *[4]uint64 { return &s.limb }

// Point is an element of the prime-order group. The zero value is the
// identity. A native backend keeps affine coordinates in limb, X first, each
// on half of its backend's width; a backend with a library that keeps its
// objects stores one in ext and never changes it afterwards.
type Point struct {
	limb [12]uint64
	ext  any
}

// Coords gives a backend access to the coordinates of p.
func Coords(p *Point) *[12]uint64 { return &p.limb }

// Ext returns the library object that WithExt stored, or nil.
func Ext(p *Point) any { return p.ext }

// WithExt returns a Point that holds the library object v.
func WithExt(v any) Point { return Point{ext: v} }

// CurvePoint is a point of the curve in any subgroup. It is a separate type
// so that it cannot stand where a Point is asked for. The zero value is the
// identity.
type CurvePoint struct{ p Point }

// Coordinates gives a backend access to the representation of p, which is that
// of a Point.
func Coordinates(p *CurvePoint) *Point { return &p.p }
