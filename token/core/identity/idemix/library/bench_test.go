package library_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/library"
)

var curves = map[int]string{1: "BN254", 7: "BLS12_381_BBS_GURVY"}

// user returns a user of a new issuer.
func user(t testing.TB, curve int) (*library.Issuer, *library.User) {
	t.Helper()
	issuer, err := library.NewIssuer(curve)
	require.NoError(t, err)
	u, err := issuer.Enrol("alice", "100")
	require.NoError(t, err)
	return issuer, u
}

// on runs f on each curve.
func on(b *testing.B, f func(b *testing.B, curve int)) {
	for _, curve := range []int{1, 7} {
		b.Run(fmt.Sprintf("curve=%s", curves[curve]), func(b *testing.B) { f(b, curve) })
	}
}

var sink any

// BenchmarkIdemixIdentity makes a pseudonym with its presentation.
func BenchmarkIdemixIdentity(b *testing.B) {
	on(b, func(b *testing.B, curve int) {
		_, u := user(b, curve)
		b.ReportAllocs()
		for b.Loop() {
			w, err := u.NewWallet()
			if err != nil {
				b.Fatal(err)
			}
			sink = w
		}
	})
}

// BenchmarkSign signs for a pseudonym.
func BenchmarkSign(b *testing.B) {
	on(b, func(b *testing.B, curve int) {
		_, u := user(b, curve)
		w, err := u.NewWallet()
		require.NoError(b, err)
		b.ReportAllocs()
		for b.Loop() {
			if sink, err = w.Sign([]byte("message")); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkDeserializeSigner opens the identity of a signer and verifies its
// presentation.
func BenchmarkDeserializeSigner(b *testing.B) {
	on(b, func(b *testing.B, curve int) {
		issuer, u := user(b, curve)
		w, err := u.NewWallet()
		require.NoError(b, err)
		keys, err := idemix.New([]idemix.Key{issuer.Key()})
		require.NoError(b, err)
		r := identity.Registry{}
		keys.Register(r)
		b.ReportAllocs()
		for b.Loop() {
			if err := r.Open(w.Identity()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
