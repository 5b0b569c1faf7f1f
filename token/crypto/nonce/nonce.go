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

// Hedge derives independent Sources for the parts of one proof.
type Hedge struct {
	g   group.Group
	key [sha256.Size]byte
}

// Format implements fmt.Formatter for every verb: it writes no secret.
func (Hedge) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "nonce hedge") }

// NewHedge reads a seed from random and binds it to the secrets and to the
// public context of the proof (group.ErrRandom if the source fails).
func NewHedge(g group.Group, random io.Reader, context []byte, secrets ...group.Scalar) (*Hedge, error) {
	h := &Hedge{g: g}
	if _, err := io.ReadFull(random, h.key[:]); err != nil {
		return nil, fmt.Errorf("%w: %w", group.ErrRandom, err)
	}
	b := make([]byte, 0, len(domain)+len(h.key)+8+len(secrets)*group.ScalarLen+len(context))
	b = append(append(b, domain...), h.key[:]...)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(secrets)))
	for _, s := range secrets {
		b = g.AppendScalar(b, s)
	}
	h.key = sha256.Sum256(append(b, context...))
	clear(b)
	return h, nil
}

// domain separates the hashes of this package from others over the same seed.
const domain = "zkatbench/nonce/v1"

// Stream returns the Source of the i-th part called label. Streams of other
// labels or indices are independent, so parts may be proved in any order and
// in parallel, with the same result. The key is SHA-256 of the hedge's secret
// key, of fixed length, and the name of the part.
func (h *Hedge) Stream(label string, i int) Source {
	var name [96]byte
	b := append(append(name[:0], h.key[:]...), label...)
	key := sha256.Sum256(binary.LittleEndian.AppendUint64(b, uint64(i)))
	defer clear(key[:])
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic("nonce: a 32-byte key is an AES-256 key: " + err.Error())
	}
	var iv [aes.BlockSize]byte
	return &stream{g: h.g, ctr: cipher.NewCTR(block, iv[:])}
}

// stream is AES-256 in counter mode, group.SampleLen bytes a scalar.
type stream struct {
	g   group.Group
	ctr cipher.Stream
	buf [16 * group.SampleLen]byte
}

// Scalars fills dst. It never fails: the source was read by NewHedge.
func (s *stream) Scalars(dst []group.Scalar) error {
	defer clear(s.buf[:])
	for len(dst) > 0 {
		n := min(len(dst), len(s.buf)/group.SampleLen)
		key := s.buf[:n*group.SampleLen]
		clear(key)
		s.ctr.XORKeyStream(key, key)
		for i := range n {
			dst[i] = s.g.Reduce(key[i*group.SampleLen:][:group.SampleLen])
		}
		dst = dst[n:]
	}
	return nil
}

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
