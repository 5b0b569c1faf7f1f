package bn254

import (
	"unsafe"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/internal/rep"
)

// A Scalar holds only the limbs of a fr.Element, so that slices of
// one are slices of the other. Both constants are zero, or do not compile.
const (
	_ = unsafe.Sizeof(group.Scalar{}) - unsafe.Sizeof(fr.Element{})
	_ = unsafe.Sizeof(fr.Element{}) - unsafe.Sizeof(group.Scalar{})
	_ = unsafe.Alignof(group.Scalar{}) - unsafe.Alignof(fr.Element{})
)

// elements views scalars as field elements.
func elements(s []group.Scalar) scalars {
	return unsafe.Slice((*fr.Element)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

// element views a scalar as a field element.
func element(s *group.Scalar) *fr.Element { return (*fr.Element)(rep.Limbs(s)) }

// affine returns the coordinates of p; the identity is (0, 0).
func affine(p *group.Point) (a curve.G1Affine) {
	c := rep.Coords(p)
	a.X = fp.Element(c[:fp.Limbs])
	a.Y = fp.Element(c[fp.Limbs : 2*fp.Limbs])
	return a
}

// point is the inverse of affine.
func point(a *curve.G1Affine) (p group.Point) {
	c := rep.Coords(&p)
	copy(c[:], a.X[:])
	copy(c[fp.Limbs:], a.Y[:])
	return p
}
