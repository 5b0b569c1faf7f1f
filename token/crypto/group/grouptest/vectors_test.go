package grouptest_test

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

//go:embed testdata/primitives.json
var compact []byte

// answers are the results of the reference's library on one curve.
type answers struct {
	ID        int                       `json:"curve_id"`
	Curve     string                    `json:"curve"`
	Order     hexes                     `json:"group_order"`
	Generator hexes                     `json:"g1_generator"`
	Infinity  hexes                     `json:"g1_infinity"`
	HashToZr  []struct{ Msg, Zr hexes } `json:"hash_to_zr"`
	HashToG1  []struct{ Msg, G1 hexes } `json:"hash_to_g1"`
	Mul       []struct {
		Scalar string
		G1     hexes
	} `json:"g1_mul"`
	Points  []decoding `json:"g1_decoding"`
	Scalars []decoding `json:"zr_decoding"`
	Zr      []struct {
		Int   string
		Bytes hexes
	} `json:"zr_encoding"`
}

// decoding is the verdict of the reference's reader. Ours accepts only canonical
// encodings.
type decoding struct {
	Case             string
	Bytes, Reencoded hexes
	Verdict          string
}

func (d decoding) canonical() bool {
	return d.Verdict == "accept" && bytes.Equal(d.Bytes, d.Reencoded)
}

// requireAnswers compares the groups that byID gives with the recorded answers
// for every curve of mathlib: the answers in this package, and the answers in the
// file named whole if it exists.
func requireAnswers(t *testing.T, whole string, byID func(id int) (group.Group, error)) {
	sets := map[string][]byte{"compact": compact}
	if b, err := os.ReadFile(whole); err == nil {
		sets["whole"] = b
	}
	for name, b := range sets {
		var file struct{ Curves []answers }
		require.NoError(t, json.Unmarshal(b, &file))
		require.Len(t, file.Curves, 9)
		for _, a := range file.Curves {
			t.Run(name+"/"+a.Curve, func(t *testing.T) {
				g, err := byID(a.ID)
				require.NoError(t, err)
				a.check(t, g)
			})
		}
	}
}

func (a answers) check(t *testing.T, g group.Group) {
	require.Equal(t, a.Curve, g.Name())
	require.Equal(t, a.ID, g.ID())
	require.Equal(t, new(big.Int).SetBytes(a.Order), g.Order())
	require.Equal(t, []byte(a.Generator), g.AppendPoint(nil, g.Generator()))
	require.Equal(t, []byte(a.Infinity), g.AppendPoint(nil, group.Point{}))
	for _, h := range a.HashToZr {
		digest := sha256.Sum256(h.Msg)
		require.Equal(t, []byte(h.Zr), g.AppendScalar(nil, g.Reduce(digest[:])))
	}
	for _, h := range a.HashToG1 {
		require.Equal(t, []byte(h.G1), g.AppendPoint(nil, g.HashToPoint(h.Msg)))
	}
	for _, m := range a.Mul {
		s := a.integer(t, g, m.Scalar)
		require.Equal(t, []byte(m.G1), g.AppendPoint(nil, group.MulPoint(g, g.Generator(), s)))
	}
	for _, z := range a.Zr {
		if z.Int != g.Order().String() { // q itself, which the library writes unreduced
			require.Equal(t, []byte(z.Bytes), g.AppendScalar(nil, a.integer(t, g, z.Int)), z.Int)
		}
	}
	a.decode(t, g)
}

func (a answers) integer(t *testing.T, g group.Group, text string) group.Scalar {
	v, ok := new(big.Int).SetString(text, 10)
	require.True(t, ok, text)
	return g.Reduce(v.Mod(v, g.Order()).Bytes())
}

func (a answers) decode(t *testing.T, g group.Group) {
	for _, d := range a.Points {
		_, err := g.DecodePoint(d.Bytes)
		require.Equal(t, d.canonical(), err == nil, "point, %s: %v", d.Case, err)
	}
	for _, d := range a.Scalars {
		_, err := g.DecodeScalar(d.Bytes)
		reduced := new(big.Int).SetBytes(d.Bytes).Cmp(g.Order()) < 0
		require.Equal(t, d.canonical() && reduced, err == nil, "scalar, %s: %v", d.Case, err)
	}
}

// hexes is a byte string, written in hexadecimal in JSON.
type hexes []byte

func (h *hexes) UnmarshalText(b []byte) (err error) {
	*h, err = hex.AppendDecode(nil, b)
	return err
}
