package idemix_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/library"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// curvesWithScheme are BN254 and the three names of BLS12-381.
var curvesWithScheme = []int{1, 6, 7, 8}

// network is an issuer with four wallets under its key.
type network struct {
	key      idemix.Key
	prepared *idemix.Keys // of key
	wallets  []*library.Wallet
}

var networks vectors.Once[[2]int, network] // by curve and number

// networkOf returns a network on a curve, which is made once. Another number has another issuer.
func networkOf(t testing.TB, curve, number int) network {
	t.Helper()
	return networks.Get([2]int{curve, number}, func() network {
		issuer, wallets := networktest.Idemix(t, curve, 4)
		prepared, err := idemix.New([]idemix.Key{issuer.Key()})
		require.NoError(t, err)
		return network{issuer.Key(), prepared, wallets}
	})
}

// keys returns a copy of the verifiers of the owners, which a test can change.
func (n network) keys() *idemix.Keys {
	return n.prepared.On(func(g group.Group) group.Group { return g })
}

// wallets returns verifiers for the first network of a curve, and its wallets.
func wallets(t testing.TB, curve int) (*idemix.Keys, []*library.Wallet) {
	t.Helper()
	n := networkOf(t, curve, 0)
	return n.keys(), n.wallets
}

// TestFreshEachTime: pseudonyms and signatures never repeat, and those of a curve are equally
// long.
func TestFreshEachTime(t *testing.T) {
	for curve, want := range map[int][2]int{1: {1230, 136}, 7: {1647, 152}} {
		issuer, err := library.NewIssuer(curve)
		require.NoError(t, err)
		user, err := issuer.Enrol("alice", "100")
		require.NoError(t, err)
		seen := map[string]bool{}
		for range 4 {
			w, err := user.NewWallet()
			require.NoError(t, err)
			seen[string(w.Identity())] = true
			for range 2 {
				signature, err := w.Sign([]byte("message"))
				require.NoError(t, err)
				seen[string(signature)] = true
				require.Equal(t, want, [2]int{len(w.Identity()), len(signature)})
			}
		}
		require.Len(t, seen, 4*3)
	}
}

// TestNymWallets: pseudonyms of the enrolment identifier sign with a new presentation
// each time, and are audited.
func TestNymWallets(t *testing.T) {
	for curve, size := range map[int]int{1: 1366, 6: 1799, 7: 1799, 8: 1799} {
		issuer, err := library.NewIssuer(curve)
		require.NoError(t, err)
		user, err := issuer.Enrol("alice", "100")
		require.NoError(t, err)
		w, err := user.NewNymWallet()
		require.NoError(t, err)
		ks, err := idemix.New([]idemix.Key{issuer.Key()})
		require.NoError(t, err)
		registry, signatures := identity.Registry{}, map[string]bool{}
		ks.Register(registry)
		for range 2 {
			signature, err := w.Sign(message)
			require.NoError(t, err)
			require.Len(t, signature, size)
			require.NoError(t, registry.Verify(w.Identity(), message, signature))
			signatures[string(signature)] = true
		}
		require.Len(t, signatures, 2)
		info, err := w.AuditInfo()
		require.NoError(t, err)
		typed := networktest.Typed(t, w.Identity())
		require.NoError(t, ks.Match(typed.Type, typed.Raw, info))
		require.Equal(t,
			[]string{"EidNymAuditData", "RhNymAuditData", "Attributes", "Schema", "IdemixSignature"},
			names(t, info))
		for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
			require.Equal(t, "idemix wallet", fmt.Sprintf(format, w))
		}
	}
	_, err := new(library.NymWallet).Sign(nil)
	require.Error(t, err)
}

func TestNoSchemeNoIssuer(t *testing.T) {
	for _, curve := range []int{-1, 0, 2, 3, 4, 5, 9} {
		_, err := library.NewIssuer(curve)
		require.ErrorIs(t, err, idemix.ErrKey)
	}
}

func TestWalletsPrintNoSecret(t *testing.T) {
	_, ws := wallets(t, 1)
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		require.Equal(t, "idemix wallet", fmt.Sprintf(format, ws[0]))
	}
}
