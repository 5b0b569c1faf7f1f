package bn254

import (
	"slices"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Group is the curve under one of its names.
type Group struct {
	name string
	id   int
	hash func(msg []byte) curve.G1Affine

	portable bool // never on the vector kernel
}

// Portable returns g on the portable kernel. Results are the same.
func (g *Group) Portable() *Group {
	p := *g
	p.portable = true
	return &p
}

// Name is the curve's name in flags.
func (g *Group) Name() string { return g.name }

// ID is the curve's identifier on the wire.
func (g *Group) ID() int { return g.id }

// PointLen is the length of an uncompressed point in bytes.
func (g *Group) PointLen() int { return 2 * fp.Bytes }

// AppendPoint appends the uncompressed encoding of p.
func (g *Group) AppendPoint(dst []byte, p group.Point) []byte {
	return appendAffine(dst, affine(&p))
}

func appendAffine(dst []byte, a curve.G1Affine) []byte {
	n := len(dst)
	dst = slices.Grow(dst, 2*fp.Bytes)[:n+2*fp.Bytes]
	fp.BigEndian.PutElement((*[fp.Bytes]byte)(dst[n:]), a.X)
	fp.BigEndian.PutElement((*[fp.Bytes]byte)(dst[n+fp.Bytes:]), a.Y)
	if a.IsInfinity() {
		dst[n] = infinity
	}
	return dst
}

// AppendPoints appends prefix and encoding of each point.
func (g *Group) AppendPoints(dst, prefix []byte, ps []group.Point) []byte {
	dst = slices.Grow(dst, len(ps)*(len(prefix)+2*fp.Bytes))
	for i := range ps {
		dst = appendAffine(append(dst, prefix...), affine(&ps[i]))
	}
	return dst
}

// DecodePoint reads one uncompressed point.
func (g *Group) DecodePoint(b []byte) (p group.Point, err error) {
	a, err := decodeAffine(b)
	if err != nil {
		return p, err
	}
	if !a.IsInfinity() && !inSubgroup(&a) {
		return p, group.ErrNotInSubgroup
	}
	return point(&a), nil
}

// DecodePoints reads uncompressed points, and checks together that they are in
// the group.
func (g *Group) DecodePoints(dst []group.Point, bs [][]byte) (int, error) {
	ws := g.take()
	defer ws.put()
	read, failure := grow(&ws.bases, len(bs))[:0], error(nil)
	for _, b := range bs {
		a, err := decodeAffine(b)
		if err != nil {
			failure = err
			break
		}
		read = append(read, a)
	}
	if i := ws.firstOutside(read); i < len(read) {
		return i, group.ErrNotInSubgroup
	}
	if failure != nil {
		return len(read), failure
	}
	for i := range read {
		dst[i] = point(&read[i])
	}
	return len(read), nil
}

// decodeAffine reads one uncompressed point of the curve, in any subgroup.
func decodeAffine(b []byte) (a curve.G1Affine, err error) {
	if len(b) != 2*fp.Bytes {
		return a, group.ErrLength
	}
	if isInfinity(b) {
		return a, nil
	}
	x, errX := fp.BigEndian.Element((*[fp.Bytes]byte)(b))
	y, errY := fp.BigEndian.Element((*[fp.Bytes]byte)(b[fp.Bytes:]))
	if errX != nil || errY != nil {
		return a, group.ErrNotCanonical
	}
	read := curve.G1Affine{X: x, Y: y}
	if !onCurve(&read) {
		return a, group.ErrNotOnCurve
	}
	return read, nil
}

// fieldOrder returns the order of the base field, as limbs.
func fieldOrder() (l fp.Element) {
	setLimbs(l[:], fp.Modulus())
	return l
}

func isInfinity(b []byte) bool {
	if b[0] != infinity {
		return false
	}
	var rest byte
	for _, v := range b[1:] {
		rest |= v
	}
	return rest == 0
}

// onCurve reports whether y² = x³ + b; (0, 0) is not on the curve.
func onCurve(a *curve.G1Affine) bool {
	var left, right fp.Element
	left.Square(&a.Y)
	right.Square(&a.X)
	right.Mul(&right, &a.X)
	right.Add(&right, &coeffB)
	return left.Equal(&right)
}

// HashToPoint is mathlib's HashToG1.
func (g *Group) HashToPoint(msg []byte) group.Point {
	a := g.hash(msg)
	return point(&a)
}

// Generator is the curve's standard generator.
func (g *Group) Generator() group.Point { return generator }

var generator = func() group.Point {
	_, _, a, _ := curve.Generators()
	return point(&a)
}()

// Equal reports whether p = q.
func (g *Group) Equal(p, q group.Point) bool {
	a, b := affine(&p), affine(&q)
	return a.Equal(&b)
}

// AddPoints returns p + q.
func (g *Group) AddPoints(p, q group.Point) group.Point {
	var j curve.G1Jac
	a, b := affine(&p), affine(&q)
	j.FromAffine(&a).AddMixed(&b)
	return normal(&j)
}

// normal returns j as a Point.
func normal(j *curve.G1Jac) group.Point {
	var a curve.G1Affine
	a.FromJacobian(j)
	return point(&a)
}

// SubPoints returns p - q.
func (g *Group) SubPoints(p, q group.Point) group.Point {
	a := affine(&q)
	a.Neg(&a)
	return g.AddPoints(p, point(&a))
}

// SubPointVec sets dst[i] = ps[i] - qs[i], with one inversion for batchLen.
func (g *Group) SubPointVec(dst, ps, qs []group.Point) {
	ws := g.take()
	defer ws.put()
	for i := 0; i < len(ps); i += batchLen {
		n := min(batchLen, len(ps)-i)
		ws.reset()
		acc, in := ws.acc.cut(0, n), ws.in.cut(0, n)
		for k := range n {
			p, q := affine(&ps[i+k]), affine(&qs[i+k])
			acc.load(k, p)
			in.load(k, *q.Neg(&q))
		}
		acc.add(in)
		results := grow(&ws.partial, n)
		acc.store(results)
		for k := range results {
			dst[i+k] = point(&results[k])
		}
	}
}
