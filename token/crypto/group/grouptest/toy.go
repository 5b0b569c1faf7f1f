package grouptest

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/internal/rep"
)

// toyPointLen is the length of an encoded point of a toy: one integer.
const toyPointLen = 8

// toyID is the wire identifier of every toy; no curve has it.
const toyID = 255

// toy is the additive group of the integers modulo q. Points and scalars are
// the same integers, so that discrete logarithms are the points themselves.
type toy struct{ q uint64 }

var _ group.Group = toy{}

// Toy returns the additive group of ℤ/q for a prime 2 < q < 2³¹. It is NOT
// secure: it exists so that tests can try every value there is.
func Toy(q uint64) group.Group {
	if q <= 2 || q >= 1<<31 || !new(big.Int).SetUint64(q).ProbablyPrime(20) {
		panic(fmt.Sprintf("grouptest: %d is not an odd prime below 2^31", q))
	}
	return toy{q}
}

func (g toy) scalar(v uint64) (s group.Scalar) {
	rep.Limbs(&s)[0] = v % g.q
	return s
}

func (g toy) point(v uint64) (p group.Point) {
	rep.Coords(&p)[0] = v % g.q
	return p
}

func ofScalar(s group.Scalar) uint64 { return rep.Limbs(&s)[0] }
func ofPoint(p group.Point) uint64   { return rep.Coords(&p)[0] }

func (g toy) Name() string    { return fmt.Sprintf("TOY%d", g.q) }
func (g toy) ID() int         { return toyID }
func (g toy) Order() *big.Int { return new(big.Int).SetUint64(g.q) }

func (g toy) Uint64(v uint64) group.Scalar { return g.scalar(v) }

func (g toy) Reduce(b []byte) group.Scalar {
	v := new(big.Int).SetBytes(b)
	return g.scalar(v.Mod(v, g.Order()).Uint64())
}

func (g toy) Add(a, b group.Scalar) group.Scalar { return g.scalar(ofScalar(a) + ofScalar(b)) }
func (g toy) Sub(a, b group.Scalar) group.Scalar { return g.scalar(ofScalar(a) + g.q - ofScalar(b)) }
func (g toy) Mul(a, b group.Scalar) group.Scalar { return g.scalar(ofScalar(a) * ofScalar(b)) }
func (g toy) Neg(a group.Scalar) group.Scalar    { return g.scalar(g.q - ofScalar(a)) }

// Inv is a^(q-2), which is 0 for 0.
func (g toy) Inv(a group.Scalar) group.Scalar {
	v := new(big.Int).SetUint64(ofScalar(a))
	return g.scalar(v.Exp(v, new(big.Int).SetUint64(g.q-2), g.Order()).Uint64())
}

// each sets dst[i] to f(i).
func each(dst []group.Scalar, f func(i int) group.Scalar) {
	for i := range dst {
		dst[i] = f(i)
	}
}

func (g toy) AddVec(dst, a, b []group.Scalar) {
	each(dst, func(i int) group.Scalar { return g.Add(a[i], b[i]) })
}

func (g toy) MulVec(dst, a, b []group.Scalar) {
	each(dst, func(i int) group.Scalar { return g.Mul(a[i], b[i]) })
}

func (g toy) ScaleVec(dst, a []group.Scalar, c group.Scalar) { g.FoldVec(dst, a, a, c, group.Scalar{}) }

func (g toy) FoldVec(dst, a, b []group.Scalar, x, y group.Scalar) {
	each(dst, func(i int) group.Scalar { return g.Add(g.Mul(x, a[i]), g.Mul(y, b[i])) })
}

func (g toy) InvVec(dst, a []group.Scalar) {
	each(dst, func(i int) group.Scalar { return g.Inv(a[i]) })
}

func (g toy) Powers(dst []group.Scalar, x group.Scalar) {
	next := g.scalar(1)
	each(dst, func(int) (p group.Scalar) {
		p, next = next, g.Mul(next, x)
		return p
	})
}

func (g toy) Inner(a, b []group.Scalar) (sum group.Scalar) {
	for i := range a {
		sum = g.Add(sum, g.Mul(a[i], b[i]))
	}
	return sum
}

func (g toy) PointLen() int { return toyPointLen }

func (g toy) AppendPoint(dst []byte, p group.Point) []byte {
	return binary.BigEndian.AppendUint64(dst, ofPoint(p))
}

func (g toy) AppendPoints(dst, prefix []byte, ps []group.Point) []byte {
	for _, p := range ps {
		dst = g.AppendPoint(append(dst, prefix...), p)
	}
	return dst
}

func (g toy) DecodePoint(b []byte) (group.Point, error) {
	if len(b) != toyPointLen {
		return group.Point{}, group.ErrLength
	}
	v := binary.BigEndian.Uint64(b)
	if v >= g.q {
		return group.Point{}, group.ErrNotCanonical
	}
	return g.point(v), nil
}

