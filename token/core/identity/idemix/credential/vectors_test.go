package credential // sumsOf and transcript are private: intermediate values of a verification

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// hexBytes are bytes in hexadecimal in JSON.
type hexBytes []byte

func (h *hexBytes) UnmarshalText(b []byte) (err error) {
	*h, err = hex.DecodeString(string(b))
	return err
}

// vector is a recorded owner of type 1 with its signature, and the intermediate
// values of their verification, for other implementations.
type vector struct {
	Name      string
	Source    string // a file and a request of the shared vectors
	Curve     int    // identifier on the wire
	IssuerKey hexBytes
	Identity  hexBytes // inside the envelope
	Message   hexBytes
	Signature hexBytes
	// T are the encodings of t₁ … t₅, First is c′ and Challenge is c; the others
	// belong to the signature.
	T                                  [5]hexBytes
	First, Challenge                   hexBytes
	SignatureT                         hexBytes
	SignatureFirst, SignatureChallenge hexBytes
}

func loadVectors(t testing.TB) (vs []vector) {
	t.Helper()
	b, err := os.ReadFile("testdata/presentations.json")
	require.NoError(t, err)
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&vs))
	require.Len(t, vs, 2)
	return vs
}

// TestVectors: the intermediate values equal the recorded values. The Forger computes them by
// scalar multiplications one by one.
func TestVectors(t *testing.T) {
	for _, v := range loadVectors(t) {
		k, err := NewKey(v.Curve, v.IssuerKey)
		require.NoError(t, err)
		it := Item{Message: v.Message}
		it.Identity, err = k.scheme.Identity(v.Identity)
		require.NoError(t, err)
		it.Signature, err = k.scheme.Signature(v.Signature)
		require.NoError(t, err)
		require.NoError(t, k.Verify([]Item{it}))

		sums, _ := k.sumsOf([]Item{it})
		got := sums.compute()
		require.EqualValues(t, v.SignatureT, got[0])
		p, commitments := &it.Identity.Presentation, [5][]byte(got[1:])
		for i, want := range v.T {
			require.EqualValues(t, want, commitments[i])
		}
		transcript := k.transcript(p, commitments)
		require.Len(t, transcript, map[int]int{1: 759, 7: 1779}[v.Curve])
		encoded := func(s group.Scalar) hexBytes { return k.group.AppendScalar(nil, s) }
		require.Equal(t, v.First, encoded(k.AttributeScalar(transcript)))
		require.Equal(t, v.Challenge, encoded(k.challengeOf(p, commitments)))
		require.Equal(t, v.SignatureFirst,
			encoded(k.AttributeScalar(k.signatureTranscript(p.Nym, got[0], v.Message))))
		require.Equal(t, v.SignatureChallenge,
			encoded(k.signatureChallenge(p.Nym, got[0], it.Signature, v.Message)))
	}
}
