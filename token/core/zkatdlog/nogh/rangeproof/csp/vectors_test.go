package csp

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

type hex = vectors.Hex

// recorded is rp_csp.json.
type recorded struct {
	Groups []struct {
		Curve      string
		Bits       int `json:"bit_length"`
		Rounds     int `json:"inner_rounds"`
		Padded     int `json:"padded_size"`
		Generators struct {
			Header hex `json:"transcript_header"`
		}
		Cases []proofCase
	}
}

type proofCase struct {
	Value      string
	Blinding   hex `json:"blinding_factor"`
	Commitment hex
	Proof      hex
	Nonces     struct {
		TV hex `json:"pok_tv"`
		TR hex `json:"pok_tr"`
		A0 hex
		S  []hex
	}
}

// system makes the parameters of the documented generator strings. Tests make
// many systems, so tables have the minimum size.
func system(t testing.TB, g group.Group, bits int) *scheme {
	t.Helper()
	s, err := New(config(g, bits))
	require.NoError(t, err)
	return s.(*scheme)
}

func config(g group.Group, bits int) Config {
	hash := func(name string) group.Point { return vectors.Generator(g, name) }
	c := Config{
		Group: g, Bits: bits, TableBytes: 1,
		G0: hash("PedersenGenerators.0"), G1: hash("PedersenGenerators.1"), H: hash("PedersenGenerators.2"),
	}
	for i := range bits + 1 {
		c.Left = append(c.Left, hash("CSPRangeProof.L."+strconv.Itoa(i)))
		c.Right = append(c.Right, hash("CSPRangeProof.R."+strconv.Itoa(i)))
	}
	return c
}

// source yields the recorded nonces in the order of drawing, and 0 for r, which
// the reference does not use.
func (c proofCase) source(t testing.TB, g group.Group) nonce.Source {
	list := append([]hex{c.Nonces.TV, c.Nonces.TR, c.Nonces.A0}, c.Nonces.S...)
	f := nonce.Fixed(append(vectors.Scalars(t, g, list...), group.Scalar{}))
	return &f
}

// known is one recorded proof with the System of its parameters.
type known struct {
	proofCase
	s *scheme
	v group.Point
}

// eachRecorded runs f for every proof of every set.
func eachRecorded(t *testing.T, f func(t *testing.T, k known)) {
	for set, file := range vectors.Sets[recorded](t, "rp_csp.json") {
		for _, group := range file.Groups {
			g := vectors.Curve(t, group.Curve)
			s := system(t, g, group.Bits)
			require.Equal(t, []byte(group.Generators.Header), s.header[:])
			require.Equal(t, group.Padded, s.padded)
			require.Equal(t, group.Rounds, s.rounds)
			for _, c := range group.Cases {
				t.Run(set+"/"+group.Curve+"/"+strconv.Itoa(group.Bits)+"/"+c.Value, func(t *testing.T) {
					f(t, known{proofCase: c, s: s, v: vectors.Point(t, g, c.Commitment)})
				})
			}
		}
	}
}

func TestRecordedProofsAreReproducedAndAccepted(t *testing.T) {
	eachRecorded(t, func(t *testing.T, k known) {
		recorded, err := rangeproof.Decode(k.s.Group, k.s, k.Proof)
		require.NoError(t, err)
		require.NoError(t, rangeproof.Verify(k.s.Group, k.s, []rangeproof.Item{{V: k.v, Proof: recorded}}))
		require.Equal(t, []byte(k.Proof), recorded.Append(nil))

		value, err := strconv.ParseUint(k.Value, 10, 64)
		require.NoError(t, err)
		w := rangeproof.Witness{Value: value, Blinding: vectors.Scalar(t, k.s.Group, k.Blinding)}
		ours, err := rangeproof.Prove(k.s.Group, k.s, k.v, w, k.source(t, k.s.Group))
		require.NoError(t, err)
		require.Equal(t, []byte(k.Proof), ours.Append(nil))
	})
}
