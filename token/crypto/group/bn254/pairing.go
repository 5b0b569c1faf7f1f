package bn254

import (
	"math/big"
	"sync"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// PointG2 is a point of the second group of the pairing other than the
// identity, with the coefficients of its lines in the Miller loop. It is
// immutable and safe for concurrent use.
type PointG2 struct {
	affine curve.G2Affine
	lines  lines
}

func newPointG2(a curve.G2Affine) *PointG2 {
	return &PointG2{affine: a, lines: curve.PrecomputeLines(a)}
}

// GeneratorG2 returns the uncompressed encoding of the standard generator of
// the second group of the pairing: X.A1 ‖ X.A0 ‖ Y.A1 ‖ Y.A0.
func (g *Group) GeneratorG2() []byte {
	_, _, _, g2 := curve.Generators()
	b := g2.RawBytes()
	return b[:]
}

// DecodePointG2 reads exactly one uncompressed or compressed point of the
// second group: ErrLength, ErrNotCanonical, ErrIdentity, or ErrNotInSubgroup for
// points that are not in the group or not on its curve.
func (g *Group) DecodePointG2(b []byte) (*PointG2, error) {
	if len(b) != curve.SizeOfG2AffineUncompressed && len(b) != curve.SizeOfG2AffineCompressed {
		return nil, group.ErrLength
	}
	var a curve.G2Affine
	n, err := a.SetBytes(b)
	if err != nil {
		return nil, group.ErrNotInSubgroup
	}
	raw, compressed := a.RawBytes(), a.Bytes()
	switch {
	case n != len(b) || string(b) != string(raw[:]) && string(b) != string(compressed[:]):
		return nil, group.ErrNotCanonical
	case a.IsInfinity():
		return nil, group.ErrIdentity
	}
	return newPointG2(a), nil
}

// Raw returns the uncompressed encoding of q.
func (q *PointG2) Raw() []byte {
	b := q.affine.RawBytes()
	return b[:]
}

// CombineG2 returns the uncompressed encoding of s·p - t·q.
func (g *Group) CombineG2(p *PointG2, s group.Scalar, q *PointG2, t group.Scalar) []byte {
	var sum, minus curve.G2Jac
	var a curve.G2Affine
	var k big.Int
	sum.FromAffine(&p.affine)
	sum.ScalarMultiplication(&sum, element(&s).BigInt(&k))
	minus.FromAffine(&q.affine)
	minus.ScalarMultiplication(&minus, element(&t).BigInt(&k))
	sum.SubAssign(&minus)
	a.FromJacobian(&sum)
	b := a.RawBytes()
	return b[:]
}

// lineBuffers hold copies of lines: gnark-crypto's Miller loop writes into the
// lines that it is given.
var lineBuffers = sync.Pool{New: func() any { return new([]lines) }}

// PairingIsOne reports whether the product of e(ps[i], qs[i]) is 1. The lengths
// are equal.
func (g *Group) PairingIsOne(ps []group.Point, qs []*PointG2) bool {
	buffer := lineBuffers.Get().(*[]lines)
	defer lineBuffers.Put(buffer)
	points := make([]curve.G1Affine, len(ps))
	*buffer = (*buffer)[:0]
	for i := range ps {
		points[i] = affine(&ps[i])
		*buffer = append(*buffer, qs[i].lines)
	}
	one, err := curve.PairingCheckFixedQ(points, *buffer)
	return err == nil && one
}
