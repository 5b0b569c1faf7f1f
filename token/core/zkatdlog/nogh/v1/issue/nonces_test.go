package issue_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// TestTypeHasItsOwnBlinding: CT hides the type, and Out - CT the value, with the
// difference of two blinding factors that are independent.
func TestTypeHasItsOwnBlinding(t *testing.T) {
	p := setup(t, "BN254")
	g, values := p.Group(), []uint64{7, 8}
	a := issued(t, p, values...)
	raw, _, err := a.Proof.Split("proof")
	require.NoError(t, err)
	same, err := sigma.DecodeSameType(wire.OneByOne(g), raw)
	require.NoError(t, err)
	require.False(t, g.Equal(token.Commit(p.Pedersen(), "EUR", 0, group.Scalar{}), same.CT))
	for j, out := range a.Outputs {
		bare := p.Pedersen().Commit(group.Scalar{}, g.Uint64(values[j]), group.Scalar{})
		require.False(t, g.Equal(bare, g.SubPoints(out.Data, same.CT)), "output %d", j)
	}
}

// TestParametersThatNobodyMade checks that the zero value gives an error
// instead of a panic.
func TestParametersThatNobodyMade(t *testing.T) {
	a := issued(t, setup(t, "BN254"), 7)
	for _, none := range []*params.Params{nil, {}} {
		require.ErrorIs(t, proof.Verify(none, a, proof.Place{}), params.ErrInvalid)
		require.ErrorIs(t, proof.VerifyBatch(none, proof.PlaceAll(proof.Place{}, []*issue.Action{a})),
			params.ErrInvalid)
		_, _, err := issuer(none).Issue("EUR", receives(7))
		require.ErrorIs(t, err, params.ErrInvalid)
		_, err = issuer(none).Draft("EUR", receives(7))
		require.ErrorIs(t, err, params.ErrInvalid)
	}
}

// TestBlindingsAreThoseOfAllParts restates which parts of an issue the nonces depend on:
// parameters, issuer, type, owners and values.
func TestBlindingsAreThoseOfAllParts(t *testing.T) {
	p := setup(t, "BN254")
	g := p.Group()
	s, rs := issue.Issuer{Params: p, Identity: []byte("bank"), Random: bytes.NewReader(make([]byte, 32))},
		receives(4, 11)
	public := proof.AppendPart(proof.AppendPart(nil, s.Identity), []byte("EUR"))
	var secrets []group.Scalar
	for _, out := range rs {
		public, secrets = proof.AppendPart(public, out.Owner), append(secrets, g.Uint64(out.Value))
	}
	var h nonce.Hedge
	require.NoError(t, proof.SeedHedge(&h, p, bytes.NewReader(make([]byte, 32)), public, secrets...))
	want := make([]group.Scalar, len(rs))
	require.NoError(t, h.Stream("output", 0).Scalars(want))
	_, openings, err := s.Issue("EUR", rs)
	require.NoError(t, err)
	for j, o := range openings {
		require.Equal(t, want[j], o.Blinding)
	}
}
