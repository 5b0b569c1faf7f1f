package otecdsa

import (
	"errors"
	"io"

	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// ErrProof says that a proof does not verify.
var ErrProof = errors.New("proof does not verify")

// proofLen is the size of a proof in bytes: challenge and response.
const proofLen = 2 * secp.ScalarLen

// claim is the statement that the prover knows x with X = x·G (Schnorr, CRYPTO '89,
// with the challenge from a hash).
type claim struct {
	sid    []byte
	prover uint32
	label  string // "E", "F" or "C"
	triple int
}

func (c claim) challenge(x, k *secp.Point) *secp.Scalar {
	parts := [][]byte{c.sid, u32(c.prover), []byte(c.label), u32(uint32(c.triple))}
	return hashScalar("dlog", append(parts, encodePoints([]*secp.Point{x, k})...)...)
}

// prove returns challenge ‖ response.
func (c claim) prove(random io.Reader, x *secp.Scalar, point *secp.Point) ([]byte, error) {
	k, err := secp.Uniform(random)
	if err != nil {
		return nil, err
	}
	challenge := c.challenge(point, secp.Base(k))
	return append(secp.Encode(challenge), secp.Encode(secp.Add(k, secp.Mul(challenge, x)))...), nil
}

// verify computes K = s·G - c·X again and compares the challenge.
func (c claim) verify(proof []byte, point *secp.Point) error {
	challenge, response, err := decodeProof(proof)
	if err != nil {
		return err
	}
	k := secp.Base(response).Minus(point.Times(challenge))
	if k.IsIdentity() || !c.challenge(point, k).Equals(challenge) {
		return ErrProof
	}
	return nil
}

func decodeProof(b []byte) (challenge, response *secp.Scalar, err error) {
	challenge, err = secp.DecodeScalar(b[:secp.ScalarLen])
	if err == nil {
		response, err = secp.DecodeScalar(b[secp.ScalarLen:])
	}
	return challenge, response, err
}

// equality is the statement that E = x·G and C = x·F have the same logarithm
// (Chaum and Pedersen, CRYPTO '92).
type equality struct {
	sid     []byte
	prover  uint32
	triple  int
	e, f, c *secp.Point
}

func (q equality) challenge(k0, k1 *secp.Point) *secp.Scalar {
	parts := [][]byte{q.sid, u32(q.prover), u32(uint32(q.triple))}
	return hashScalar("dlogeq", append(parts, encodePoints([]*secp.Point{q.e, q.f, q.c, k0, k1})...)...)
}

// prove returns challenge ‖ response.
func (q equality) prove(random io.Reader, x *secp.Scalar) ([]byte, error) {
	k, err := secp.Uniform(random)
	if err != nil {
		return nil, err
	}
	challenge := q.challenge(secp.Base(k), q.f.Times(k))
	return append(secp.Encode(challenge), secp.Encode(secp.Add(k, secp.Mul(challenge, x)))...), nil
}

func (q equality) verify(proof []byte) error {
	challenge, response, err := decodeProof(proof)
	if err != nil {
		return err
	}
	k0 := secp.Base(response).Minus(q.e.Times(challenge))
	k1 := q.f.Times(response).Minus(q.c.Times(challenge))
	if k0.IsIdentity() || k1.IsIdentity() || !q.challenge(k0, k1).Equals(challenge) {
		return ErrProof
	}
	return nil
}
