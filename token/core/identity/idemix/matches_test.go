package idemix_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/library"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// TestMatchesTogether: of audit information checked together, each in turn is of
// another identity, and that one alone is refused.
func TestMatchesTogether(t *testing.T) {
	const n = 10 // one decoding has more than eight
	for _, curve := range curvesWithScheme {
		ks, ws := wallets(t, curve, n+1)
		matcher := ks.Matchers()[identity.Idemix]
		for wrong := range n + 1 { // the last time all are right
			errs := make([]error, n)
			require.NoError(t, round.Run(nil, func(r round.Round) error {
				return r.Each(n, func(r round.Round, i int) error {
					typed, err := identity.Decode(ws[i].Identity())
					require.NoError(t, err)
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

// TestOpeningsAreCheckedTogether: of audit information with the right labels and
// attributes, each in turn has the randomness of another pseudonym.
func TestOpeningsAreCheckedTogether(t *testing.T) {
	const n = 10
	ks, ws := wallets(t, curvesWithScheme[0], n)
	matcher := ks.Matchers()[identity.Idemix]
	infos := make([]idemix.Info, n)
	for i, w := range ws {
		encoded, err := w.AuditInfo()
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(encoded, &infos[i]))
	}
	for wrong := range n {
		errs := make([]error, n)
		require.NoError(t, round.Run(nil, func(r round.Round) error {
			return r.Each(n, func(r round.Round, i int) error {
				typed, err := identity.Decode(ws[i].Identity())
				require.NoError(t, err)
				info := infos[i]
				if i == wrong {
					info.EidNymAuditData.Rand = infos[(i+1)%n].EidNymAuditData.Rand
				}
				encoded, err := json.Marshal(info)
				require.NoError(t, err)
				task, err := matcher(typed.Raw, encoded)
				require.NoError(t, err)
				errs[i] = task.Do(r)
				return nil
			})
		}))
		for i, err := range errs {
			require.Equal(t, i == wrong, errors.Is(err, idemix.ErrNoMatch), "%d, while %d is wrong: %v", i,
				wrong, err)
		}
	}
}

// TestObservedKeysAreOfAllIssuers: wallets of each of three issuers are known on observed
// groups.
func TestObservedKeysAreOfAllIssuers(t *testing.T) {
	var keys []idemix.Key
	var ws []*library.Wallet
	for range 3 {
		issuer, err := library.NewIssuer(1)
		require.NoError(t, err)
		user, err := issuer.Enrol("user", "100")
		require.NoError(t, err)
		w, err := user.NewWallet()
		require.NoError(t, err)
		keys, ws = append(keys, issuer.Key()), append(ws, w)
	}
	ks, err := idemix.New(keys)
	require.NoError(t, err)
	registry := identity.Registry{}
	ks.On(func(g group.Group) group.Group { return g }).Register(registry)
	for i, w := range ws {
		signature, err := w.Sign([]byte("message"))
		require.NoError(t, err)
		require.NoError(t, registry.Verify(w.Identity(), []byte("message"), signature), "issuer %d", i)
	}
}
