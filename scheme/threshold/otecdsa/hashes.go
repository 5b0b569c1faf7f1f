package otecdsa

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/binary"

	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// tagged returns ⟨name⟩, the beginning of every hash, and the parts.
func tagged(name string, parts ...[]byte) []byte {
	b := append(make([]byte, 0, 256), "zkatbench/threshold/"...)
	b = append(append(b, name...), "/v1"...)
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

func u32(v uint32) []byte { return binary.BigEndian.AppendUint32(nil, v) }
func u64(v uint64) []byte { return binary.BigEndian.AppendUint64(nil, v) }

func hash256(name string, parts ...[]byte) []byte {
	h := sha256.Sum256(tagged(name, parts...))
	return h[:]
}

// hashScalar is SHA-512 modulo the order.
func hashScalar(name string, parts ...[]byte) *secp.Scalar {
	h := sha512.Sum512(tagged(name, parts...))
	return secp.Reduce(h[:])
}

func shake(name string, length int, parts ...[]byte) []byte {
	return sha3.SumSHAKE256(tagged(name, parts...), length)
}

// instance identifies a multiplication: its session, and the parties in their
// roles.
type instance struct {
	sid              []byte
	sender, receiver uint32
}

// baseKey is the key of the i-th base oblivious transfer.
func (in instance) baseKey(i int, x, y, common []byte) []byte {
	return hash256("base-ot", in.sid, u32(in.sender), u32(in.receiver), u64(uint64(i)), x, y, common)[:keyLen]
}

// column expands a key to a column of the extension.
func (in instance) column(key []byte) []byte { return shake("ot-prg", rows/8, in.sid, key) }

// rowHash returns the function that makes the scalar of a row. Its calls share a
// buffer.
func (in instance) rowHash() func(i int, row []byte) *secp.Scalar {
	prefix := tagged("ot-out", in.sid, u32(in.sender), u32(in.receiver))
	return func(i int, row []byte) *secp.Scalar {
		h := sha512.Sum512(append(binary.BigEndian.AppendUint64(prefix, uint64(i)), row...))
		return secp.Reduce(h[:])
	}
}

// checkWeights are χ₀ … χ₇ of the check of the extension, 16 bytes each.
func checkWeights(seed []byte) []byte { return shake("kos-chi", chunks*16, seed) }

// productWeights are χ₂ … χ_κ of a product, from 64 bytes each.
func productWeights(seed []byte) []*secp.Scalar {
	wide := shake("mta-chi", (kappa-1)*64, seed)
	weights := make([]*secp.Scalar, kappa-1)
	for i := range weights {
		weights[i] = secp.Reduce(wide[64*i:][:64])
	}
	return weights
}

// sends reports whether id is the multiplication sender of the pair.
func sends(triple int, id, peer uint32) bool {
	own, other := hash256("role", u32(uint32(triple)), u32(id)),
		hash256("role", u32(uint32(triple)), u32(peer))
	return bytes.Compare(own, other) > 0
}
