package suite

import (
	"strings"

	"github.com/zkatbench/zkatbench/count"
)

// figures are all units of -ops: groups with the calls of operations, or with the terms
// of these calls. Doublings in G2 are additions of equal points, which do not occur.
var figures = []string{
	"neg/op", "scalar-mul/op", "msm/op", "msm-terms/op", "encode/op", "decode/op", "field-mul/op",
	"G2-add/op", "G2-scalar-mul/op", "G2-msm/op", "G2-msm-terms/op", "G2-encode/op", "G2-decode/op",
	"GT-pairing/op", "GT-pairing-terms/op", "GT-final-exp/op",
}

// units returns the figures that are not 0; all of them of nil.
func units(c count.Counts) (us []count.Unit) {
	values := map[string]uint64{}
	for _, group := range []string{"", "G2", "GT"} {
		for _, op := range count.Ops() {
			name := strings.TrimPrefix(group+"-"+op.String(), "-")
			values[name+"/op"], values[name+"-terms/op"] = c.In(group).Calls(op), c.In(group).Terms(op)
		}
	}
	for _, name := range figures {
		if values[name] > 0 || c == nil {
			us = append(us, count.Unit{Name: name, Value: values[name]})
		}
	}
	return us
}
