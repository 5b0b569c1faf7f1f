package bulletproof_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/bulletproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
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
}

// system makes the parameters of the documented generator strings.
func system(t testing.TB, g group.Group, bits int) rangeproof.System {
	t.Helper()
	c := config(g, bits)
	c.TableBytes = 1 // the smallest tables are built faster than a test takes
	s, err := bulletproof.New(c)
	require.NoError(t, err)
	return s
}

func config(g group.Group, bits int) bulletproof.Config {
	hash := func(name string) group.Point { return vectors.Generator(g, name) }
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

// source yields the recorded nonces in the order of drawing.
func (c proofCase) source(t testing.TB, g group.Group) nonce.Source {
	list := []hex{c.Nonces.Rho, c.Nonces.Eta}
	for i := range c.Nonces.SL {
		list = append(list, c.Nonces.SL[i], c.Nonces.SR[i])
	}
	f := nonce.Fixed(vectors.Scalars(t, g, append(list, c.Nonces.Tau1, c.Nonces.Tau2)...))
	return &f
}

func TestRecordedProofsAreReproducedAndAccepted(t *testing.T) {
	for set, file := range vectors.Sets[recorded](t, "rp_bulletproof.json") {
		for _, group := range file.Groups {
			g := vectors.Curve(t, group.Curve)
			s := system(t, g, group.Bits)
			for _, c := range group.Cases {
				t.Run(set+"/"+group.Curve+"/"+strconv.Itoa(group.Bits)+"/"+c.Value, func(t *testing.T) {
					v := vectors.Point(t, g, c.Commitment)

					recorded, err := rangeproof.Decode(g, s, c.Proof)
					require.NoError(t, err)
					require.NoError(t, rangeproof.Verify(g, s, []rangeproof.Item{{V: v, Proof: recorded}}))
					require.Equal(t, []byte(c.Proof), recorded.Append(nil))

					value, err := strconv.ParseUint(c.Value, 10, 64)
					require.NoError(t, err)
					w := rangeproof.Witness{Value: value, Blinding: vectors.Scalar(t, g, c.Blinding)}
					ours, err := rangeproof.Prove(g, s, v, w, c.source(t, g))
					require.NoError(t, err)
					require.Equal(t, []byte(c.Proof), ours.Append(nil))
				})
			}
		}
	}
}

// TestRecordedBundleIsAccepted checks a list of proofs for two commitments.
func TestRecordedBundleIsAccepted(t *testing.T) {
	for _, file := range vectors.Sets[recorded](t, "rp_bulletproof.json") {
		for _, group := range file.Groups {
			g := vectors.Curve(t, group.Curve)
			s := system(t, g, group.Bits)
			commitments := vectors.Points(t, g, group.Bundle.Commitments)
			proofs, err := rangeproof.DecodeList(wire.OneByOne(g), s, group.Bundle.Raw, len(commitments))
			require.NoError(t, err)
			require.Equal(t, []byte(group.Bundle.Raw), rangeproof.AppendList(nil, proofs))
			var items []rangeproof.Item
			for i, v := range commitments {
				items = append(items, rangeproof.Item{V: v, Proof: proofs[i]})
			}
			require.NoError(t, rangeproof.Verify(g, s, items))
			items[0].V, items[1].V = items[1].V, items[0].V
			require.ErrorIs(t, rangeproof.Verify(g, s, items), rangeproof.ErrRejected)
		}
	}
}
