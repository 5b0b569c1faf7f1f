package identity

import (
	"crypto/sha256"
	"hash"
	"sync"
)

// Message is a signed message. It is hashed once for all signers, also if each
// signs it with a few more bytes at its end.
type Message struct {
	head, tail []byte
	hashed     func() hashed // SHA-256 of head
}

// hashed is SHA-256 after some bytes, and their hash.
type hashed struct {
	state hash.Cloner
	sum   [sha256.Size]byte
}

// NewMessage returns the message b, which the caller does not change.
func NewMessage(b []byte) Message {
	return Message{head: b, hashed: sync.OnceValue(func() (h hashed) {
		h.state = sha256.New().(hash.Cloner)
		h.state.Write(b)
		h.state.Sum(h.sum[:0])
		return h
	})}
}

// With returns the message m followed by b.
func (m Message) With(b []byte) Message {
	m.tail = append(m.tail[:len(m.tail):len(m.tail)], b...)
	return m
}

// Bytes returns the message. The caller does not change it.
func (m Message) Bytes() []byte { return append(m.head[:len(m.head):len(m.head)], m.tail...) }

// SHA256 returns the hash of the message.
func (m Message) SHA256() (sum [sha256.Size]byte) {
	h := m.hashed()
	if len(m.tail) == 0 {
		return h.sum
	}
	longer, _ := h.state.Clone() // SHA-256 can be cloned
	longer.Write(m.tail)
	longer.Sum(sum[:0])
	return sum
}
