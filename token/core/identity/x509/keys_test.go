package x509

import (
	"encoding/pem"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/crypto/ecdsap256"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
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
		for round := range 6 {
			var sets [][]identity.Rest
			var want []error
			for len(sets) < 5 {
				var rests []identity.Rest
				var first error
				for i := range len(sets) * 5 {
					s := all[(len(sets)+i)%len(all)]
					v, err := open(s.raw)
					require.NoError(t, err)
					more, err := identity.Begin(v, message, s.signature)
					require.NoError(t, err)
					rests = append(rests, more...)
					alone, err := NewVerifier(s.raw)
					require.NoError(t, err)
					if err := alone.Verify(message, s.signature); err != nil && first == nil {
						first = &identity.RestError{Index: i, Err: err}
					}
				}
				sets, want = append(sets, rests), append(want, first)
			}
			for _, e := range []executor.Executor{executor.Serial{}, executor.Pool{Workers: 2}} {
				require.Equal(t, want, identity.FinishAll(sets, e), round)
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
