// Package nonce draws the secret scalars of proofs.
//
// A proof that repeats or leaks a nonce gives its witness away, so provers do
// not read a random source directly. A Hedge reads a seed from the source once
// and mixes it with the witness: a source that fails is an error, and one that
// is constant or guessable still yields nonces that nobody who does not know
// the witness can tell, and other ones for every other witness (the idea of
// hedged signatures: Aranha et al., EUROCRYPT 2020; RFC 6979 without any
// randomness at all).
package nonce

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Source yields secret scalars. One Source serves one proof, in one goroutine.
type Source interface {
	// Scalars fills dst with uniform scalars, or returns an error and no
	// usable scalar.
	Scalars(dst []group.Scalar) error
}

// seedLen is the length of the seed read from a random source, in bytes.
const seedLen = 32

// Hedge derives independent Sources for the parts of one proof.
type Hedge struct {
	g   group.Group
	key [sha256.Size]byte
}

// NewHedge reads a seed from random and binds it to the secrets and to the
// public context of the proof (group.ErrRandom if the source fails).
func NewHedge(g group.Group, random io.Reader, context []byte, secrets ...group.Scalar) (*Hedge, error) {
	var seed [seedLen]byte
	defer clear(seed[:])
	if _, err := io.ReadFull(random, seed[:]); err != nil {
		return nil, fmt.Errorf("%w: %w", group.ErrRandom, err)
	}
	mac := hmac.New(sha256.New, seed[:])
	mac.Write([]byte("zkatbench/nonce"))
	mac.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(secrets))))
	var b [group.ScalarLen]byte
	defer clear(b[:])
	for _, s := range secrets {
		mac.Write(g.AppendScalar(b[:0], s))
	}
	mac.Write(context)
	h := &Hedge{g: g}
	mac.Sum(h.key[:0])
	return h, nil
}

// Stream returns the Source of the i-th part called label. Streams of other
// labels or indices are independent, so parts may be proved in any order and
// in parallel, with the same result.
func (h *Hedge) Stream(label string, i int) Source {
	mac := hmac.New(sha256.New, h.key[:])
	mac.Write([]byte(label))
	mac.Write(binary.LittleEndian.AppendUint64(nil, uint64(i)))
	var key [sha256.Size]byte
	defer clear(key[:])
	block, err := aes.NewCipher(mac.Sum(key[:0]))
	if err != nil {
		panic("nonce: a 32-byte key is an AES-256 key: " + err.Error())
	}
	var iv [aes.BlockSize]byte
	return &stream{g: h.g, ctr: cipher.NewCTR(block, iv[:])}
}

// stream is AES-256 in counter mode, 48 bytes a scalar.
type stream struct {
	g   group.Group
	ctr cipher.Stream
}

// Read fills b with key stream.
func (s *stream) Read(b []byte) (int, error) {
	clear(b)
	s.ctr.XORKeyStream(b, b)
	return len(b), nil
}

// Scalars fills dst. It never fails: the source was read by NewHedge.
func (s *stream) Scalars(dst []group.Scalar) error { return group.Sample(s.g, s, dst) }

// Fixed is a Source that yields the scalars of a list, for known-answer tests:
// whoever knows them knows the witness.
type Fixed []group.Scalar

// Scalars takes the next len(dst) scalars; group.ErrRandom if too few are left.
func (f *Fixed) Scalars(dst []group.Scalar) error {
	if len(*f) < len(dst) {
		return group.ErrRandom
	}
	copy(dst, *f)
	*f = (*f)[len(dst):]
	return nil
}
