package suite

import "github.com/zkatbench/zkatbench/bench"

// Subject is ECDSA on P-256 over generated fields, as a subject of the harness.
var Subject = bench.Subject{
	Name:    "p256",
	Summary: "ECDSA on P-256 over generated fields of several limb sizes",
	Package: "./scheme/p256/suite/suitetest",
	Axes:    bench.Axes(field, messageLength),
	Ops:     []bench.Op{ecdsaSign, keyPairGen},
	Header:  header,
}

// The exact figures: operations of the field.
const (
	mulUnit    = "mul/op"
	squareUnit = "sqr/op"
	reduceUnit = "reduces/op"
)

func header(*bench.Selection) bench.Header {
	return bench.Header{
		Exact:  []string{mulUnit, squareUnit, reduceUnit},
		Config: [][2]string{{"p256", "variable time; for measurement"}},
	}
}
