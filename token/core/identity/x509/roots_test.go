package x509_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	stdx509 "crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity/x509"
)

// authority is a key with its own certificate.
type authority struct {
	key  *ecdsa.PrivateKey
	cert *stdx509.Certificate
}

// issue returns the certificate of a new key in PEM, signed by a, or by itself if
// a lacks a key.
func (a *authority) issue(t *testing.T, template stdx509.Certificate) (*authority, []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template.SerialNumber, template.BasicConstraintsValid = big.NewInt(1), true
	parent, signer := a.cert, a.key
	if parent == nil {
		parent, signer = &template, key
	}
	der, err := stdx509.CreateCertificate(rand.Reader, &template, parent, &key.PublicKey, signer)
	require.NoError(t, err)
	cert, err := stdx509.ParseCertificate(der)
	require.NoError(t, err)
	return &authority{key, cert}, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// TestNamesCountUnderRoots: with roots, the name of a certificate counts if one of
// them signed it and the certificate is valid now.
func TestNamesCountUnderRoots(t *testing.T) {
	long := stdx509.Certificate{NotBefore: time.Unix(0, 0),
		NotAfter: time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)}
	ca := long
	ca.IsCA, ca.Subject = true, pkix.Name{CommonName: "authority"}
	root, _ := new(authority).issue(t, ca)
	other, _ := new(authority).issue(t, ca)
	alice := long
	alice.Subject = pkix.Name{CommonName: "alice@org"}
	expired := alice
	expired.NotAfter = time.Unix(1, 0)
	_, signed := root.issue(t, alice)
	_, old := root.issue(t, expired)
	_, foreign := other.issue(t, alice)
	_, self := new(authority).issue(t, alice)

	roots := stdx509.NewCertPool()
	roots.AddCert(root.cert)
	match := x509.MatchUnder(roots)
	info := []byte(`{"EID":"alice","RH":""}`)
	require.NoError(t, match(signed, info))
	for name, raw := range map[string][]byte{"expired": old, "of another authority": foreign,
		"self-signed": self} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, x509.Match(raw, info), name)
			require.ErrorIs(t, match(raw, info), x509.ErrUntrusted, name)
		})
	}
	require.ErrorIs(t, match(signed, []byte(`{"EID":"bob","RH":""}`)), x509.ErrNoMatch)
	require.Error(t, match([]byte("no certificate"), info))
}

// TestCertificatesAreJudgedNow: a matcher refuses a certificate that expired after the matcher was
// made.
func TestCertificatesAreJudgedNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		day := stdx509.Certificate{NotAfter: time.Now().Add(24 * time.Hour), IsCA: true,
			Subject: pkix.Name{CommonName: "alice"}}
		root, raw := new(authority).issue(t, day)
		roots := stdx509.NewCertPool()
		roots.AddCert(root.cert)
		match := x509.MatchUnder(roots)
		require.NoError(t, match(raw, []byte(`{"EID":"alice","RH":""}`)))
		time.Sleep(25 * time.Hour)
		require.ErrorIs(t, match(raw, []byte(`{"EID":"alice","RH":""}`)), x509.ErrUntrusted)
	})
}
