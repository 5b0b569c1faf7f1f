package bulletproof

import (
	"math/bits"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
)

// Family describes this system to public parameters, wire format and flags.
var Family = rangeproof.Family{
	Kind:    rangeproof.Bulletproof,
	Sound:   false,
	Variant: 1,
	Params:  5,
	Lists: []rangeproof.Generator{
		{Name: "left generators", Domain: "RangeProof.L"},
		{Name: "right generators", Domain: "RangeProof.R"},
	},
	Points: []rangeproof.Generator{
		{Name: "P", Domain: "RangeProof.P"},
		{Name: "Q", Domain: "RangeProof.Q"},
	},
	ListLen: func(n int) int { return n },
	Rounds:  func(n int) int { return bits.TrailingZeros(uint(n)) },
	New: func(gs rangeproof.Generators) (rangeproof.System, error) {
		return New(Config{
			Group: gs.Group, Bits: gs.Bits, G1: gs.Pedersen[1], H: gs.Pedersen[2],
			Left: gs.Lists[0], Right: gs.Lists[1], P: gs.Points[0], Q: gs.Points[1],
			TableBytes: gs.TableBytes,
		})
	},
}
