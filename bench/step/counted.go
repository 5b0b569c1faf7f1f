package step

import "github.com/zkatbench/zkatbench/count"

// counted are the columns of group operations: what package count calls them,
// whether they count terms instead of calls, and whether they are of G2.
var counted = map[Column]struct {
	op        count.Op
	terms, g2 bool
}{
	ScalarMul: {op: count.ScalarMul}, MSM: {op: count.MSM}, MSMTerms: {op: count.MSM, terms: true},
	FixedMSM: {op: count.FixedMSM}, FixedMSMTerms: {op: count.FixedMSM, terms: true},
	G2ScalarMul: {op: count.ScalarMul, g2: true}, G2MSMTerms: {op: count.MSM, terms: true, g2: true},
	PairingTerms: {op: count.Pairing, terms: true}, FinalExp: {op: count.FinalExp}, HashToCurve: {op: count.HashToCurve},
	FieldMul: {op: count.FieldMul, terms: true}, FieldInv: {op: count.FieldInv, terms: true},
	Encode: {op: count.Encode, terms: true}, Decode: {op: count.Decode, terms: true},
}

// Counted returns counts as the columns of a row.
func Counted(c count.Counts) (row Row) {
	outer, g2 := c.Outer(), c.In("G2")
	others := c.Select(func(e count.Event) bool { return e.Group != "G2" })
	row[Add], row[Double], row[Neg] = outer.Adds, outer.Doubles, outer.Negs
	for column, of := range counted {
		from := others
		if of.g2 {
			from = g2
		}
		if row[column] = from.Calls(of.op); of.terms {
			row[column] = from.Terms(of.op)
		}
	}
	return row
}
