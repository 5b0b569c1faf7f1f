package vectors

import (
	"bytes"
	"crypto/sha512"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// Labelled returns 64 bytes with the scalar of a label as residue.
func Labelled(format string, args ...any) []byte {
	h := sha512.Sum512([]byte("threshold vector " + fmt.Sprintf(format, args...)))
	return h[:]
}

// Scalar decodes a scalar.
func Scalar(t *testing.T, b []byte) *secp.Scalar {
	t.Helper()
	s, err := secp.DecodeScalar(b)
	require.NoError(t, err)
	return s
}

// Point decodes a point.
func Point(t *testing.T, b []byte) *secp.Point {
	t.Helper()
	p, err := secp.DecodePoint(b)
	require.NoError(t, err)
	return p
}

// Signing is the known answer of signing with a presignature, in a case of 1 to N parties.
type Signing struct {
	X, H, Epsilon, Delta engine.Bytes
	Rr                   engine.Bytes            `json:"R_rerandomized"`
	Si                   map[string]engine.Bytes `json:"s_i"`
	S                    engine.Bytes
	Under                engine.Bytes `json:"verifies_under"`
}

// Check compares the public key, the rerandomised nonce point and the shares of all parties, which
// sign makes for δ, and the signature.
func (v Signing) Check(t *testing.T, keys []secp.Key,
	sign func(party int, tweak secp.Tweak, delta *secp.Scalar) (*secp.Point, *secp.Scalar)) {
	t.Helper()
	require.Equal(t, []byte(v.X), keys[0].Public.Encode())
	tweak := secp.Tweak{Public: keys[0].Public, IDs: secp.IDs(len(keys)), Hash: Scalar(t, v.H),
		Epsilon: Scalar(t, v.Epsilon)}
	var shares []*secp.Scalar
	for i, k := range keys {
		nonce, share := sign(i, tweak, Scalar(t, v.Delta))
		require.Equal(t, []byte(v.Rr), nonce.Encode())
		require.Equal(t, []byte(v.Si[fmt.Sprint(k.ID)]), secp.Encode(share), "share of party %d", k.ID)
		shares = append(shares, share)
	}
	signature, err := tweak.Finish(Point(t, v.Rr), shares)
	require.NoError(t, err)
	require.Equal(t, append(bytes.Clone(v.Rr), v.S...), signature)
	require.Equal(t, []byte(v.Under), tweak.Public.Plus(secp.Base(tweak.Epsilon)).Encode())
}
