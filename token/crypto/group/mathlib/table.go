package mathlib

import "github.com/zkatbench/zkatbench/token/crypto/group"

// table is a list of points: this backend precomputes nothing.
type table []group.Point

func (t table) Len() int                { return len(t) }
func (t table) Point(i int) group.Point { return t[i] }
func (t table) Bytes() int              { return 0 }

// NewTable keeps ps.
func (c *Curve) NewTable(ps []group.Point, _ int) group.Table {
	return table(append([]group.Point(nil), ps...))
}

// FixedMSM evaluates each row as a plain MSM.
func (c *Curve) FixedMSM(dst []group.Point, t group.Table, rows []group.Row) {
	for k, row := range rows {
		ps := make([]group.Point, len(row.Scalars))
		for i := range ps {
			ps[i] = t.Point(row.At(i))
		}
		dst[k] = c.MSM(ps, row.Scalars)
	}
}

// bitTable is the pairs as they are.
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
	return c.Sum(chosen)
}
