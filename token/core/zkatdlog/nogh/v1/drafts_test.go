package v1_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/pb"
)

// here is the place of the actions in these tests.
var here = proof.Place{Anchor: "here", Index: 1}

// drafted returns a proved transfer of two inputs and two outputs that
// redeems a value, and a proved issue.
func drafted(t *testing.T, n *fixture.Network, seed uint64) (*transfer.Action, *issue.Action) {
	t.Helper()
	ready, err := n.NewTransfer(seed, 2, 3)
	require.NoError(t, err)
	ready.Receives[2].Owner = nil
	sent, err := transfer.Sender{Params: n.Params}.Draft(ready.Spends, ready.Receives)
	require.NoError(t, err)
	if proof.Of(n.Params) == proof.Whole {
		require.Equal(t, ready.Receives[2].Value, sent.Action.Redeem)
		require.Len(t, sent.Action.Outputs, 2)
		require.Equal(t, ready.Spends[0].Opening.Type, sent.Action.RedeemType)
	}
	sent.Action.Issuer, sent.Action.Metadata = n.Issuer.Identity(), map[string][]byte{"pub.a": []byte("b")}
	require.NoError(t, sent.Prove(here))

	made, err := n.NewIssue(seed, 2)
	require.NoError(t, err)
	issued, err := issue.Issuer{Params: n.Params, Identity: n.Issuer.Identity()}.Draft("EUR", made.Receives)
	require.NoError(t, err)
	issued.Action.Metadata = map[string][]byte{"pub.a": []byte("b")}
	require.NoError(t, issued.Prove(here))
	return sent.Action, issued.Action
}

// flipped returns a copy of b with one bit changed.
func flipped(b []byte) []byte {
	b = append([]byte(nil), b...)
	b[len(b)-1] ^= 1
	return b
}

// TestV2ProofsBindTheWholeAction: an action with another byte anywhere that can be read, or at
// another place, is refused.
func TestV2ProofsBindTheWholeAction(t *testing.T) {
	n := network(t, onlyV2)
	sent, issued := drafted(t, n, 1)
	for _, a := range []proof.Action{sent, issued} {
		require.NoError(t, proof.Verify(n.Params, a, here))
		for _, there := range []proof.Place{{Anchor: "hers", Index: 1}, {Anchor: "here", Index: 2}} {
			require.ErrorIs(t, proof.Verify(n.Params, a, there), v2.ErrRejected)
		}
	}
	g, refused := n.Params.Group(), 0
	refuse := func(a proof.Action, err error) {
		if err == nil {
			require.Error(t, proof.Verify(n.Params, a, here), "%+v", a)
			refused++
		}
	}
	everyByte(sent.Encode(g), func(b []byte) { refuse(transfer.Decode(g, b, token.DefaultLimits)) })
	everyByte(issued.Encode(g), func(b []byte) { refuse(issue.Decode(g, b, token.DefaultLimits)) })
	require.Greater(t, refused, 50)
}

// everyByte calls f with copies of b with one other byte each, by day some of them.
func everyByte(b []byte, f func(b []byte)) {
	for i := 0; i < len(b); i += nightly.Pick(7, 3, 1) {
		changed := bytes.Clone(b)
		changed[i] ^= 1
		f(changed)
	}
}

// TestRedeemsWithoutATypeStayValid: actions were made without it before, and a proof of
// either form does not count for the other.
func TestRedeemsWithoutATypeStayValid(t *testing.T) {
	n := network(t, onlyV2)
	ready, err := n.NewTransfer(1, 2, 3)
	require.NoError(t, err)
	ready.Receives[2].Owner = nil
	sent, err := transfer.Sender{Params: n.Params}.Draft(ready.Spends, ready.Receives)
	require.NoError(t, err)
	shown := sent.Action.RedeemType
	sent.Action.RedeemType = ""
	require.NoError(t, sent.Prove(here))
	require.NoError(t, proof.Verify(n.Params, sent.Action, here))
	again := networktest.Transfer(t, n.Params.Group(), sent.Encode())
	require.Empty(t, again.RedeemType)
	for _, typ := range []string{shown, "another"} {
		again.RedeemType = typ
		require.Error(t, proof.Verify(n.Params, again, here), typ)
	}
	sent.Action.RedeemType = "another"
	require.Error(t, sent.Prove(here))
}

// tearing is a group where sums over points of the curve panic.
type tearing struct{ group.Group }

func (tearing) CurveSum(group.Table, group.Row, []group.CurvePoint, []group.Scalar) group.CurvePoint {
	panic("torn")
}

