package systems_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/bulletproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/csp"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// TestWrongProofsAtEveryPlace: a proof of the wrong kind is refused before the equation, and a
// wrong value in it. Both, at every two places, leave the others accepted.
func TestWrongProofsAtEveryPlace(t *testing.T) {
	items := nightly.Pick(4, 10, 10)
	others := map[rangeproof.Kind]rangeproof.Proof{rangeproof.CSP: new(bulletproof.Proof),
		rangeproof.Bulletproof: new(csp.Proof)}
	for kind, other := range others {
		p := newProver(t, small(found(t, kind)), "BN254", 8)
		right := p.items(t, items)
		for foreign := range items {
			for wrong := range items {
				list := append([]rangeproof.Item(nil), right...)
				list[wrong].V = p.Group.AddPoints(list[wrong].V, p.g1())
				list[foreign].Proof = other
				require.NoError(t, round.Run(p.Group, func(r round.Round) error {
					for k, err := range p.System.Verify(r.SearchEach(), list) {
						require.Equal(t, k == wrong || k == foreign, err != nil,
							"%s: item %d with %d of another kind and %d wrong", kind, k, foreign, wrong)
					}
					return nil
				}))
			}
		}
	}
}
