package grouptest

import (
	"encoding/binary"
	"fmt"
	"math/big"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/internal/rep"
)

// Toy returns the integers modulo the prime q < 2¹⁶ as a group whose discrete
// logarithms everybody knows, for exhaustive tests: 1 is the generator, s·P is
// a product. Nothing in it is secure.
func Toy(q uint64) group.Group { return toy{q: q} }

type toy struct{ q uint64 }

func scalarOf(v uint64) (s group.Scalar) { rep.Limbs(&s)[0] = v; return s }
func pointOf(v uint64) (p group.Point)   { rep.Coords(&p)[0] = v; return p }
func value(s group.Scalar) uint64        { return rep.Limbs(&s)[0] }
func log(p group.Point) uint64           { return rep.Coords(&p)[0] }

func (t toy) Name() string    { return fmt.Sprintf("toy%d", t.q) }
func (t toy) ID() int         { return 99 }
func (t toy) Order() *big.Int { return new(big.Int).SetUint64(t.q) }

func (t toy) Uint64(v uint64) group.Scalar { return scalarOf(v % t.q) }

func (t toy) Reduce(b []byte) group.Scalar {
	v := new(big.Int).SetBytes(b)
	return scalarOf(v.Mod(v, t.Order()).Uint64())
}

func (t toy) Add(a, b group.Scalar) group.Scalar { return scalarOf((value(a) + value(b)) % t.q) }
func (t toy) Sub(a, b group.Scalar) group.Scalar { return scalarOf((value(a) + t.q - value(b)) % t.q) }
func (t toy) Mul(a, b group.Scalar) group.Scalar { return scalarOf(value(a) * value(b) % t.q) }
func (t toy) Neg(a group.Scalar) group.Scalar    { return t.Sub(group.Scalar{}, a) }

// Inv is a^(q-2).
func (t toy) Inv(a group.Scalar) group.Scalar {
	p := t.Uint64(1)
	for range t.q - 2 {
		p = t.Mul(p, a)
	}
	return p
}

func (t toy) AddVec(dst, a, b []group.Scalar) {
	for i := range dst {
		dst[i] = t.Add(a[i], b[i])
	}
}

func (t toy) MulVec(dst, a, b []group.Scalar) {
	for i := range dst {
		dst[i] = t.Mul(a[i], b[i])
	}
}

func (t toy) ScaleVec(dst, a []group.Scalar, c group.Scalar) {
	for i := range dst {
		dst[i] = t.Mul(c, a[i])
	}
}

func (t toy) FoldVec(dst, a, b []group.Scalar, x, y group.Scalar) {
	for i := range dst {
		dst[i] = t.Add(t.Mul(x, a[i]), t.Mul(y, b[i]))
	}
}

func (t toy) InvVec(dst, a []group.Scalar) {
	for i := range dst {
		dst[i] = t.Inv(a[i])
	}
}

func (t toy) Powers(dst []group.Scalar, x group.Scalar) {
	p := t.Uint64(1)
	for i := range dst {
		dst[i], p = p, t.Mul(p, x)
	}
}

func (t toy) Inner(a, b []group.Scalar) (sum group.Scalar) {
	for i := range a {
		sum = t.Add(sum, t.Mul(a[i], b[i]))
	}
	return sum
}

func (t toy) PointLen() int { return 2 }

func (t toy) AppendPoint(dst []byte, p group.Point) []byte {
	return binary.BigEndian.AppendUint16(dst, uint16(log(p)))
}

func (t toy) AppendPoints(dst, prefix []byte, ps []group.Point) []byte {
	for _, p := range ps {
		dst = t.AppendPoint(append(dst, prefix...), p)
	}
	return dst
}

func (t toy) DecodePoint(b []byte) (group.Point, error) {
	if len(b) != t.PointLen() {
		return group.Point{}, group.ErrLength
	}
	v := uint64(binary.BigEndian.Uint16(b))
	if v >= t.q {
		return group.Point{}, group.ErrNotCanonical
	}
	return pointOf(v), nil
}

func (t toy) AppendScalar(dst []byte, s group.Scalar) []byte {
	var b [group.ScalarLen]byte
	binary.BigEndian.PutUint64(b[group.ScalarLen-8:], value(s))
	return append(dst, b[:]...)
}

func (t toy) DecodeScalar(b []byte) (group.Scalar, error) {
	if len(b) != group.ScalarLen {
		return group.Scalar{}, group.ErrLength
	}
	s := t.Reduce(b)
	if new(big.Int).SetBytes(b).Cmp(t.Order()) >= 0 {
		return group.Scalar{}, group.ErrNotCanonical
	}
	return s, nil
}

func (t toy) HashToPoint(msg []byte) group.Point {
	h := uint64(14695981039346656037) // FNV-1a
	for _, c := range msg {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return pointOf(h % t.q)
}

func (t toy) Generator() group.Point                 { return pointOf(1) }
func (t toy) Equal(p, q group.Point) bool            { return log(p) == log(q) }
func (t toy) IsIdentity(p group.Point) bool          { return log(p) == 0 }
func (t toy) AddPoints(p, q group.Point) group.Point { return pointOf((log(p) + log(q)) % t.q) }
func (t toy) SubPoints(p, q group.Point) group.Point { return pointOf((log(p) + t.q - log(q)) % t.q) }
func (t toy) MulPoint(p group.Point, s group.Scalar) group.Point {
	return pointOf(log(p) * value(s) % t.q)
}

func (t toy) Sum(ps []group.Point) (sum group.Point) {
	for _, p := range ps {
		sum = t.AddPoints(sum, p)
	}
	return sum
}

func (t toy) SumPow2(ps []group.Point) (sum group.Point) {
	for i := len(ps) - 1; i >= 0; i-- {
		sum = t.AddPoints(t.AddPoints(sum, sum), ps[i])
	}
	return sum
}

func (t toy) MSM(ps []group.Point, ss []group.Scalar) (sum group.Point) {
	for i := range ps {
		sum = t.AddPoints(sum, t.MulPoint(ps[i], ss[i]))
	}
	return sum
}

// toyTable is a list of points; bits are pairs of them.
type toyTable []group.Point

func (t toyTable) Len() int                { return len(t) }
func (t toyTable) Bytes() int              { return 0 }
func (t toyTable) Point(i int) group.Point { return t[i] }

type toyBits struct{ one, zero toyTable }

func (b toyBits) Len() int   { return len(b.one) }
func (b toyBits) Bytes() int { return 0 }

func (t toy) NewTable(ps []group.Point, _ int) group.Table {
	return toyTable(append([]group.Point(nil), ps...))
}

func (t toy) FixedMSM(dst []group.Point, table group.Table, rows []group.Row) {
	for k, r := range rows {
		dst[k] = group.Point{}
		for i, s := range r.Scalars {
			dst[k] = t.AddPoints(dst[k], t.MulPoint(table.Point(r.At(i)), s))
		}
	}
}

func (t toy) NewBitTable(one, zero []group.Point) group.BitTable {
	return toyBits{one: append(toyTable(nil), one...), zero: append(toyTable(nil), zero...)}
}

func (t toy) SumBits(table group.BitTable, v uint64) (sum group.Point) {
	b := table.(toyBits)
	for i := range b.one {
		p := b.zero[i]
		if v>>i&1 == 1 {
			p = b.one[i]
		}
		sum = t.AddPoints(sum, p)
	}
	return sum
}
