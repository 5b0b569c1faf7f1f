// Package mathlib counts the operations of code that uses IBM/mathlib, without
// changes to that code.
//
// Wrap counts for one curve, Install for all curves of mathlib. Most methods
// are generated from mathlib's interfaces.
//
// The driver uses mathlib's public layer, so it can wrap any *math.Curve,
// regardless of its driver and its identifier. Every value is a value of
// mathlib; the wrapper repeats no work and changes no result.
//
// Wrapped values accept operands made earlier by the underlying curve.
// Conversely, mathlib's drivers panic on wrapped operands, so code to be
// counted should make its elements after wrapping.
package mathlib

import (
	"fmt"
	"sync"

	math "github.com/IBM/mathlib"

	"github.com/zkatbench/zkatbench/count"
)

// Wrap returns a curve with the behaviour and the identifier of c that counts
// in bucket. The name of G1 in events is empty.
func Wrap(c *math.Curve, bucket count.Bucket) *math.Curve {
	d := &curve{v: c, id: c.ID(), bucket: bucket}
	return math.NewCurve(d,
		math.NewG1(d.GenG1(), d.id), math.NewG2(d.GenG2(), d.id), math.NewGt(d.GenGt(), d.id),
		math.NewZr(d.GroupOrder(), d.id),
		c.CoordByteSize, c.G1ByteSize, c.CompressedG1ByteSize, c.G2ByteSize, c.CompressedG2ByteSize,
		c.ScalarByteSize, d.id)
}

// maxID bounds the identifiers for which Install extends math.Curves.
const maxID = 1 << 16

// Install replaces all curves in math.Curves by counting ones, and adds
// counting versions of others, with identifiers possibly beyond the end of the
// list. remove restores the original list.
//
// math.Curves is an unsynchronised variable of mathlib: install and remove
// while no other goroutine uses it, and remove in the reverse order of
// installation.
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
