package transfer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// zeros is the worst random source that returns no error.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// TestBlindingsAreThoseOfAllParts restates which parts of a transfer the nonces
// depend on: parameters, inputs, owners, type, values of the inputs and outputs,
// blinding factors of the inputs.
func TestBlindingsAreThoseOfAllParts(t *testing.T) {
	p := setup(t, "BN254")
	g := p.Group()
	ss, rs := spends(t, p, "EUR", 7, 8), receives(4, 11)
	var public []byte
	secrets, blindings := []group.Scalar{token.TypeScalar(g, "EUR")}, []group.Scalar(nil)
	for _, in := range ss {
		public = g.AppendPoint(public, in.Token.Data)
		secrets, blindings = append(secrets, in.Opening.Value), append(blindings, in.Opening.Blinding)
	}
	for _, out := range rs {
		public, secrets = proof.AppendPart(public, out.Owner), append(secrets, g.Uint64(out.Value))
	}
	secrets = append(secrets, blindings...)
	var h nonce.Hedge
	require.NoError(t, proof.SeedHedge(&h, p, zeros{}, public, secrets...))
	want := make([]group.Scalar, len(rs))
	require.NoError(t, h.Stream("output", 0).Scalars(want))
	_, openings, err := transfer.Sender{Params: p, Random: zeros{}}.Transfer(ss, rs)
	require.NoError(t, err)
	for j, o := range openings {
		require.Equal(t, want[j], o.Blinding)
	}
}

// TestTypeHasItsOwnBlinding: Out - CT hides the value, with the difference of two
// blinding factors that are independent.
func TestTypeHasItsOwnBlinding(t *testing.T) {
	p := setup(t, "BN254")
	g := p.Group()
	rs := receives(4, 11)
	a := sent(t, p, spends(t, p, "EUR", 7, 8), rs)
	sum, _, err := a.Proof.Split("proof")
	require.NoError(t, err)
	decoded, err := sigma.DecodeTypeAndSum(wire.OneByOne(g), sum, len(a.Inputs))
	require.NoError(t, err)
	for j, out := range a.Outputs {
		bare := p.Pedersen().Commit(group.Scalar{}, g.Uint64(rs[j].Value), group.Scalar{})
		require.False(t, g.Equal(bare, g.SubPoints(out.Data, decoded.CT)), "output %d", j)
	}
}

// TestParametersThatNobodyMade checks that the zero value gives an error
// instead of a panic.
func TestParametersThatNobodyMade(t *testing.T) {
	p := setup(t, "BN254")
	a := sent(t, p, spends(t, p, "EUR", 7), receives(7))
	for _, none := range []*params.Params{nil, {}} {
		require.ErrorIs(t, proof.Verify(none, a, proof.Place{}), params.ErrInvalid)
		require.ErrorIs(t, proof.VerifyBatch(none, proof.PlaceAll(proof.Place{}, []*transfer.Action{a})),
			params.ErrInvalid)
		_, err := transfer.Sender{Params: none}.Draft(spends(t, p, "EUR", 7), receives(7))
		require.ErrorIs(t, err, params.ErrInvalid)
		_, _, err = transfer.Sender{Params: none}.Transfer(spends(t, p, "EUR", 7), receives(7))
		require.ErrorIs(t, err, params.ErrInvalid)
	}
}

// TestKindOfOneToOneIsChecked: a transfer without range proofs names a system of
// the parameters all the same.
func TestKindOfOneToOneIsChecked(t *testing.T) {
	p := setup(t, "BN254", rangeproof.CSP)
	a := sent(t, p, spends(t, p, "EUR", 7), receives(7))
	require.NoError(t, proof.Verify(p, a, proof.Place{}))
	a.Proof.Kind = rangeproof.Bulletproof
	require.ErrorIs(t, proof.Verify(p, a, proof.Place{}), params.ErrNoSystem)
}

// TestSumsDoNotWrap: inputs of 2⁶⁴ + 1 in all are not outputs of 1.
func TestSumsDoNotWrap(t *testing.T) {
	p, err := params.Setup(params.Config{Group: setup(t, "BN254").Group(), Bits: 64, TableBytes: 1})
	require.NoError(t, err)
	_, _, err = sender(p).Transfer(spends(t, p, "EUR", ^uint64(0), 2), receives(1))
	require.ErrorIs(t, err, proof.ErrSum)
}
