package identity

import (
	"crypto/sha256"
	"hash"
	"sync"
)

// Message is a signed message. It is hashed once for all signers, also if each
// signs it with a few more bytes at its end.
type Message struct {
	*head
	tail []byte
}

// head is bytes with their hash, and SHA-256 after them.
type head struct {
	bytes []byte
	once  sync.Once
	sum   [sha256.Size]byte
	state hash.Cloner
}

// NewMessage returns the message b, which the caller does not change.
func NewMessage(b []byte) Message { return Message{head: &head{bytes: b}} }

// With returns the message m followed by b.
func (m Message) With(b []byte) Message {
	m.tail = append(m.tail[:len(m.tail):len(m.tail)], b...)
	return m
}

// Bytes returns the message. The caller does not change it.
func (m Message) Bytes() []byte { return append(m.bytes[:len(m.bytes):len(m.bytes)], m.tail...) }

// SHA256 returns the hash of the message. The caller does not change it.
func (m Message) SHA256() []byte {
	m.once.Do(func() {
		m.state = sha256.New().(hash.Cloner)
		m.state.Write(m.bytes)
		m.state.Sum(m.sum[:0])
	})
	if len(m.tail) == 0 {
		return m.sum[:]
	}
	longer, _ := m.state.Clone() // SHA-256 can be cloned
	longer.Write(m.tail)
	return longer.Sum(nil)
}
