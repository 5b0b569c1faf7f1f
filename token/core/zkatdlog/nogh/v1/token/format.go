package token

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
)

// Format returns the identifier of the format of tokens under a commitment
// key, with values of the given number of bits (section 4.5).
func Format(k *pedersen.Key, bits int) string {
	g := k.Group()
	b := binary.LittleEndian.AppendUint32(nil, kindHidden)
	b = binary.LittleEndian.AppendUint64(b, uint64(g.ID()))
	b = binary.LittleEndian.AppendUint64(b, uint64(bits))
	for _, base := range []int{pedersen.G0, pedersen.G1, pedersen.H} {
		b = g.AppendPoint(b, k.Base(base))
	}
	return fmt.Sprintf("%x", sha256.Sum256(b))
}

// ClearFormat returns the identifier of the format of clear tokens with
// quantities of the given number of bits.
func ClearFormat(bits int) string {
	b := append(binary.LittleEndian.AppendUint32(nil, kindClear), "x509"...)
	return fmt.Sprintf("%x", sha256.Sum256(binary.LittleEndian.AppendUint64(b, uint64(bits))))
}
