package htlc

import (
	"bytes"
	"crypto"
	_ "crypto/sha256" // registers the functions of Lock
	_ "crypto/sha3"
	_ "crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"slices"
)

// ErrHash says that a lock's hash function or encoding is not known.
var ErrHash = errors.New("hash function or encoding is not known")

// maxPreimage bounds a pre-image in bytes.
const maxPreimage = 1 << 16

// Encodings of digests.
const (
	inBase64 = 1
	inHex    = 2
)

// functions are the hash functions of locks. Their digests have 256 bits or
// more and no known collisions.
var functions = []crypto.Hash{
	crypto.SHA256, crypto.SHA384, crypto.SHA512, crypto.SHA512_256,
	crypto.SHA3_256, crypto.SHA3_384, crypto.SHA3_512,
}

// Lock is a digest that a pre-image opens.
type Lock struct {
	Hash         []byte // the encoded digest, a text
	HashFunc     crypto.Hash
	HashEncoding int
}

// NewLock returns the lock that preimage opens: SHA-256 in hexadecimal.
func NewLock(preimage []byte) Lock {
	l := Lock{HashFunc: crypto.SHA256, HashEncoding: inHex}
	l.Hash = l.digest(preimage)
	return l
}

// Check returns ErrHash unless the function and the encoding are known and the
// digest is of their length.
func (l Lock) Check() error {
	if !slices.Contains(functions, l.HashFunc) || l.HashEncoding != inBase64 && l.HashEncoding != inHex {
		return ErrHash
	}
	if len(l.Hash) != len(l.encode(make([]byte, l.HashFunc.Size()))) {
		return ErrHash
	}
	return nil
}

func (l Lock) encode(digest []byte) []byte {
	if l.HashEncoding == inHex {
		return hex.AppendEncode(nil, digest)
	}
	return base64.StdEncoding.AppendEncode(nil, digest)
}

func (l Lock) digest(preimage []byte) []byte {
	h := l.HashFunc.New()
	h.Write(preimage)
	return l.encode(h.Sum(nil))
}

// Opens says whether preimage opens the lock, which Check accepts.
func (l Lock) Opens(preimage []byte) bool {
	return l.Check() == nil && len(preimage) > 0 && len(preimage) <= maxPreimage &&
		bytes.Equal(l.digest(preimage), l.Hash)
}

// LockEntry is the entry in the metadata of an action that makes a locked token.
func (l Lock) LockEntry() (key string, value []byte) {
	text := hex.AppendEncode(nil, l.Hash)
	return "htlc.lh" + string(text), text
}

// ClaimKey is the key of the pre-image in the metadata of a claim.
func (l Lock) ClaimKey() string { return "htlc.cpi" + hex.EncodeToString(l.Hash) }