func (g toy) DecodePoints(dst []group.Point, bs [][]byte) (int, error) {
	return group.DecodeEach(dst, bs, g.DecodePoint)
}

func (g toy) AppendScalar(dst []byte, s group.Scalar) []byte {
	dst = append(dst, make([]byte, group.ScalarLen-8)...)
	return binary.BigEndian.AppendUint64(dst, ofScalar(s))
}

func (g toy) DecodeScalar(b []byte) (group.Scalar, error) {
	if len(b) != group.ScalarLen {
		return group.Scalar{}, group.ErrLength
	}
	if new(big.Int).SetBytes(b).Cmp(g.Order()) >= 0 {
		return group.Scalar{}, group.ErrNotCanonical
	}
	return g.Reduce(b), nil
}

// HashToPoint never gives the identity, as a curve practically never does.
func (g toy) HashToPoint(msg []byte) group.Point {
	h := sha256.Sum256(msg)
	return g.point(1 + binary.BigEndian.Uint64(h[:])%(g.q-1))
}

func (g toy) Generator() group.Point { return g.point(1) }

func (g toy) Equal(p, q group.Point) bool            { return ofPoint(p) == ofPoint(q) }
func (g toy) AddPoints(p, q group.Point) group.Point { return g.point(ofPoint(p) + ofPoint(q)) }
func (g toy) SubPoints(p, q group.Point) group.Point { return g.point(ofPoint(p) + g.q - ofPoint(q)) }

func (g toy) SubPointVec(dst, ps, qs []group.Point) {
	for i := range ps {
		dst[i] = g.SubPoints(ps[i], qs[i])
	}
}

func (g toy) times(p group.Point, s group.Scalar) group.Point {
	return g.point(ofPoint(p) * ofScalar(s))
}

func (g toy) MSMs(dst []group.Point, rows []group.Terms) {
	for k, row := range rows {
		dst[k] = group.Point{}
		for i := len(row.Pow2) - 1; i >= 0; i-- {
			dst[k] = g.AddPoints(g.AddPoints(dst[k], dst[k]), row.Pow2[i])
		}
		for i, p := range row.Points {
			dst[k] = g.AddPoints(dst[k], g.times(p, row.Scalars[i]))
		}
		for _, p := range row.Plus {
			dst[k] = g.AddPoints(dst[k], p)
		}
	}
}

// toyTable is a list of points, without precomputed multiples.
type toyTable struct{ points []group.Point }

func (t *toyTable) Len() int                { return len(t.points) }
func (t *toyTable) Point(i int) group.Point { return t.points[i] }
func (t *toyTable) Bytes() int              { return 0 }

func (g toy) NewTable(ps []group.Point, _ int) group.Table {
	return &toyTable{slices.Clone(ps)}
}

func (g toy) FixedMSM(dst []group.Point, t group.Table, rows []group.Row) {
	for k, row := range rows {
		var sum group.Point
		for i, s := range row.Scalars {
			sum = g.AddPoints(sum, g.times(t.Point(row.At(i)), s))
		}
		dst[k] = sum
	}
}

// toyBits holds the point for a clear and a set bit.
type toyBits [][2]group.Point

func (t toyBits) Len() int   { return len(t) }
func (t toyBits) Bytes() int { return 0 }

func (g toy) NewBitTable(one, zero []group.Point) group.BitTable {
	t := make(toyBits, len(one))
	for i := range t {
		t[i] = [2]group.Point{zero[i], one[i]}
	}
	return t
}

func (g toy) SumBits(t group.BitTable, v uint64) (sum group.Point) {
	for i, pair := range t.(toyBits) {
		sum = g.AddPoints(sum, pair[v>>i&1])
	}
	return sum
}

func (g toy) DecodeCurvePoint(b []byte) (group.CurvePoint, error) {
	p, err := g.DecodePoint(b)
	return group.OnCurve(p), err
}

func (g toy) CurveSum(t group.Table, row group.Row, ps []group.CurvePoint,
	ss []group.Scalar) group.CurvePoint {
	var sum [1]group.Point
	g.FixedMSM(sum[:], t, []group.Row{row})
	for i := range ps {
		sum[0] = g.AddPoints(sum[0], g.times(*rep.Coordinates(&ps[i]), ss[i]))
	}
	return group.OnCurve(sum[0])
}

func (g toy) IsTorsion(p group.CurvePoint) bool { return group.IsIdentity(*rep.Coordinates(&p)) }

func (g toy) NewDigitTable(ps []group.Point) group.DigitTable { return &toyTable{slices.Clone(ps)} }

func (g toy) AddDigits(dst []group.Point, t group.DigitTable, rows [][]uint8) {
	for k, digits := range rows {
		for i, d := range digits {
			dst[k] = g.AddPoints(dst[k], g.times(t.(*toyTable).points[i], g.Uint64(uint64(d))))
		}
	}
}
