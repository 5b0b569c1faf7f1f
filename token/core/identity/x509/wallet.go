package x509

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"time"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Wallet is an ECDSA P-256 key with its identity. It implements
// identity.Signer and is safe for concurrent use. Printing it shows no secret.
type Wallet struct {
	key *ecdsa.PrivateKey
	id  []byte
}

var _ identity.Signer = (*Wallet)(nil)

// NewWallet draws a key from random and gives it a self-signed certificate
// with the given common name. Everything follows from the bytes of random, so
// a seeded source gives the same wallet again. group.ErrRandom if the source
// gives too few bytes.
func NewWallet(random io.Reader, name string) (*Wallet, error) {
	return newWallet(random, blockCertificate, func(key *ecdsa.PrivateKey) ([]byte, error) {
		return selfSigned(key, name)
	})
}

// NewKeyWallet is NewWallet with the bare public key as identity, which is
// shorter but tells an auditor no name.
func NewKeyWallet(random io.Reader) (*Wallet, error) {
	return newWallet(random, blockPublicKey, func(key *ecdsa.PrivateKey) ([]byte, error) {
		return x509.MarshalPKIXPublicKey(&key.PublicKey)
	})
}

// newWallet draws a key; public returns its public part for a PEM block.
func newWallet(random io.Reader, block string, public func(*ecdsa.PrivateKey) ([]byte, error)) (*Wallet,
	error) {
	key, err := newKey(random)
	if err != nil {
		return nil, err
	}
	der, err := public(key)
	if err != nil {
		return nil, err
	}
	raw := pem.EncodeToMemory(&pem.Block{Type: block, Bytes: der})
	return &Wallet{key: key, id: identity.Typed{Type: identity.X509, Raw: raw}.Encode()}, nil
}

// newKey draws 32 bytes until they are a private key, which for P-256 the
// first ones are but once in 2³² times.
func newKey(random io.Reader) (*ecdsa.PrivateKey, error) {
	var b [32]byte
	defer clear(b[:])
	for range 16 {
		if _, err := io.ReadFull(random, b[:]); err != nil {
			return nil, fmt.Errorf("%w: %w", group.ErrRandom, err)
		}
		if key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), b[:]); err == nil {
			return key, nil
		}
	}
	return nil, group.ErrRandom
}

// validity of the certificates, which is not checked: fixed, so that a wallet
// does not depend on the clock.
var (
	notBefore = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	notAfter  = time.Date(2126, 1, 1, 0, 0, 0, 0, time.UTC)
)

func selfSigned(key *ecdsa.PrivateKey, name string) ([]byte, error) {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    notBefore, NotAfter: notAfter,
		KeyUsage: x509.KeyUsageDigitalSignature,
	}
	// Without a source the signature is the deterministic one of RFC 6979.
	return x509.CreateCertificate(nil, template, template, &key.PublicKey, key)
}

// Identity implements identity.Signer.
func (w *Wallet) Identity() []byte { return w.id }

// Sign implements identity.Signer. The nonce is the deterministic one of RFC
// 6979, so no random source can weaken a signature.
func (w *Wallet) Sign(message []byte) ([]byte, error) {
	if w.key == nil {
		return nil, errors.New("sign: wallet has no key")
	}
	digest := sha256.Sum256(message)
	signature, err := w.key.Sign(nil, digest[:], crypto.SHA256)
	if err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	return withLowS(signature, w.key.Params().N)
}

// withLowS returns a signature of a curve of order n with the lower one of s and n-s.
func withLowS(signature []byte, n *big.Int) ([]byte, error) {
	r, s, err := decodeSignature(signature)
	if err != nil {
		return nil, err
	}
	return encodeSignature(new(big.Int).SetBytes(r), new(big.Int).SetBytes(s), n)
}

// Format implements fmt.Formatter for every verb and writes no part of the key.
func (Wallet) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, "x509 wallet") }
