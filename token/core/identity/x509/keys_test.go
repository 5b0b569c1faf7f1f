package x509

import (
	"encoding/pem"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/crypto/ecdsap256"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// TestSignaturesAreVerifiedTogether: Keys give the verdicts of NewVerifier on sets of
// signatures and name the first wrong one of each set.
func TestSignaturesAreVerifiedTogether(t *testing.T) {
	random := rand.NewChaCha8([32]byte{29})
	message := identity.NewMessage([]byte("message"))
	type signed struct{ raw, signature []byte }
	var all []signed
	for i := range 20 {
		w, err := NewWallet(random, fmt.Sprint(i))
		require.NoError(t, err)
		typed, err := identity.Decode(w.Identity())
		require.NoError(t, err)
		b := message.Bytes()
		if i%7 == 3 {
			b = []byte("another")
		}
		signature, err := w.Sign(b)
		require.NoError(t, err)
		all = append(all, signed{typed.Raw, signature})
	}
	keys := NewKeys(ecdsap256.New(8))
	for _, open := range []func([]byte) (identity.Verifier, error){keys.Verifier, keys.Once} {
		for range 6 {
			var sets [][]signed
			var want []string
			for len(sets) < 5 {
				var set []signed
				first := ""
				for i := range len(sets) * 5 {
					s := all[(len(sets)+i)%len(all)]
					set = append(set, s)
					alone, err := NewVerifier(s.raw)
					require.NoError(t, err)
					if err := identity.Verify(alone, message, s.signature); err != nil && first == "" {
						first = fmt.Sprint(i, err)
					}
				}
				sets, want = append(sets, set), append(want, first)
			}
			for _, e := range []executor.Executor{executor.Serial{}, executor.Pool{Workers: 2}} {
				got := make([]string, len(sets))
				require.NoError(t, round.RunOn(e, nil, func(r round.Round) error {
					return r.Each(len(sets), func(r round.Round, i int) error {
						err := r.FailFast(len(sets[i]), func(r round.Round, k int) error {
							v, err := open(sets[i][k].raw)
							require.NoError(t, err)
							task, err := v.Begin(message, sets[i][k].signature)
							require.NoError(t, err)
							if err := task(r); err != nil {
								return errors.New(fmt.Sprint(k, err))
							}
							return nil
						})
						if err != nil {
							got[i] = err.Error()
						}
						return nil
					})
				}))
				require.Equal(t, want, got)
			}
		}
	}
}

// TestRememberedIdentitiesAreBounded reads many identities.
func TestRememberedIdentitiesAreBounded(t *testing.T) {
	w, err := NewKeyWallet(rand.NewChaCha8([32]byte{30}))
	require.NoError(t, err)
	typed, err := identity.Decode(w.Identity())
	require.NoError(t, err)
	block, _ := pem.Decode(typed.Raw)
	long := pem.EncodeToMemory(&pem.Block{Type: block.Type, Bytes: block.Bytes})
	keys := NewKeys(ecdsap256.Portable())
	for i := range 20_000 {
		raw := append(append([]byte(nil), long...), make([]byte, i%rememberedLen)...)
		for k := range raw[len(long):] {
			raw[len(long)+k] = " \n"[(i>>(k%16))&1]
		}
		_, err := keys.Verifier(raw)
		require.NoError(t, err)
		require.LessOrEqual(t, keys.bytes, rememberedBytes)
	}
	for _, m := range []map[string]int{lengths(keys.young), lengths(keys.old)} {
		sum := 0
		for _, n := range m {
			sum += n
		}
		require.LessOrEqual(t, sum, rememberedBytes)
		require.NotEmpty(t, m)
	}
	key, err := keys.key(typed.Raw)
	require.NoError(t, err)
	again, err := keys.key(typed.Raw)
	require.NoError(t, err)
	require.Same(t, key, again)
	_, err = keys.Once(long)
	require.NoError(t, err)
}

func lengths[V any](m map[string]V) map[string]int {
	n := map[string]int{}
	for raw := range m {
		n[raw] = len(raw)
	}
	return n
}
