package ps18 // the numbers of keys are private: vectors fix what KeyGen draws

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/ps18/curve"
)

// stream is a deterministic source of randomness.
func stream(seed byte) io.Reader { return rand.NewChaCha8([32]byte{seed}) }

// messageCounts returns the numbers of messages that tests try on a curve.
func messageCounts(c curve.Curve) []int {
	if isSlow(c) {
		return []int{2}
	}
	return []int{1, 2, 10}
}

// isSlow reports whether a curve is of the library AMCL, which has fewer cases but for
// nightly runs.
func isSlow(c curve.Curve) bool { return !nightly.On() && strings.Contains(c.Name(), "AMCL") }

// eachCurve runs test on every curve and backend.
func eachCurve(t *testing.T, test func(t *testing.T, c curve.Curve)) {
	for _, name := range curve.Names {
		for _, backend := range curve.Backends {
			if backend == "native" && !curve.HasNative(name) {
				continue
			}
			if testing.Short() && !slices.Contains([]string{"BN254/native", "BLS12_381_GURVY/native",
				"BLS12_377_GURVY/mathlib"}, name+"/"+backend) {
				continue // each implementation once
			}
			c, err := curve.Find(name, backend)
			require.NoError(t, err)
			t.Run(name+"/"+backend, func(t *testing.T) {
				t.Parallel()
				test(t, c)
			})
		}
	}
}

// signed is a key pair with a signature.
type signed struct {
	sk       *SecretKey
	pk       *PublicKey
	messages []*big.Int
	sig      *Signature
}

func sign(t testing.TB, c curve.Curve, r int, seed byte) signed {
	t.Helper()
	random := stream(seed)
	sk, pk, err := KeyGen(c, r, random)
	require.NoError(t, err)
	s := signed{sk: sk, pk: pk}
	for range r {
		m, err := draw(c, random)
		require.NoError(t, err)
		s.messages = append(s.messages, m)
	}
	s.sig, err = sk.Sign(s.messages, random)
	require.NoError(t, err)
	return s
}

// secrets are the fields of a vector that a verifier does not read.
type secrets struct {
	Curve           string
	R               int
	X               hexBytes
	Y               []hexBytes
	M               []hexBytes
	Prime           hexBytes `json:"m_prime"`
	U               hexBytes `json:"h_log"`
	MisprintAccepts bool     `json:"literal_misprint_formula_accepts"`
}

func loadVectors(t testing.TB) (vs []Vector, ss []secrets) {
	t.Helper()
	f, err := os.Open("testdata/ps18.json")
	require.NoError(t, err)
	defer f.Close()
	vs, err = LoadVectors(f)
	require.NoError(t, err)
	_, err = f.Seek(0, io.SeekStart)
	require.NoError(t, err)
	var file struct{ Vectors []secrets }
	require.NoError(t, json.NewDecoder(f).Decode(&file))
	require.Len(t, vs, 6)
	require.Len(t, file.Vectors, 6)
	return vs, file.Vectors
}

func number(b []byte) *big.Int { return new(big.Int).SetBytes(b) }

func numbers(bs []hexBytes) (ns []*big.Int) {
	for _, b := range bs {
		ns = append(ns, number(b))
	}
	return ns
}

// secretKey is the key of a vector.
func (s secrets) secretKey(c curve.Curve) *SecretKey {
	return &SecretKey{curve: c, x: number(s.X), y: numbers(s.Y)}
}

func (s secrets) name() string { return fmt.Sprintf("%s/%d", s.Curve, s.R) }

func onBN254(t testing.TB) curve.Curve {
	t.Helper()
	c, err := curve.Find("BN254", "native")
	require.NoError(t, err)
	return c
}
