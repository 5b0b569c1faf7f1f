package sigma_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
)

// keeping is a source that keeps the memory which it fills.
type keeping struct {
	nonce.Source
	filled [][]group.Scalar
}

func (k *keeping) Scalars(dst []group.Scalar) error {
	k.filled = append(k.filled, dst)
	return k.Source.Scalars(dst)
}

// TestNoncesAreWiped: after a proof, the memory that held its nonces is zero.
func TestNoncesAreWiped(t *testing.T) {
	eachKey(t, func(t *testing.T, k *pedersen.Key) {
		for name, prove := range map[string]func(e example, src nonce.Source) error{
			"type and sum": func(e example, src nonce.Source) error {
				_, err := sigma.ProveTypeAndSum(k, e.st, e.w, src)
				return err
			},
			"same type": func(e example, src nonce.Source) error {
				_, err := sigma.ProveSameType(k,
					sigma.SameTypeWitness{Type: e.w.Type, Blinding: e.w.TypeBlinding}, src)
				return err
			},
		} {
			t.Run(name, func(t *testing.T) {
				e := newExample(t, k, 2, 2)
				src := &keeping{Source: e.src}
				require.NoError(t, prove(e, src))
				require.NotEmpty(t, src.filled)
				for _, memory := range src.filled {
					require.Equal(t, make([]group.Scalar, len(memory)), memory)
				}
			})
		}
	})
}
