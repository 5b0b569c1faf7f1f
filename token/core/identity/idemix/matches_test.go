package idemix_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// TestMatchesTogether: of audit information checked together, each in turn is of
// another identity, and that one alone is refused.
func TestMatchesTogether(t *testing.T) {
	const n = 10 // one decoding has more than eight
	for _, curve := range []int{1, 7} {
		issuer, ws := networktest.Idemix(t, curve, n+1)
		ks, err := idemix.New([]idemix.Key{issuer.Key()})
		require.NoError(t, err)
		matcher := ks.Matchers()[identity.Idemix]
		for wrong := range n + 1 { // the last time all are right
			errs := make([]error, n)
			require.NoError(t, round.Run(nil, func(r round.Round) error {
				return r.Each(n, func(r round.Round, i int) error {
					typed := networktest.Typed(t, ws[i].Identity())
					of := i
					if i == wrong {
						of = n
					}
					info, err := ws[of].AuditInfo()
					require.NoError(t, err)
					task, err := matcher(typed.Raw, info)
					require.NoError(t, err)
					errs[i] = task.Do(r)
					return nil
				})
			}))
			for i, err := range errs {
				if i == wrong {
					require.ErrorIs(t, err, idemix.ErrNoMatch, "%d of %d", i, n)
				} else {
					require.NoError(t, err, "%d, while %d is wrong", i, wrong)
				}
			}
		}
	}
}
