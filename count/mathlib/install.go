// Package mathlib counts the operations of code that is written on IBM/mathlib,
// without changing that code.
//
//	install.go  Wrap one curve, or Install over all that mathlib knows
//	curve.go    the counting driver.Curve
//	scalar.go   its Zr
//	points.go   its G1 and G2
//	target.go   its Gt
//
// The driver stands on mathlib's public layer, so it can be put around any
// *math.Curve, whoever wrote the driver below and whatever its identifier.
// Every value is mathlib's own; nothing is computed twice and no result
// changes.
//
// Wrapped values accept operands that were made before, by the curve
// underneath. The other way round mathlib's drivers refuse (they panic), so code
// that is counted should make its elements after wrapping.
package mathlib

import (
	"fmt"
	"sync"

	math "github.com/IBM/mathlib"

	"github.com/zkatbench/zkatbench/count"
)

// Wrap returns a curve that does what c does, under the same identifier, and
// counts in bucket. G1 has no name in the events; G2 and GT have.
func Wrap(c *math.Curve, bucket count.Bucket) *math.Curve {
	d := &curve{c: c, id: c.ID(), bucket: bucket}
	return math.NewCurve(d,
		math.NewG1(d.GenG1(), d.id), math.NewG2(d.GenG2(), d.id), math.NewGt(d.GenGt(), d.id),
		math.NewZr(d.GroupOrder(), d.id),
		c.CoordByteSize, c.G1ByteSize, c.CompressedG1ByteSize, c.G2ByteSize, c.CompressedG2ByteSize,
		c.ScalarByteSize, d.id)
}

// maxID bounds the identifiers that Install makes room for in math.Curves.
const maxID = 1 << 16

// Install puts counting curves in place of all in math.Curves, and adds
// counting ones for others, whose identifiers may be beyond the end of that
// list. remove puts back the very list that was there.
//
// math.Curves is a variable of mathlib that nothing guards: install and remove
// while nobody uses it, and remove in the reverse order of installing.
func Install(bucket count.Bucket, others ...*math.Curve) (remove func(), err error) {
	before := math.Curves
	curves := append(make([]*math.Curve, 0, len(before)+len(others)), before...)
	for _, c := range others {
		id := int(c.ID())
		if id < 0 || id > maxID {
			return nil, fmt.Errorf("curve identifier %d is not between 0 and %d", id, maxID)
		}
		for len(curves) <= id {
			curves = append(curves, nil)
		}
		curves[id] = c
	}
	for i, c := range curves {
		if c != nil {
			curves[i] = Wrap(c, bucket)
		}
	}
	math.Curves = curves
	return sync.OnceFunc(func() { math.Curves = before }), nil
}