// TestAPanicAcceptsNothing: a batch is refused if its equation panics,
// except for requests with a verdict already.
func TestAPanicAcceptsNothing(t *testing.T) {
	n := network(t, onlyV2)
	var submissions []validator.Submission
	for i := range 3 {
		anchor := fmt.Sprintf("tx%d", i)
		a, err := n.Request(anchor, fixture.Shape{Kind: "issues", Outputs: 1}, uint64(i))
		require.NoError(t, err)
		submissions = append(submissions, validator.Submission{Anchor: anchor, Raw: a.Request.Encode()})
	}
	submissions[1].Raw = submissions[1].Raw[1:]
	torn := validator.New(n.Params.On(tearing{n.Params.Group()}), validator.Options{})
	for i, verdict := range torn.ValidateBatch(submissions) {
		require.Nil(t, verdict.Accepted, i)
		if i == 1 {
			networktest.Refused(t, verdict.Err, "request", nil)
			continue
		}
		networktest.Refused(t, verdict.Err, "internal", nil)
		require.ErrorAs(t, verdict.Err, new(*executor.PanicError))
	}
}

// TestOtherCommitmentKeysHaveNoV2Proofs: parameters with two Pedersen generators
// exchanged accept no action of v2.
func TestOtherCommitmentKeysHaveNoV2Proofs(t *testing.T) {
	n := network(t, onlyV2)
	a := networktest.Request(t, n, "issues", 0, 1, 1)
	exchange := func(m pb.Fields) { slices.Reverse(m["pedersen_generators"].([]any)[:2]) }
	encoded := networktest.EditParams(t, n.Params, networktest.EditFields(t, "PublicParameters", exchange))
	o := params.Options{TableBytes: 1, AllowForeignGenerators: true}
	_, err := params.Decode(encoded, o)
	require.ErrorIs(t, err, params.ErrInvalid, "v2 has an option of its own")
	o.AllowForeignGeneratorsV2 = true
	p, err := params.Decode(encoded, o)
	require.NoError(t, err)
	_, err = issue.Issuer{Params: p, Identity: n.Issuer.Identity()}.Draft("EUR",
		[]token.Receive{{Owner: []byte("bob"), Value: 1}})
	require.ErrorIs(t, err, params.ErrInvalid)
	ready, err := n.NewTransfer(1, 1, 1)
	require.NoError(t, err)
	_, err = transfer.Sender{Params: p}.Draft(ready.Spends, ready.Receives)
	require.ErrorIs(t, err, params.ErrInvalid)
	judge := validator.New(p, validator.Options{})
	for _, err := range networktest.Verdicts(judge, "tx", a.Request.Encode()) {
		refused(t, err, "proofs", params.ErrInvalid)
	}
}

// TestBatchesOfBothProtocols names the first wrong action of v1, and without one the
// first of v2, wherever they are in the batch.
func TestBatchesOfBothProtocols(t *testing.T) {
	n := network(t, both)
	whole, _ := drafted(t, n, 1)
	composed, _ := drafted(t, network(t, params.Protocols{}), 1)
	require.Equal(t, proof.Whole, whole.Protocol())
	require.Equal(t, proof.Composed, composed.Protocol())
	wrongWhole, wrongComposed := *whole, *composed
	wrongWhole.Issuer = flipped(whole.Issuer) // v2 binds the whole action
	wrongComposed.Outputs = slices.Clone(composed.Outputs)
	slices.Reverse(wrongComposed.Outputs)
	for _, c := range []struct {
		batch []*transfer.Action
		want  int
	}{
		{[]*transfer.Action{whole, composed, whole, composed}, -1},
		{[]*transfer.Action{composed, composed}, -1},
		{[]*transfer.Action{whole}, -1},
		{nil, -1},
		{[]*transfer.Action{whole, composed, &wrongWhole, composed}, 2},
		{[]*transfer.Action{whole, composed, whole, &wrongComposed}, 3},
		{[]*transfer.Action{&wrongWhole, composed, whole, &wrongComposed}, 0},
		{[]*transfer.Action{composed, &wrongWhole, &wrongWhole}, 1},
		{[]*transfer.Action{composed, composed, &wrongWhole}, 2},
		{[]*transfer.Action{whole, &wrongComposed, whole}, 1},
	} {
		err := proof.VerifyBatch(n.Params, proof.PlaceAll(here, c.batch))
		if c.want < 0 {
			require.NoError(t, err)
			continue
		}
		rejected := new(proof.RejectedError)
		require.ErrorAs(t, err, &rejected)
		require.Equal(t, c.want, rejected.Index)
	}
}
