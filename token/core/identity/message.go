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
	state      func() hash.Cloner // SHA-256 after head
}

// NewMessage returns the message b, which the caller does not change.
func NewMessage(b []byte) Message {
	return Message{head: b, state: sync.OnceValue(func() hash.Cloner {
		h := sha256.New().(hash.Cloner)
		h.Write(b)
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
	h, _ := m.state().Clone() // SHA-256 can be cloned
	h.Write(m.tail)
	h.Sum(sum[:0])
	return sum
}
