package systems_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestEveryBitIsBound flips each bit of an encoded proof of some lengths on each
// curve: the bytes are refused when read, or the proof is rejected.
func TestEveryBitIsBound(t *testing.T) {
	systemsDo(t, func(t *testing.T, s rangeproof.Family) {
		for _, curve := range rangetest.Curves {
			for _, n := range nightly.Pick([]int{16}, []int{16, 64}, []int{16, 32, 64}) {
				p := newProver(t, small(s), curve, n)
				honest := p.Prove(t, 1234)
				vectors.EachFlip(honest.Proof.Append(nil), func(bit int, flipped []byte) {
					proof, err := p.Decode(flipped)
					if err == nil {
						err = p.Verify([]rangeproof.Item{{V: honest.V, Proof: proof}})
					}
					require.Error(t, err, "%s, %d bits: bit %d", curve, n, bit)
				})
			}
		}
	})
}
