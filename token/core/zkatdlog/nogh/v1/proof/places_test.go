package proof_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// transferred returns a transfer of one token of a to two.
func transferred(t testing.TB, p *params.Params, a *issue.Action, o token.Opening) *transfer.Action {
	t.Helper()
	spend := transfer.Spend{ID: token.ID{TxID: "tx"}, Token: a.Outputs[0], Opening: o}
	receives := []token.Receive{{Owner: []byte("bob"), Value: 1}, {Owner: []byte("eve"), Value: 6}}
	made, _, err := transfer.Sender{Params: p}.Transfer([]transfer.Spend{spend}, receives)
	require.NoError(t, err)
	return made
}

// otherSum returns a copy of a in which only the sigma proof is wrong: its range proofs
// are about the same points.
func otherSum(t testing.TB, p *params.Params, a proof.Action) proof.Action {
	t.Helper()
	g := p.Group()
	changed := func(of proof.Proof, edit func(raw []byte) []byte) proof.Proof {
		raw, ranges, err := of.Split("proof")
		require.NoError(t, err)
		of.Raw = wire.AppendContainer(nil, edit(raw), ranges)
		return of
	}
	switch a := a.(type) {
	case *issue.Action:
		other := *a
		other.Proof = changed(a.Proof, func(raw []byte) []byte {
			same, err := sigma.DecodeSameType(wire.OneByOne(g), raw)
			require.NoError(t, err)
			same.ZB = g.Add(same.ZB, g.Uint64(1))
			return same.Append(nil, g)
		})
		return &other
	case *transfer.Action:
		other := *a
		other.Proof = changed(a.Proof, func(raw []byte) []byte {
			sum, err := sigma.DecodeTypeAndSum(wire.OneByOne(g), raw, len(a.Inputs))
			require.NoError(t, err)
			sum.ZS = g.Add(sum.ZS, g.Uint64(1))
			return sum.Append(nil, g)
		})
		return &other
	}
	t.Fatalf("%T", a)
	return nil
}

// TestWrongPartsAtEveryPlace: issues and transfers in turn with proofs of two systems,
// and one wrong sigma proof, or range proof, at every place.
func TestWrongPartsAtEveryPlace(t *testing.T) {
	p := setup(t, 16, rangeproof.CSP, rangeproof.Bulletproof)
	var issues [2]*issue.Action
	var transfers [2]*transfer.Action
	for k, kinds := range [][]rangeproof.Kind{{rangeproof.CSP, rangeproof.Bulletproof},
		{rangeproof.Bulletproof}} {
		own := setup(t, 16, kinds...)
		a, openings, err := issue.Issuer{Params: own, Identity: []byte("bank")}.Issue("EUR",
			[]token.Receive{{Owner: []byte("bob"), Value: 7}, {Owner: []byte("eve"), Value: 8}})
		require.NoError(t, err)
		require.Equal(t, kinds[0], a.Proof.Kind)
		issues[k], transfers[k] = a, transferred(t, own, a, openings[0])
	}
	const pairs = 10 // the sums of each kind are verified together
	var right []proof.Action
	for i := range pairs {
		right = append(right, issues[i%2], transfers[i%2])
	}
	verdicts := func(wrong int, with proof.Action) []error {
		placed := make([]proof.Placed, len(right))
		for i, a := range right {
			placed[i].Action = a
		}
		if wrong >= 0 {
			placed[wrong].Action = with
		}
		return proof.VerifyEach(p, placed)
	}
	require.Equal(t, -1, first(verdicts(-1, nil)))
	for i, a := range right {
		for n, err := range verdicts(i, otherSum(t, p, a)) {
			if n == i {
				require.ErrorIs(t, err, sigma.ErrRejected, "action %d", n)
			} else {
				require.NoError(t, err, "action %d beside the wrong one %d", n, i)
			}
		}
	}
	for i := 0; i < len(right); i += 2 {
		for n, err := range verdicts(i, exchanged(t, right[i].(*issue.Action))) {
			if n == i {
				require.ErrorIs(t, err, rangeproof.ErrRejected, "action %d", n)
			} else {
				require.NoError(t, err, "action %d beside the wrong one %d", n, i)
			}
		}
	}
}

// TestAnyTypeIsOfItsAction: of issues without a type, whose range proofs are wrong too, the flag
// AnyType lets one at every place reach its range proofs, and no other.
func TestAnyTypeIsOfItsAction(t *testing.T) {
	p := setup(t, 16, rangeproof.CSP)
	a := issued(t, p, 2)
	same, err := sigma.ProveSameType(p.Pedersen(), sigma.SameTypeWitness{},
		&nonce.Fixed{p.Group().Uint64(5), p.Group().Uint64(6)})
	require.NoError(t, err)
	_, ranges, err := a.Proof.Split("proof")
	require.NoError(t, err)
	a.Proof.Raw = wire.AppendContainer(nil, same.Append(nil, p.Group()), ranges)
	for i := range 3 {
		placed := proof.PlaceAll(proof.Place{}, []*issue.Action{a, a, a})
		placed[i].AnyType = true
		for n, err := range proof.VerifyEach(p, placed) {
			if n == i {
				require.ErrorIs(t, err, rangeproof.ErrRejected, "action %d", n)
			} else {
				require.ErrorIs(t, err, sigma.ErrRejected, "action %d beside %d", n, i)
			}
		}
	}
}
