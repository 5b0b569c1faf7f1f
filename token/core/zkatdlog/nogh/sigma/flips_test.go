package sigma_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestEveryBitIsBound flips each bit of encoded proofs of several sizes on each
// curve: decoding fails, or the proof is rejected.
func TestEveryBitIsBound(t *testing.T) {
	eachKey(t, func(t *testing.T, k *pedersen.Key) {
		g := k.Group()
		for _, inputs := range []int{1, 2, 3} {
			e := newExample(t, k, inputs, 2)
			vectors.EachFlip(e.prove(t).Append(nil, g), func(bit int, flipped []byte) {
				p, err := sigma.DecodeTypeAndSum(wire.OneByOne(g), flipped, inputs)
				if err == nil {
					err = verifySum(k, e.st, *p)
				}
				require.Error(t, err, "type and sum of %d inputs: bit %d", inputs, bit)
			})
		}
		e := newExample(t, k, 1, 1)
		same, err := sigma.ProveSameType(k, sigma.SameTypeWitness{Type: e.w.Type, Blinding: e.w.TypeBlinding},
			e.src)
		require.NoError(t, err)
		vectors.EachFlip(same.Append(nil, g), func(bit int, flipped []byte) {
			p, err := sigma.DecodeSameType(wire.OneByOne(g), flipped)
			if err == nil {
				err = verifySame(k, *p)
			}
			require.Error(t, err, "same type: bit %d", bit)
		})
	})
}
