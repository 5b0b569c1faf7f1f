package suite

import "github.com/zkatbench/zkatbench/bench"

// Subject is the signature scheme as a subject of the harness.
var Subject = bench.Subject{
	Name:    "ps18",
	Summary: "pairing signatures of Pointcheval and Sanders, CT-RSA 2018",
	Package: "./scheme/ps18/suite",
	Axes:    bench.Axes(curveName, messages, backend, verify, key, batch),
	Ops:     []bench.Op{keyGen, sign, verifySignature, decode, verifyBatch},
	Header:  header,
	Units:   units,
	Costs:   costs,
}

// The exact figures: bytes of a signature and of a public key.
const (
	sigUnit = "sig-B"
	keyUnit = "pk-B"
)

func header(*bench.Selection) bench.Header {
	return bench.Header{
		Exact:  []string{sigUnit, keyUnit},
		Config: [][2]string{{"ps18", "variable time; for measurement"}},
	}
}
