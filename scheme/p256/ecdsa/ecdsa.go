package ecdsa

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/big"

	"github.com/zkatbench/zkatbench/scheme/p256/curve"
)

// PublicKey is a point of the curve in affine coordinates.
type PublicKey struct{ X, Y *big.Int }

// Bytes returns 4 ‖ X ‖ Y, the uncompressed encoding of SEC 1 §2.3.3.
func (k PublicKey) Bytes() []byte {
	b := make([]byte, 1+2*size)
	b[0] = 4
	fill(b[1:1+size], k.X)
	fill(b[1+size:], k.Y)
	return b
}

// PrivateKey is a secret scalar d with its point d·G.
type PrivateKey struct {
	PublicKey
	d *big.Int
}

// Format leaves the secret scalar out, for every verb.
func (PrivateKey) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "ecdsa.PrivateKey") }

// Signature is a pair of scalars from 1 to the order − 1.
type Signature struct{ R, S *big.Int }

// Bytes returns R ‖ S, 64 bytes.
func (s Signature) Bytes() []byte {
	b := make([]byte, 2*size)
	fill(b[:size], s.R)
	fill(b[size:], s.S)
	return b
}

// fill writes v big-endian; nil is 0.
func fill(dst []byte, v *big.Int) {
	if v != nil {
		v.FillBytes(dst)
	}
}

// ErrSignature says that bytes are not R ‖ S of a signature.
var ErrSignature = errors.New("ecdsa: not 64 bytes of two scalars from 1 to the order − 1")

// DecodeSignature reads R ‖ S.
func DecodeSignature(b []byte) (Signature, error) {
	if len(b) != 2*size {
		return Signature{}, ErrSignature
	}
	s := Signature{new(big.Int).SetBytes(b[:size]), new(big.Int).SetBytes(b[size:])}
	if !s.inRange() {
		return Signature{}, ErrSignature
	}
	return s, nil
}

func (s Signature) inRange() bool {
	for _, x := range []*big.Int{s.R, s.S} {
		if x == nil || x.Sign() <= 0 || x.Cmp(order) >= 0 {
			return false
		}
	}
	return true
}

// newKey returns the key with the secret scalar d, from 1 to the order − 1.
func newKey(g Group, d *big.Int) (*PrivateKey, error) {
	if d.Sign() <= 0 || d.Cmp(order) >= 0 {
		return nil, errors.New("ecdsa: a secret key is from 1 to the order − 1")
	}
	x, y, _ := g.BaseMult(bytes32(d))
	return &PrivateKey{PublicKey{x, y}, new(big.Int).Set(d)}, nil
}

// GenerateKey returns a key with a scalar from secrets.
func GenerateKey(g Group, secrets Nonces) (*PrivateKey, error) {
	d, err := secrets()
	if err != nil {
		return nil, err
	}
	return newKey(g, d)
}

// Sign signs the SHA-256 digest of message with a scalar from nonces (FIPS 186-5
// §6.4.1). It returns the field operations of the multiplication, too.
func Sign(g Group, key *PrivateKey, message []byte, nonces Nonces) (Signature, curve.Ops, error) {
	digest := sha256.Sum256(message)
	e := new(big.Int).SetBytes(digest[:])
	for {
		k, err := nonces()
		if err != nil {
			return Signature{}, curve.Ops{}, err
		}
		x, _, ops := g.BaseMult(bytes32(k))
		if x == nil {
			continue
		}
		r := x.Mod(x, order)
		// s = k⁻¹·(e + r·d)
		s := new(big.Int).Mul(r, key.d)
		s.Add(s, e).Mul(s, new(big.Int).ModInverse(k, order)).Mod(s, order)
		if r.Sign() != 0 && s.Sign() != 0 {
			return Signature{r, s}, ops, nil
		}
	}
}

func bytes32(k *big.Int) *[size]byte {
	b := new([size]byte)
	k.FillBytes(b[:])
	return b
}
