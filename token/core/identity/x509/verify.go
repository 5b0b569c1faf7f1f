package x509

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"math/big"

	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/crypto/ecdsap256"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

const messageName wire.Name = "x509 identity"

const (
	blockCertificate = "CERTIFICATE"
	blockPublicKey   = "PUBLIC KEY"
)

// verifier verifies the signatures of one key.
type verifier struct {
	key  *ecdsa.PublicKey
	keys *Keys // verifies signatures together; nil if crypto/ecdsa verifies them
	once bool  // the key is not remembered
}

// NewVerifier reads the inside of an identity: one PEM block, with only newlines
// before it and only blanks and newlines after it. Errors are *wire.DecodeError.
func NewVerifier(raw []byte) (identity.Verifier, error) {
	key, err := readKey(raw)
	if err != nil {
		return nil, err
	}
	return verifier{key: key}, nil
}

// readKey reads the inside of an identity.
func readKey(raw []byte) (*ecdsa.PublicKey, error) {
	block, err := onlyBlock(raw)
	if err != nil {
		return nil, err
	}
	return publicKey(block)
}

// Cost implements identity.Costly. Only P-256 has assembly code; the factors are
// measured with crypto/ecdsa on amd64 and rounded up.
func (v verifier) Cost() int {
	switch v.key.Curve {
	case elliptic.P256():
		return 1
	case elliptic.P224():
		return 5
	case elliptic.P384():
		return 8
	}
	return 16
}

// SignatureLen returns the length of the longest signature of an identity in bytes.
// Errors are *wire.DecodeError.
func SignatureLen(raw []byte) (int, error) {
	key, err := readKey(raw)
	if err != nil {
		return 0, err
	}
	order := key.Params().N
	longest, err := encodeSignature(order, new(big.Int).Rsh(order, 1), order)
	return len(longest), err
}

var (
	begin            = []byte("-----BEGIN ")
	certificateBegin = []byte("-----BEGIN CERTIFICATE-----\n")
	certificateEnd   = []byte("\n-----END CERTIFICATE-----\n")
)

// Around its PEM block an identity has white space that every reader of PEM
// skips: newlines before it, blanks and ends of lines after it.
const (
	before = "\n"
	after  = " \t\r\n"
)

// certificateOf returns the bytes that pem.Decode returns for one certificate without
// headers and white space, in less time, and nil for other blocks.
func certificateOf(raw []byte) []byte {
	body, begins := bytes.CutPrefix(raw, certificateBegin)
	body, ends := bytes.CutSuffix(body, certificateEnd)
	if !begins || !ends {
		return nil
	}
	var room [1 << 10]byte
	digits := room[:0] // decoded faster in one piece; base64 skips ends of lines
	for line := range bytes.SplitSeq(body, []byte("\n")) {
		digits = append(digits, line...)
	}
	der := make([]byte, base64.StdEncoding.DecodedLen(len(digits)))
	n, err := base64.StdEncoding.Decode(der, digits)
	if err != nil || n == 0 {
		return nil
	}
	return der[:n]
}

// onlyBlock reads the only PEM block of raw.
func onlyBlock(raw []byte) (*pem.Block, error) {
	raw = bytes.TrimLeft(raw, before)
	if der := certificateOf(raw); der != nil {
		return &pem.Block{Type: blockCertificate, Bytes: der}, nil
	}
	block, rest := pem.Decode(raw)
	switch {
	case block == nil || !bytes.HasPrefix(raw, begin):
		return nil, messageName.Bad("PEM", wire.ErrMalformed)
	case len(bytes.TrimLeft(rest, after)) > 0 || bytes.Count(raw, begin) != 1:
		// pem.Decode skips a broken block
		return nil, messageName.Bad("PEM", wire.ErrTrailing)
	}
	return block, nil
}

