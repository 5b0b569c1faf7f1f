package transcript

import (
	"crypto/sha256"
	"encoding/binary"
)

// blockLen is the length of a block of SHA-256 in bytes.
const blockLen = 64

// ExpandXMD fills dst with expand_message_xmd (RFC 9380, section 5.3.1) with
// SHA-256, and returns the number of hashed blocks. domain has at most 255 bytes and
// dst at most 255·32.
func ExpandXMD(dst, msg []byte, domain string) (blocks int) {
	if len(domain) > 255 || len(dst) > 255*sha256.Size {
		panic("transcript: domain or output of expand_message_xmd is too long")
	}
	var room [256]byte
	b := room[:blockLen]
	b = append(b, msg...)
	b = binary.BigEndian.AppendUint16(b, uint16(len(dst)))
	b = appendDomain(append(b, 0), domain)
	first := sha256.Sum256(b)
	blocks = Blocks(len(b))
	var block [sha256.Size]byte
	for i := byte(1); len(dst) > 0; i++ {
		for k := range block {
			block[k] ^= first[k]
		}
		b = appendDomain(append(append(room[:0], block[:]...), i), domain)
		block = sha256.Sum256(b)
		blocks += Blocks(len(b))
		dst = dst[copy(dst, block[:]):]
	}
	return blocks
}

// Blocks is the number of blocks of 64 bytes that SHA-256 hashes for n bytes.
func Blocks(n int) int { return (n+8)/blockLen + 1 }

func appendDomain(b []byte, domain string) []byte {
	return append(append(b, domain...), byte(len(domain)))
}
