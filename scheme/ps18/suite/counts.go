package suite

import "github.com/zkatbench/zkatbench/count"

// figure is a unit of -ops: the calls of an operation, or the terms of these calls.
type figure struct {
	unit, group string
	op          count.Op
	terms       bool
}

// figures are all units. Doublings in G2 are additions of equal points, which do
// not occur.
var figures = []figure{
	{"neg/op", "", count.Neg, false},
	{"scalar-mul/op", "", count.ScalarMul, false},
	{"msm/op", "", count.MSM, false},
	{"msm-terms/op", "", count.MSM, true},
	{"encode/op", "", count.Encode, false},
	{"decode/op", "", count.Decode, false},
	{"field-mul/op", "", count.FieldMul, false},
	{"G2-add/op", "G2", count.Add, false},
	{"G2-scalar-mul/op", "G2", count.ScalarMul, false},
	{"G2-msm/op", "G2", count.MSM, false},
	{"G2-msm-terms/op", "G2", count.MSM, true},
	{"G2-encode/op", "G2", count.Encode, false},
	{"G2-decode/op", "G2", count.Decode, false},
	{"GT-pairing/op", "GT", count.Pairing, false},
	{"GT-pairing-terms/op", "GT", count.Pairing, true},
	{"GT-final-exp/op", "GT", count.FinalExp, false},
}

// units returns the figures that are not 0; all of them of nil.
func units(c count.Counts) (us []count.Unit) {
	for _, f := range figures {
		value := c.In(f.group).Calls(f.op)
		if f.terms {
			value = c.In(f.group).Terms(f.op)
		}
		if value > 0 || c == nil {
			us = append(us, count.Unit{Name: f.unit, Value: value})
		}
	}
	return us
}
