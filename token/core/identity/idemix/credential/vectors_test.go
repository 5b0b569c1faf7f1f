package credential

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
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

// TestVectors: the intermediate values equal the recorded values and the values of scalar
// multiplications one by one.
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

		for i, want := range oneByOne(t, k, v, it) {
			require.Equal(t, want, got[i])
		}
	}
}

// oneByOne returns the encodings of the signature's sum and of t₁ … t₅, from the
// equations of the package comment.
func oneByOne(t testing.TB, k *Key, v vector, it Item) (sums [6][]byte) {
	t.Helper()
	g, p := k.group, &it.Identity.Presentation
	key, err := k.scheme.IssuerKey(v.IssuerKey)
	require.NoError(t, err)
	challenge := func(b []byte) group.Scalar {
		c, err := g.DecodeScalar(b)
		require.NoError(t, err)
		if k.bbs {
			return g.Neg(c)
		}
		return c
	}
	c := challenge(v.Challenge)
	type term struct {
		s group.Scalar
		p group.Point
	}
	sum := func(minus term, terms ...term) []byte {
		sum := group.MulPoint(g, minus.p, g.Neg(minus.s))
		for _, t := range terms {
			sum = g.AddPoints(sum, group.MulPoint(g, t.p, t.s))
		}
		return g.AppendPoint(nil, sum)
	}
	r, eid, rh := p.Responses, presentation.EnrollmentID, presentation.RevocationHandle
	sums[0] = sum(term{challenge(v.SignatureChallenge), p.Nym}, term{it.Signature.SecretKey, key.K},
		term{it.Signature.Blinding, key.H})
	sums[1] = sum(term{c, g.SubPoints(p.ABar, p.B)}, term{r.E, p.APrime}, term{r.R2, key.H})
	shown := []term{{r.R3, p.B}, {r.S, key.H}, {r.SecretKey, key.K}}
	for i, a := range r.Attributes {
		shown = append(shown, term{a, key.Attributes[i]})
	}
	sums[2] = sum(term{g.Neg(c), g.Generator()}, shown...)
	sums[3] = sum(term{c, p.Nym}, term{r.SecretKey, key.K}, term{r.Nym, key.H})
	sums[4] = sum(term{c, p.EID}, term{r.Attributes[eid], key.Attributes[eid]}, term{r.EID, key.H})
	sums[5] = sum(term{c, p.RH}, term{r.Attributes[rh], key.Attributes[rh]}, term{r.RH, key.H})
	return sums
}
