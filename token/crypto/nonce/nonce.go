// Package nonce draws the secret scalars of proofs.
//
// A proof that repeats or leaks a nonce reveals its witness, so provers do not
// read a random source directly. A Hedge reads a seed from the source once and
// mixes it with the witness. A source that fails gives an error. A constant or
// predictable source still gives nonces that are unknown without the witness,
// and different for every witness (the idea of hedged signatures: Aranha et
// al., EUROCRYPT 2020; RFC 6979 without any randomness).
package nonce

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Source yields secret scalars. One Source serves one proof, in one goroutine.
type Source interface {
	// Scalars fills dst with uniform scalars, or returns an error; dst is then
	// unusable.
	Scalars(dst []group.Scalar) error
}

// Hedge derives independent Sources for the parts of one proof.
type Hedge struct {
	g   group.Group
	key [sha256.Size]byte
}

// Format implements fmt.Formatter for every verb and writes no secrets.
func (Hedge) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "nonce hedge") }

// NewHedge returns a new Hedge after Seed.
func NewHedge(g group.Group, random io.Reader, context []byte, secrets ...group.Scalar) (*Hedge, error) {
	h := new(Hedge)
	if err := h.Seed(g, random, context, secrets...); err != nil {
		return nil, err
	}
	return h, nil
}

// Seed reads a seed from random and binds it to the secrets and to the public
// context of the proof. The error is group.ErrRandom if the source fails; h is
// then unusable.
func (h *Hedge) Seed(g group.Group, random io.Reader, context []byte, secrets ...group.Scalar) error {
	h.g = g
	if _, err := io.ReadFull(random, h.key[:]); err != nil {
		*h = Hedge{}
		return fmt.Errorf("%w: %w", group.ErrRandom, err)
	}
	room := rooms.Get().(*[]byte)
	// Growing later would leave secrets in the memory before.
	b := slices.Grow((*room)[:0], len(domain)+len(h.key)+8+len(secrets)*group.ScalarLen+len(context))
	b = append(append(b, domain...), h.key[:]...)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(secrets)))
	for _, s := range secrets {
		b = g.AppendScalar(b, s)
	}
	b = append(b, context...)
	h.key = sha256.Sum256(b)
	clear(b[:cap(b)])
	*room = b
	rooms.Put(room)
	return nil
}

// rooms are buffers for Seed, wiped.
var rooms = sync.Pool{New: func() any { return new([]byte) }}

// domain separates the hashes of this package from other hashes of the same
// seed.
const domain = "zkatbench/nonce/v1"

// Stream returns the Source of the i-th part called label. Streams with
// different labels or indices are independent, so parts may be proved in any
// order and in parallel, with the same result. The key is SHA-256 of the
// hedge's secret key, which has fixed length, and the name of the part.
func (h *Hedge) Stream(label string, i int) *Stream {
	s := new(Stream)
	s.Start(h, label, i)
	return s
}

// Format implements fmt.Formatter for every verb and writes no secrets.
func (Stream) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "nonce stream") }

// Start makes s the Stream of h for the i-th part called label.
func (s *Stream) Start(h *Hedge, label string, i int) {
	var name [96]byte
	b := append(append(name[:0], h.key[:]...), label...)
	*s = Stream{g: h.g}
	s.key = sha256.Sum256(binary.LittleEndian.AppendUint64(b, uint64(i)))
	defer clear(s.key[:])
	block, _ := aes.NewCipher(s.key[:])                 // refuses other lengths only
	s.ctr = cipher.NewCTR(block, s.buf[:aes.BlockSize]) // from counter 0
}

// Stream is a Source: AES-256 in counter mode with group.SampleLen bytes for
// each scalar.
type Stream struct {
	g   group.Group
	key [sha256.Size]byte // while the stream is made
	ctr cipher.Stream
	buf [16 * group.SampleLen]byte
}

// Scalars implements Source with Fill.
func (s *Stream) Scalars(dst []group.Scalar) error {
	s.Fill(dst)
	return nil
}

// Read implements io.Reader and always fills p. The error is group.ErrRandom for a Stream
// that Seed did not make.
func (s *Stream) Read(p []byte) (int, error) {
	if s.ctr == nil {
		return 0, group.ErrRandom
	}
	clear(p)
	s.ctr.XORKeyStream(p, p)
	return len(p), nil
}

// Fill fills dst with uniform scalars. It cannot fail, since Seed has read the source.
func (s *Stream) Fill(dst []group.Scalar) {
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
}

// Fixed is a Source that yields the scalars of a list, for known-answer tests.
// Knowledge of the list reveals the witness.
type Fixed []group.Scalar

// Scalars returns the next len(dst) scalars, or group.ErrRandom if too few are
// left.
func (f *Fixed) Scalars(dst []group.Scalar) error {
	if len(*f) < len(dst) {
		return group.ErrRandom
	}
	copy(dst, *f)
	*f = (*f)[len(dst):]
	return nil
}