func publicKey(block *pem.Block) (*ecdsa.PublicKey, error) {
	var key crypto.PublicKey
	var err error
	switch block.Type {
	case blockCertificate:
		var c *x509.Certificate
		c, err = x509.ParseCertificate(block.Bytes)
		if err == nil {
			key = c.PublicKey
		}
	case blockPublicKey:
		key, err = x509.ParsePKIXPublicKey(block.Bytes)
	}
	ecdsaKey, ok := key.(*ecdsa.PublicKey)
	if err != nil || !ok {
		return nil, messageName.Bad("key", wire.ErrMalformed)
	}
	return ecdsaKey, nil
}

// Begin implements identity.Verifier. Signatures on curves other than P-256, and all
// signatures of a Verifier from NewVerifier, are verified at once.
func (v verifier) Begin(message identity.Message, signature []byte) (identity.Task, error) {
	s, err := v.read(message, signature)
	switch {
	case err != nil:
		return nil, err
	case v.keys != nil && v.key.Curve == elliptic.P256():
		return v.keys.verifications.Task(s), nil
	case !ecdsa.Verify(s.Key, s.Digest, new(big.Int).SetBytes(s.R), new(big.Int).SetBytes(s.S)):
		return nil, identity.ErrSignature
	}
	return nil, nil
}

// read reads a signature. It refuses s > order/2.
func (v verifier) read(message identity.Message, signature []byte) (read ecdsap256.Signature, err error) {
	r, s, err := decodeSignature(signature)
	if err != nil {
		return read, err
	}
	if half := halves[v.key.Curve]; len(s) > len(half) || len(s) == len(half) && bytes.Compare(s, half) > 0 {
		return read, identity.ErrSignature
	}
	return ecdsap256.Signature{Key: v.key, Digest: message.SHA256(), R: r, S: s, Once: v.once}, nil
}

// halves are ⌊order/2⌋ of the curves of keys.
var halves = func() map[elliptic.Curve][]byte {
	halves := map[elliptic.Curve][]byte{}
	for _, c := range []elliptic.Curve{elliptic.P224(), elliptic.P256(), elliptic.P384(), elliptic.P521()} {
		halves[c] = new(big.Int).Rsh(c.Params().N, 1).Bytes()
	}
	return halves
}()

// maxSignature bounds a signature on P-521 in bytes.
const maxSignature = 144

// decodeSignature reads exactly one SEQUENCE { r INTEGER, s INTEGER }. The numbers are
// big-endian views into b without leading zeros; negative ones are nil.
func decodeSignature(b []byte) (r, s []byte, err error) {
	const messageName wire.Name = "ecdsa signature"
	if len(b) > maxSignature {
		return nil, nil, messageName.Bad("value", wire.ErrTooLarge)
	}
	outer := cryptobyte.String(b)
	var inner cryptobyte.String
	switch {
	case !outer.ReadASN1(&inner, asn1.SEQUENCE) || !readInteger(&inner, &r) || !readInteger(&inner, &s):
		return nil, nil, messageName.Bad("value", wire.ErrMalformed)
	case !inner.Empty() || !outer.Empty():
		return nil, nil, messageName.Bad("value", wire.ErrTrailing)
	}
	return r, s, nil
}

// readInteger reads an INTEGER.
func readInteger(s *cryptobyte.String, b *[]byte) bool {
	before := *s
	return s.ReadASN1Integer(b) || before.ReadASN1Integer(new(big.Int)) // a negative one
}

// encodeSignature writes r and the lower one of s and -s: (r, -s) is a signature
// exactly if (r, s) is one.
func encodeSignature(r, s, order *big.Int) ([]byte, error) {
	if negated := new(big.Int).Sub(order, s); negated.Cmp(s) < 0 {
		s = negated
	}
	var b cryptobyte.Builder
	b.AddASN1(asn1.SEQUENCE, func(b *cryptobyte.Builder) {
		b.AddASN1BigInt(r)
		b.AddASN1BigInt(s)
	})
	return b.Bytes()
}
