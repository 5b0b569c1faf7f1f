package csp

import "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"

// Family describes this system for public parameters, wire format and flags.
var Family = rangeproof.Family{
	Kind:    rangeproof.CSP,
	Sound:   true,
	Variant: 2,
	Params:  12,
	Lists: []rangeproof.Generator{
		{Name: "left CSP generators", Domain: "CSPRangeProof.L"},
		{Name: "right CSP generators", Domain: "CSPRangeProof.R"},
	},
	ListLen: func(n int) int { return n + 1 },
	Rounds:  func(int) int { return 0 }, // the format omits the field
	New: func(gs rangeproof.Generators) (rangeproof.System, error) {
		return New(Config{
			Group: gs.Group, Bits: gs.Bits, G0: gs.Pedersen[0], G1: gs.Pedersen[1], H: gs.Pedersen[2],
			Left: gs.Lists[0], Right: gs.Lists[1], TableBytes: gs.TableBytes,
		})
	},
}
