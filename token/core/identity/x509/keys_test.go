package x509 // recall, verify and certificateOf are private: short ways change no verdict

import (
	"bytes"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/sha256"
	stdx509 "crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/crypto/ecdsap256"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// inside returns the inside of the identity of a wallet.
func inside(t *testing.T, w *Wallet) []byte {
	t.Helper()
	typed, err := identity.Decode(w.Identity())
	require.NoError(t, err)
	return typed.Raw
}

// keyWallet returns the wallet of a bare key.
func keyWallet(t *testing.T, seed byte) *Wallet {
	t.Helper()
	w, err := NewKeyWallet(rand.NewChaCha8([32]byte{seed}))
	require.NoError(t, err)
	return w
}

// recording is an executor that records the widths that it is asked for, and fails.
type recording struct {
	executor.Serial
	widths *[]int
	skips  bool
	err    error
}

func (r recording) Width(n int) int {
	*r.widths = append(*r.widths, n)
	return n
}

func (r recording) Run(n int, call func(int) error) error {
	if r.skips {
		return r.err
	}
	return errors.Join(r.Serial.Run(n, call), r.err)
}

// TestExecutorsOfSignatures: eight signatures or more are a part. An error of the
// executor becomes the error of each signature. A signature that it skips is refused.
func TestExecutorsOfSignatures(t *testing.T) {
	w := keyWallet(t, 31)
	signature, err := w.Sign([]byte("message"))
	require.NoError(t, err)
	keys, lost := NewKeys(ecdsap256.Portable()), errors.New("lost")
	v, err := keys.Verifier(inside(t, w))
	require.NoError(t, err)
	s, err := v.(verifier).read(identity.NewMessage([]byte("message")), signature)
	require.NoError(t, err)
	for n, parts := range map[int]int{1: 1, 7: 1, 8: 1, 9: 2, 16: 2, 17: 3} {
		var widths []int
		list := slices.Repeat([]ecdsap256.Signature{s}, n)
		require.Nil(t, keys.verify(nil, recording{widths: &widths}, list))
		require.Equal(t, []int{parts}, widths, n)
		for want, executors := range map[error][]recording{identity.ErrSignature: {{skips: true}},
			lost: {{err: lost}, {err: lost, skips: true}}} {
			for _, e := range executors {
				e.widths = &widths
				errs := keys.verify(nil, e, list)
				require.Len(t, errs, n)
				for _, err := range errs {
					require.ErrorIs(t, err, want)
				}
			}
		}
		list[n-1].Digest = make([]byte, 32)
		errs := keys.verify(nil, recording{widths: &widths}, list)
		require.Len(t, errs, n)
		for i, err := range errs {
			require.Equal(t, i == n-1, err != nil)
		}
	}
}

// TestWhichIdentitiesAreRemembered: identities up to a length, counted once, until half of the
// memory is full. Reading an old one again makes it young.
func TestWhichIdentitiesAreRemembered(t *testing.T) {
	raw := inside(t, keyWallet(t, 32))
	padded := func(n int) []byte {
		return append(slices.Clone(raw), bytes.Repeat([]byte{'\n'}, n-len(raw))...)
	}
	keys := NewKeys(ecdsap256.Portable())
	for n, want := range map[int]bool{rememberedLen: true, rememberedLen + 1: false} {
		key, err := keys.key(padded(n))
		require.NoError(t, err)
		require.NotNil(t, key)
		require.Equal(t, want, keys.recall(padded(n)) != nil, n)
	}
	key, err := keys.key(raw)
	require.NoError(t, err)
	require.Equal(t, rememberedLen+len(raw), keys.bytes)
	keys.remember(string(raw), key)
	require.Equal(t, rememberedLen+len(raw), keys.bytes, "counted once")
	for i := 2; i < rememberedBytes/rememberedLen; i++ {
		keys.remember(fmt.Sprintf("%0*d", rememberedLen, i), key)
	}
	require.Empty(t, keys.old)
	last := rememberedBytes - keys.bytes
	keys.remember(fmt.Sprintf("%0*d", last, 1), key)
	require.Empty(t, keys.old)
	require.Equal(t, rememberedBytes, keys.bytes)
	keys.remember("x", key)
	require.Len(t, keys.young, 1)
	require.Equal(t, 1, keys.bytes)
	require.NotEmpty(t, keys.old)
	require.Same(t, key, keys.recall(raw))
	require.Len(t, keys.young, 2)
	require.Equal(t, 1+len(raw), keys.bytes, "it counts again")
	require.Nil(t, keys.recall([]byte("y")))
	_, err = keys.key([]byte("?"))
	require.Error(t, err)
	require.Nil(t, keys.recall([]byte("?")), "what is no identity is not remembered")
	_, err = keys.Verifier([]byte("?"))
	require.Error(t, err)
	_, err = keys.Once([]byte("?"))
	require.Error(t, err)
}

// TestCertificatesOfWallets: fields that follow from the key and the name alone.
func TestCertificatesOfWallets(t *testing.T) {
	w, err := NewWallet(rand.NewChaCha8([32]byte{33}), "alice@example")
	require.NoError(t, err)
	raw := inside(t, w)
	c, err := certificate(raw)
	require.NoError(t, err)
	require.Equal(t, "alice@example", c.Subject.CommonName)
	require.Equal(t, "1", c.SerialNumber.String())
	require.Equal(t, stdx509.KeyUsageDigitalSignature, c.KeyUsage)
	require.Equal(t, notBefore, c.NotBefore)
	require.Equal(t, notAfter, c.NotAfter)
	require.Equal(t, &w.key.PublicKey, c.PublicKey)
	handle := sha256.Sum256(c.RawSubjectPublicKeyInfo)
	want := AuditInfo{EID: "alice", RH: base64.StdEncoding.AppendEncode(nil, handle[:])}
	info, err := NewAuditInfo(w.Identity())
	require.NoError(t, err)
	require.Equal(t, want, info)
	text, err := w.AuditInfo()
	require.NoError(t, err)
	again, err := want.Encode()
	require.NoError(t, err)
	require.Equal(t, again, text)

	_, err = keyWallet(t, 34).AuditInfo()
	require.ErrorIs(t, err, wire.ErrMissing)
	public, secret, err := ed25519.GenerateKey(rand.NewChaCha8([32]byte{35}))
	require.NoError(t, err)
	template := &stdx509.Certificate{SerialNumber: big.NewInt(1)}
	other, err := stdx509.CreateCertificate(nil, template, template, public, secret)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		id   []byte
		want error
	}{
		"no identity": {[]byte{1}, wire.ErrMalformed},
		"other type": {identity.Typed{Type: identity.Idemix, Raw: raw}.Encode(),
			identity.ErrUnknownType},
		"no block": {identity.Typed{Type: identity.X509, Raw: []byte("?")}.Encode(), wire.ErrMalformed},
		"no certificate": {identity.Typed{
			Type: identity.X509,
			Raw:  pem.EncodeToMemory(&pem.Block{Type: blockCertificate, Bytes: []byte("?")}),
		}.Encode(), wire.ErrMalformed},
		"other key": {identity.Typed{
			Type: identity.X509, Raw: pem.EncodeToMemory(&pem.Block{Type: blockCertificate, Bytes: other}),
		}.Encode(), wire.ErrMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := NewAuditInfo(c.id)
			require.ErrorIs(t, err, c.want)
			require.ErrorAs(t, err, new(*wire.DecodeError))
		})
	}
}

