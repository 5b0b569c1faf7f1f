package mathlib

import "github.com/zkatbench/zkatbench/token/crypto/group"

// table is a list of points without precomputation.
type table struct{ points []group.Point }

func (t *table) Len() int                { return len(t.points) }
func (t *table) Point(i int) group.Point { return t.points[i] }
func (t *table) Bytes() int              { return 0 }

// NewTable keeps ps.
func (c *Curve) NewTable(ps []group.Point, _ int) group.Table {
	return &table{append([]group.Point(nil), ps...)}
}

// FixedMSM evaluates each row as a plain MSM.
func (c *Curve) FixedMSM(dst []group.Point, t group.Table, rows []group.Row) {
	for k, row := range rows {
		ps := make([]group.Point, len(row.Scalars))
		for i := range ps {
			ps[i] = t.Point(row.At(i))
		}
		dst[k] = c.msm(ps, row.Scalars)
	}
}

// bitTable is a list of pairs without precomputation.
type bitTable struct{ one, zero []group.Point }

func (t bitTable) Len() int   { return len(t.one) }
func (t bitTable) Bytes() int { return 0 }

// NewBitTable keeps the pairs.
func (c *Curve) NewBitTable(one, zero []group.Point) group.BitTable {
	return bitTable{append([]group.Point(nil), one...), append([]group.Point(nil), zero...)}
}

// SumBits adds the chosen points.
func (c *Curve) SumBits(t group.BitTable, v uint64) group.Point {
	pairs := t.(bitTable)
	chosen := make([]group.Point, t.Len())
	for i := range chosen {
		chosen[i] = pairs.zero[i]
		if v>>i&1 == 1 {
			chosen[i] = pairs.one[i]
		}
	}
	return c.sum(chosen)
}

// digitTable is a list of points without precomputation.
type digitTable []group.Point

func (t digitTable) Len() int   { return len(t) }
func (t digitTable) Bytes() int { return 0 }

// NewDigitTable keeps ps.
func (c *Curve) NewDigitTable(ps []group.Point) group.DigitTable {
	return digitTable(append([]group.Point(nil), ps...))
}

// AddDigits adds a plain MSM to each dst[k].
func (c *Curve) AddDigits(dst []group.Point, t group.DigitTable, rows [][]uint8) {
	for k, digits := range rows {
		ss := make([]group.Scalar, len(digits))
		for i, d := range digits {
			ss[i] = c.Uint64(uint64(d))
		}
		dst[k] = c.AddPoints(dst[k], c.msm(t.(digitTable)[:len(digits)], ss))
	}
}
