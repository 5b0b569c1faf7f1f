package ps18

import (
	"errors"
	"fmt"
	"io"
	"math/big"

	"github.com/zkatbench/zkatbench/scheme/ps18/curve"
)

// Errors of keys and signatures.
var (
	// ErrRejected says that a signature is not valid for the messages and the key.
	ErrRejected = errors.New("ps18: signature rejected")
	// ErrMessages says that there are more or fewer messages than the key is
	// for, or that one of them is not from 0 to q-1.
	ErrMessages = errors.New("ps18: messages do not fit the key")
)

// maxMessages bounds the messages of a key: its encoding holds their number in
// two bytes.
const maxMessages = 1<<16 - 1

// SecretKey signs lists of r messages. No formatting verb shows it.
type SecretKey struct {
	curve curve.Curve
	x     *big.Int
	y     []*big.Int // r+1
}

// PublicKey verifies signatures of lists of r messages.
type PublicKey struct {
	curve     curve.Curve
	generator curve.G2 // g̃
	x         curve.G2
	y         []curve.G2 // r+1
}

// Signature is (m', σ₁, σ₂).
type Signature struct {
	Prime          *big.Int // m'
	Sigma1, Sigma2 curve.G1
}

// Format hides the secret from every verb.
func (SecretKey) Format(f fmt.State, _ rune) { io.WriteString(f, "ps18.SecretKey") }

// messages returns r, the number of messages that the key signs.
func (sk *SecretKey) messages() int { return len(sk.y) - 1 }

// messages returns r, the number of messages that the key verifies.
func (pk *PublicKey) messages() int { return len(pk.y) - 1 }

// Points returns the points of the key: g̃, X̃, Ỹ₁ … Ỹ_{r+1}.
func (pk *PublicKey) Points() []curve.G2 {
	return append([]curve.G2{pk.generator, pk.x}, pk.y...)
}

// KeyGen draws a key pair for r messages, from 1 to 65535. It returns the error of
// random, or says that r is out of range.
func KeyGen(c curve.Curve, r int, random io.Reader) (*SecretKey, *PublicKey, error) {
	if r < 1 || r > maxMessages {
		return nil, nil, fmt.Errorf("ps18: %d messages: a key is for 1 to %d", r, maxMessages)
	}
	sk := &SecretKey{curve: c, y: make([]*big.Int, r+1)}
	var err error
	sk.x, err = drawNonZero(c, random)
	if err != nil {
		return nil, nil, err
	}
	for i := range sk.y {
		sk.y[i], err = drawNonZero(c, random)
		if err != nil {
			return nil, nil, err
		}
	}
	return sk, sk.public(), nil
}

// public computes the public key.
func (sk *SecretKey) public() *PublicKey {
	c := sk.curve
	pk := &PublicKey{curve: c, generator: c.GenG2(), y: make([]curve.G2, len(sk.y))}
	pk.x = c.MulG2(pk.generator, sk.x)
	for i, y := range sk.y {
		pk.y[i] = c.MulG2(pk.generator, y)
	}
	return pk
}

// Sign signs messages, each from 0 to q-1. It returns the error of random, or
// ErrMessages.
func (sk *SecretKey) Sign(messages []*big.Int, random io.Reader) (*Signature, error) {
	if err := fits(sk.curve, messages, sk.messages()); err != nil {
		return nil, err
	}
	u, err := drawNonZero(sk.curve, random)
	if err != nil {
		return nil, err
	}
	prime, err := draw(sk.curve, random)
	if err != nil {
		return nil, err
	}
	return sk.sign(messages, prime, u), nil
}

// sign signs with the given random values.
func (sk *SecretKey) sign(messages []*big.Int, prime, u *big.Int) *Signature {
	c := sk.curve
	e := new(big.Int).Set(sk.x)
	for j, m := range messages {
		e.Add(e, c.MulScalars(sk.y[j], m))
	}
	e.Add(e, c.MulScalars(sk.y[len(messages)], prime))
	e.Mod(e, c.Order())
	sigma1 := c.MulG1(c.GenG1(), u)
	return &Signature{Prime: prime, Sigma1: sigma1, Sigma2: c.MulG1(sigma1, e)}
}

// Randomise returns (m', t·σ₁, t·σ₂) for a random t, another signature of the
// same messages.
func (s *Signature) Randomise(c curve.Curve, random io.Reader) (*Signature, error) {
	t, err := drawNonZero(c, random)
	if err != nil {
		return nil, err
	}
	return &Signature{Prime: s.Prime, Sigma1: c.MulG1(s.Sigma1, t), Sigma2: c.MulG1(s.Sigma2, t)}, nil
}

// fits returns ErrMessages unless there are r messages from 0 to q-1.
func fits(c curve.Curve, messages []*big.Int, r int) error {
	if len(messages) != r {
		return fmt.Errorf("%w: %d messages, the key is for %d", ErrMessages, len(messages), r)
	}
	for j, m := range messages {
		if !isScalar(c, m) {
			return fmt.Errorf("%w: message %d is not from 0 to q-1", ErrMessages, j+1)
		}
	}
	return nil
}

func isScalar(c curve.Curve, k *big.Int) bool {
	return k != nil && k.Sign() >= 0 && k.Cmp(c.Order()) < 0
}

// draw returns a scalar, uniform to within 2⁻¹²⁸.
func draw(c curve.Curve, random io.Reader) (*big.Int, error) {
	b := make([]byte, scalarLen+16)
	if _, err := io.ReadFull(random, b); err != nil {
		return nil, fmt.Errorf("ps18: randomness: %w", err)
	}
	k := new(big.Int).SetBytes(b)
	return k.Mod(k, c.Order()), nil
}

// drawNonZero draws until the scalar is not 0.
func drawNonZero(c curve.Curve, random io.Reader) (*big.Int, error) {
	for {
		k, err := draw(c, random)
		if err != nil || k.Sign() != 0 {
			return k, err
		}
	}
}
