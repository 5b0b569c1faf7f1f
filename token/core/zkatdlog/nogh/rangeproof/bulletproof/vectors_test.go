package bulletproof_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/bulletproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

type hex = vectors.Hex

// recorded is rp_bulletproof.json.
type recorded struct {
	Groups []struct {
		Curve      string
		Bits       int `json:"bit_length"`
		Generators struct {
			Pedersen []hex
			P, Q     hex
		}
		Cases  []proofCase
		Bundle struct {
			Commitments []hex
			Raw         hex
		} `json:"range_correctness_bundle"`
	}
}

type proofCase struct {
	Value      string
	Blinding   hex `json:"blinding_factor"`
	Commitment hex
	Proof      hex
	Nonces     struct {
		Rho, Eta, Tau1, Tau2 hex
		SL, SR               []hex
	}
	Challenges []struct {
		Label            string
		Preimage, Scalar hex
	}
}

// system makes the parameters of the documented generator strings.
func system(t testing.TB, g group.Group, bits int) *bulletproof.System {
	t.Helper()
	s, err := bulletproof.New(config(g, bits))
	require.NoError(t, err)
	return s
}

func config(g group.Group, bits int) bulletproof.Config {
	const d = "lfdt-panurus.zkatdlognogh.1."
	hash := func(s string) group.Point { return g.HashToPoint([]byte(d + s)) }
	c := bulletproof.Config{
		Group: g, Bits: bits,
		G1: hash("PedersenGenerators.1"), H: hash("PedersenGenerators.2"),
		P: hash("RangeProof.P"), Q: hash("RangeProof.Q"),
	}
	for i := range bits {
		c.Left = append(c.Left, hash("RangeProof.L."+strconv.Itoa(i)))
		c.Right = append(c.Right, hash("RangeProof.R."+strconv.Itoa(i)))
	}
	return c
}

func byName(t testing.TB, name string) group.Group {
	t.Helper()
	g, err := curves.ByName(name)
	require.NoError(t, err)
	return g
}

func point(t testing.TB, g group.Group, b []byte) group.Point {
	t.Helper()
	p, err := g.DecodePoint(b)
	require.NoError(t, err)
	return p
}

func scalar(t testing.TB, g group.Group, b []byte) group.Scalar {
	t.Helper()
	s, err := g.DecodeScalar(b)
	require.NoError(t, err)
	return s
}

// source yields the recorded nonces in the order of drawing.
func (c proofCase) source(t testing.TB, g group.Group) nonce.Source {
	list := []hex{c.Nonces.Rho, c.Nonces.Eta}
	for i := range c.Nonces.SL {
		list = append(list, c.Nonces.SL[i], c.Nonces.SR[i])
	}
	var f nonce.Fixed
	for _, b := range append(list, c.Nonces.Tau1, c.Nonces.Tau2) {
		f = append(f, scalar(t, g, b))
	}
	return &f
}

func TestRecordedProofsAreReproducedAndAccepted(t *testing.T) {
	for set, file := range vectors.Sets[recorded](t, "rp_bulletproof.json") {
		for _, group := range file.Groups {
			g := byName(t, group.Curve)
			s := system(t, g, group.Bits)
			for _, c := range group.Cases {
				t.Run(set+"/"+group.Curve+"/"+strconv.Itoa(group.Bits)+"/"+c.Value, func(t *testing.T) {
					value, err := strconv.ParseUint(c.Value, 10, 64)
					require.NoError(t, err)
					v := point(t, g, c.Commitment)

					recorded, err := s.Decode(c.Proof)
					require.NoError(t, err)
					require.NoError(t, s.Verify([]rangeproof.Item{{V: v, Proof: recorded}}))
					require.Equal(t, []byte(c.Proof), recorded.Append(nil))

					w := rangeproof.Witness{Value: value, Blinding: scalar(t, g, c.Blinding)}
					ours, err := s.Prove(v, w, c.source(t, g))
					require.NoError(t, err)
					require.Equal(t, []byte(c.Proof), ours.Append(nil))
				})
			}
		}
	}
}
