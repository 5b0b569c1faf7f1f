package systems_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

type hex = vectors.Hex

// recorded is rp_bulletproof.json or rp_csp.json.
type recorded struct {
	Groups []struct {
		Curve  string
		Bits   int `json:"bit_length"`
		Cases  []proofCase
		Bundle struct { // a list of proofs, of Bulletproofs alone
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
		Rho, Eta, Tau1, Tau2 hex // of a Bulletproof
		SL, SR               []hex
		TV                   hex `json:"pok_tv"` // of CSP
		TR                   hex `json:"pok_tr"`
		A0                   hex
		S                    []hex
	}
}

// source yields the recorded nonces in the order of drawing, and for CSP 0 for r, which
// the reference does not use.
func (c proofCase) source(t testing.TB, g group.Group) nonce.Source {
	list := []hex{c.Nonces.Rho, c.Nonces.Eta}
	for i := range c.Nonces.SL {
		list = append(list, c.Nonces.SL[i], c.Nonces.SR[i])
	}
	list = append(list, c.Nonces.Tau1, c.Nonces.Tau2)
	if c.Nonces.Rho == nil {
		zero := make(hex, group.ScalarLen)
		list = append(append([]hex{c.Nonces.TV, c.Nonces.TR, c.Nonces.A0}, c.Nonces.S...), zero)
	}
	f := nonce.Fixed(vectors.Scalars(t, g, list...))
	return &f
}

// TestRecordedProofsAreReproducedAndAccepted, alone and in lists.
func TestRecordedProofsAreReproducedAndAccepted(t *testing.T) {
	for _, kind := range []rangeproof.Kind{rangeproof.Bulletproof, rangeproof.CSP} {
		for set, file := range vectors.Sets[recorded](t, fmt.Sprintf("rp_%s.json", kind)) {
			for _, group := range file.Groups {
				if testing.Short() && group.Bits > 16 {
					continue
				}
				p := newProver(t, small(found(t, kind)), group.Curve, group.Bits)
				for _, c := range group.Cases {
					name := fmt.Sprint(kind, "/", set, "/", group.Curve, "/", group.Bits, "/", c.Value)
					t.Run(name, func(t *testing.T) {
						v := vectors.Point(t, p.Group, c.Commitment)
						recorded, err := p.Decode(c.Proof)
						require.NoError(t, err)
						require.NoError(t, p.Verify([]rangeproof.Item{{V: v, Proof: recorded}}))
						require.Equal(t, []byte(c.Proof), recorded.Append(nil))

						value, err := strconv.ParseUint(c.Value, 10, 64)
						require.NoError(t, err)
						w := rangeproof.Witness{Value: value,
							Blinding: vectors.Scalar(t, p.Group, c.Blinding)}
						ours, err := p.ProveFor(v, w, c.source(t, p.Group))
						require.NoError(t, err)
						require.Equal(t, []byte(c.Proof), ours.Append(nil))
					})
				}
				if kind == rangeproof.Bulletproof {
					commitments := vectors.Points(t, p.Group, group.Bundle.Commitments)
					list, err := rangeproof.DecodeList(wire.OneByOne(p.Group), p.System, group.Bundle.Raw,
						len(commitments))
					require.NoError(t, err)
					require.Equal(t, []byte(group.Bundle.Raw), rangeproof.AppendList(nil, list))
					var items []rangeproof.Item
					for i, v := range commitments {
						items = append(items, rangeproof.Item{V: v, Proof: list[i]})
					}
					require.NoError(t, p.Verify(items))
					items[0].V, items[1].V = items[1].V, items[0].V
					require.ErrorIs(t, p.Verify(items), rangeproof.ErrRejected)
				}
			}
		}
	}
}
