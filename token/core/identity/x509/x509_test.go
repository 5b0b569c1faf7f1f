package x509_test

import (
	"bytes"
	"crypto/rand"
	"encoding/asn1"
	"errors"
	"fmt"
	"math/big"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

var registry = identity.Registry{identity.X509: x509.NewVerifier}

func wallet(t testing.TB) *x509.Wallet {
	t.Helper()
	w, err := x509.NewWallet(rand.Reader, "alice@example")
	require.NoError(t, err)
	return w
}

func TestSignaturesVerify(t *testing.T) {
	bare, err := x509.NewKeyWallet(rand.Reader)
	require.NoError(t, err)
	for _, w := range []*x509.Wallet{wallet(t), bare} {
		for range 20 { // half of all plain signatures would have a high s
			signature, err := w.Sign([]byte("message"))
			require.NoError(t, err)
			require.NoError(t, registry.Verify(w.Identity(), []byte("message"), signature))
			require.ErrorIs(t, registry.Verify(w.Identity(), []byte("other"), signature), identity.ErrSignature)
			require.ErrorIs(t, registry.Verify(wallet(t).Identity(), []byte("message"), signature), identity.ErrSignature)
		}
	}
}

func TestSignatureHasOneForm(t *testing.T) {
	w := wallet(t)
	signature, err := w.Sign([]byte("message"))
	require.NoError(t, err)
	var rs struct{ R, S *big.Int }
	_, err = asn1.Unmarshal(signature, &rs)
	require.NoError(t, err)
	order, _ := new(big.Int).SetString("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", 16)
	rs.S.Sub(order, rs.S)
	high, err := asn1.Marshal(rs)
	require.NoError(t, err)
	require.ErrorIs(t, registry.Verify(w.Identity(), []byte("message"), high), identity.ErrSignature)
	for n := range signature {
		require.Error(t, registry.Verify(w.Identity(), []byte("message"), signature[:n]))
	}
	require.ErrorIs(t, registry.Verify(w.Identity(), []byte("message"), append(signature, 0)), wire.ErrTrailing)
}

func TestWalletFollowsFromItsSource(t *testing.T) {
	seed := bytes.Repeat([]byte{7}, 64)
	one, err := x509.NewWallet(bytes.NewReader(seed), "a")
	require.NoError(t, err)
	two, err := x509.NewWallet(bytes.NewReader(seed), "a")
	require.NoError(t, err)
	require.Equal(t, one.Identity(), two.Identity())
	_, err = x509.NewWallet(iotest.ErrReader(errors.New("broken")), "a")
	require.ErrorIs(t, err, group.ErrRandom)
}

func TestPrintingAWalletShowsNoKey(t *testing.T) {
	w := wallet(t)
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		require.Equal(t, "x509 wallet", fmt.Sprintf(format, w))
	}
}

func TestAuditInfoMatchesItsOwner(t *testing.T) {
	w := wallet(t)
	info, err := x509.NewAuditInfo(w.Identity())
	require.NoError(t, err)
	encoded, err := info.Encode()
	require.NoError(t, err)
	id, err := identity.Decode(w.Identity())
	require.NoError(t, err)
	require.NoError(t, x509.Match(id.Raw, encoded))
	other, err := x509.NewWallet(rand.Reader, "bob@example")
	require.NoError(t, err)
	otherID, err := identity.Decode(other.Identity())
	require.NoError(t, err)
	require.Error(t, x509.Match(otherID.Raw, encoded))
}

// FuzzVerify reads any bytes as an identity and as a signature.
func FuzzVerify(f *testing.F) {
	w := wallet(f)
	signature, err := w.Sign([]byte("message"))
	require.NoError(f, err)
	id, err := identity.Decode(w.Identity())
	require.NoError(f, err)
	f.Add(id.Raw, signature)
	f.Add([]byte("-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n"), []byte{0x30, 0})
	f.Fuzz(func(t *testing.T, raw, signature []byte) {
		v, err := x509.NewVerifier(raw)
		if err == nil {
			err = v.Verify(identity.NewMessage([]byte("message")), signature)
		}
		if de := new(wire.DecodeError); err != nil && !errors.As(err, &de) && !errors.Is(err, identity.ErrSignature) {
			t.Fatalf("untyped error %T: %v", err, err)
		}
	})
}
