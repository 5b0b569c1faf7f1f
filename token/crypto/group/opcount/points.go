package opcount

import (
	"math/big"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

func (c *counting) AddPoints(p, q group.Point) group.Point {
	op := count.Add
	if c.counts && c.Group.Equal(p, q) {
		op = count.Double
	}
	defer c.enter(op, 1).Leave()
	return c.Group.AddPoints(p, q)
}

func (c *counting) SubPoints(p, q group.Point) group.Point {
	c.count(count.Neg, 1)
	defer c.enter(count.Add, 1).Leave()
	return c.Group.SubPoints(p, q)
}

// SubPointVec counts one subtraction for each element.
func (c *counting) SubPointVec(dst, ps, qs []group.Point) {
	for range ps {
		c.count(count.Neg, 1)
		c.count(count.Add, 1)
	}
	defer c.begin().Leave()
	c.Group.SubPointVec(dst, ps, qs)
}

// MSMs counts one sum for each row; sums of equal length count as sums of one
// call. Points that a row adds to its sum count as a sum of points.
func (c *counting) MSMs(dst []group.Point, rows []group.Terms) {
	if c.counts {
		c.countMSMs(rows)
	}
	defer c.begin().Leave()
	c.Group.MSMs(dst, rows)
}

func (c *counting) countMSMs(rows []group.Terms) {
	ofSize := map[int]int{} // number of sums by their number of terms
	for _, row := range rows {
		ofSize[len(row.Points)]++
	}
	for _, row := range rows {
		parts := len(row.Plus)
		if n := len(row.Points); n > 0 {
			e := count.Of(count.MSM, n)
			if ofSize[n] > 1 {
				e.Call = n * ofSize[n]
			}
			c.bucket.Count(e, 1)
			c.inside(row.Scalars)
			parts++
		}
		if len(row.Pow2) > 0 {
			c.count(count.SumPow2, len(row.Pow2))
			parts++
		}
		if len(row.Plus) > 0 || parts > 1 {
			c.count(count.Sum, parts)
		}
	}
}

func (c *counting) NewTable(ps []group.Point, budget int) group.Table {
	defer c.enter(count.Table, len(ps)).Leave()
	return c.Group.NewTable(ps, budget)
}

func (c *counting) FixedMSM(dst []group.Point, t group.Table, rows []group.Row) {
	if c.counts {
		c.countFixedMSM(t, rows)
	}
	defer c.begin().Leave()
	c.Group.FixedMSM(dst, t, rows)
}

func (c *counting) countFixedMSM(t group.Table, rows []group.Row) {
	ofSize := map[int]int{} // number of sums by their number of terms
	for _, row := range rows {
		ofSize[len(row.Scalars)]++
	}
	for _, row := range rows {
		n := len(row.Scalars)
		call := count.Together{Call: n * ofSize[n], Table: t.Len()}
		c.bucket.Count(count.Event{Op: count.FixedMSM, Size: n, Together: call}, 1)
		c.insideTable(row.Scalars)
	}
}

func (c *counting) NewBitTable(one, zero []group.Point) group.BitTable {
	defer c.enter(count.BitTable, len(one)).Leave()
	return c.Group.NewBitTable(one, zero)
}

func (c *counting) SumBits(t group.BitTable, v uint64) group.Point {
	if c.counts {
		c.count(count.SumBits, t.Len())
	}
	defer c.begin().Leave()
	return c.Group.SumBits(t, v)
}

func (c *counting) AppendPoint(dst []byte, p group.Point) []byte {
	defer c.enter(count.Encode, 1).Leave()
	return c.Group.AppendPoint(dst, p)
}

func (c *counting) AppendPoints(dst, prefix []byte, ps []group.Point) []byte {
	defer c.enter(count.Encode, len(ps)).Leave()
	return c.Group.AppendPoints(dst, prefix, ps)
}

func (c *counting) DecodePoint(b []byte) (group.Point, error) {
	defer c.enter(count.Decode, 1).Leave()
	return c.Group.DecodePoint(b)
}

// DecodePoints counts the encodings as terms of one call.
func (c *counting) DecodePoints(dst []group.Point, bs [][]byte) (int, error) {
	defer c.enter(count.Decode, len(bs)).Leave()
	return c.Group.DecodePoints(dst, bs)
}

func (c *counting) HashToPoint(msg []byte) group.Point {
	defer c.enter(count.HashToCurve, 1).Leave()
	return c.Group.HashToPoint(msg)
}

// DecodeCurvePoint counts as DecodePoint does.
func (c *counting) DecodeCurvePoint(b []byte) (group.CurvePoint, error) {
	defer c.enter(count.Decode, 1).Leave()
	return c.Group.DecodeCurvePoint(b)
}

// CurveSum counts a sum over the table, an MSM, and the addition of both.
func (c *counting) CurveSum(t group.Table, row group.Row, ps []group.CurvePoint,
	ss []group.Scalar) group.CurvePoint {
	if c.counts {
		c.countFixedMSM(t, []group.Row{row})
		c.count(count.MSM, len(ps))
		c.inside(ss)
		c.count(count.Add, 1)
	}
	defer c.begin().Leave()
	return c.Group.CurveSum(t, row, ps, ss)
}

func (c *counting) NewDigitTable(ps []group.Point) group.DigitTable {
	defer c.enter(count.BitTable, len(ps)).Leave()
	return c.Group.NewDigitTable(ps)
}

// AddDigits counts, for each row, one sum over a table of digits and one
// addition to the row's point.
func (c *counting) AddDigits(dst []group.Point, t group.DigitTable, rows [][]uint8) {
	for _, digits := range rows {
		c.count(count.SumBits, len(digits))
		c.count(count.Add, 1)
	}
	defer c.begin().Leave()
	c.Group.AddDigits(dst, t, rows)
}

// CountWork implements group.Observer.
func (c *counting) CountWork(w group.Work, n int) {
	switch w {
	case group.Pairings: // n Miller loops and one final exponentiation
		c.count(count.Pairing, n)
		c.count(count.FinalExp, 1)
	case group.Decodings:
		c.bucket.Count(count.One(count.Decode), uint64(n))
	case group.HashedBlocks:
		c.bucket.Count(count.Event{Group: "SHA-256", Op: count.Hash, Size: n}, 1)
	}
}

// p256 is the group of signatures.
const p256 = "P-256"

// CountSignatures counts one event for all signatures by remembered keys, one for all
// others, and one for each certificate of these. Inside, the generator and remembered keys have tables.
func (c *counting) CountSignatures(n int, signature func(i int) group.Signature) {
	sizes := map[count.Op]int{}
	for i := range n {
		s, op := signature(i), count.Verify
		if s.Known {
			op = count.VerifyKnown
		} else {
			c.bucket.Count(count.Event{Group: p256, Op: count.Certificate, Size: 1}, 1)
		}
		sizes[op]++
		switch {
		case c.model == nil:
		case s.Known:
			c.digits(p256, s.OfGenerator, s.OfKey)
		default:
			c.digits(p256, s.OfGenerator)
			c.bucket.Merge(c.model.Cost(p256, []*big.Int{s.OfKey}))
		}
	}
	for op, size := range sizes {
		c.bucket.Count(count.Event{Group: p256, Op: op, Size: size}, 1)
	}
}