// TestLengthOfSignatures: 144 bytes are read, 145 are not. The lower s is written.
func TestLengthOfSignatures(t *testing.T) {
	for n, want := range map[int]error{maxSignature: wire.ErrMalformed, maxSignature + 1: wire.ErrTooLarge} {
		_, _, err := decodeSignature(make([]byte, n))
		require.ErrorIs(t, err, want)
	}
	for n, low := range map[int64]int64{1: 1, 5: 5, 6: 5, 10: 1} {
		b, err := encodeSignature(big.NewInt(3), big.NewInt(n), big.NewInt(11))
		require.NoError(t, err)
		r, s, err := decodeSignature(b)
		require.NoError(t, err)
		require.Equal(t, []byte{3}, r)
		require.Equal(t, []byte{byte(low)}, s, n)
	}
	_, err := withLowS([]byte("?"), big.NewInt(11))
	require.ErrorIs(t, err, wire.ErrMalformed)
}

// TestWalletsWithoutAKey: the error of the key is returned.
func TestWalletsWithoutAKey(t *testing.T) {
	w := keyWallet(t, 36)
	w.key.Curve = elliptic.P224()
	_, err := w.Sign([]byte("message"))
	require.ErrorContains(t, err, "sign: ")
	require.NotErrorAs(t, err, new(*wire.DecodeError))
}

// TestCertificatesAreReadAsByPEM: the short way to read a certificate gives the block of
// package pem or without one, with every kind of byte in every place, and without any byte.
func TestCertificatesAreReadAsByPEM(t *testing.T) {
	w, err := NewWallet(rand.NewChaCha8([32]byte{37}), "name")
	require.NoError(t, err)
	id, short := inside(t, w), 0
	check := func(raw []byte) {
		der := certificateOf(raw)
		if der == nil {
			return
		}
		short++
		block, rest := pem.Decode(raw)
		require.NotNil(t, block, "%s", raw)
		require.Equal(t, &pem.Block{Type: blockCertificate, Bytes: der, Headers: map[string]string{}}, block)
		require.Empty(t, rest)
		require.Equal(t, 1, bytes.Count(raw, begin))
	}
	check(id)
	require.Equal(t, 1, short)
	for i := range id {
		check(slices.Delete(bytes.Clone(id), i, i+1))
		for _, b := range []byte("\n\r\t =-:A/+_\x00\xff") {
			check(slices.Insert(bytes.Clone(id), i, b))
			edited := bytes.Clone(id)
			edited[i] = b
			check(edited)
		}
	}
	for _, raw := range []string{
		"-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n",
		"-----BEGIN CERTIFICATE-----\n\n-----END CERTIFICATE-----\n",
		"-----BEGIN CERTIFICATE-----\nAAAA\n\n\nAAAA\n-----END CERTIFICATE-----\n",
		"-----BEGIN CERTIFICATE-----\nA: B\n\nAAAA\n-----END CERTIFICATE-----\n",
		string(id) + string(id),
	} {
		check([]byte(raw))
	}
	require.Greater(t, short, 1000)
}
