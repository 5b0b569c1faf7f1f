package v1_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/ledger"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/pb"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// network returns a small network that accepts the protocols.
func network(t testing.TB, curve string, protocols params.Protocols, systems ...rangeproof.Kind) *fixture.Network {
	t.Helper()
	g, err := curves.ByName(curve)
	require.NoError(t, err)
	n, err := fixture.NewNetwork(fixture.Config{Group: g, Bits: 32, TableBytes: 1, Protocols: protocols, Systems: systems})
	require.NoError(t, err)
	return n
}

var (
	onlyV2  = params.Protocols{V2: true}
	both    = params.Protocols{V1: true, V2: true}
	soundV1 = params.Protocols{V1: true, V2: true, SoundV1: true}
)

// put places the tokens of an order on the ledger.
func put(l *ledger.Memory, n *fixture.Network, held map[token.ID]v1.Held) {
	for id, h := range held {
		l.Put(id, h.Token.Encode(n.Params.Group()))
	}
}

// refused requires a refusal by the rule and for the reason.
func refused(t *testing.T, err error, rule string, reason error) {
	t.Helper()
	r := new(validator.RefusedError)
	require.ErrorAs(t, err, &r)
	require.Equal(t, rule, r.Rule)
	require.ErrorIs(t, err, reason)
	vectors.Formatted(t, err)
}

// TestV2RequestsAreAccepted makes, audits, validates and applies requests of
// every kind, and spends their outputs.
func TestV2RequestsAreAccepted(t *testing.T) {
	for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
		n := network(t, curve, onlyV2)
		l := new(ledger.Memory)
		judge := n.Validator(validator.Options{Ledger: l})
		for seed, kind := range fixture.Kinds {
			shape := fixture.Shape{Kind: kind, Inputs: 2, Outputs: 2}
			parts, err := n.Parts(shape, uint64(seed))
			require.NoError(t, err)
			for offset := range parts {
				service, _, err := n.TransferOrder(uint64(seed)+uint64(offset)<<32, 2, 2, kind == "redeems")
				require.NoError(t, err)
				put(l, n, service.Tokens.(*fixture.Book).Held)
			}
			a, err := n.Signed("anchor "+kind, parts...)
			require.NoError(t, err)
			accepted, err := judge.Validate(a.Anchor, a.Request.Encode())
			require.NoError(t, err, kind)
			require.NoError(t, l.Apply(accepted))
			for _, out := range accepted.Created {
				tok, err := token.Decode(n.Params.Group(), out.Token)
				require.NoError(t, err)
				require.True(t, tok.V2)
			}
			_, err = judge.Validate(a.Anchor, a.Request.Encode())
			require.Error(t, err, "a second time")
		}
	}
}

// TestV2TokensAreSpentAgain issues tokens and spends them.
func TestV2TokensAreSpentAgain(t *testing.T) {
	n := network(t, "BN254", onlyV2)
	l := new(ledger.Memory)
	judge := n.Validator(validator.Options{Ledger: l})
	made, err := n.NewIssue(5, 1)
	require.NoError(t, err)
	book := fixture.NewBook(n.Issuer, made.Receiver)
	service := n.Service(book, 5)
	part, err := service.Issue(v1.IssueOrder{Issuer: n.Issuer.Identity(), Type: "EUR", Receive: []token.Receive{{Owner: made.Receiver.Identity(), Value: 100}}})
	require.NoError(t, err)
	a, err := n.Signed("issue", part)
	require.NoError(t, err)
	accepted, err := judge.Validate(a.Anchor, a.Request.Encode())
	require.NoError(t, err)
	require.NoError(t, l.Apply(accepted))

	created := accepted.Created[0]
	tok, err := token.Decode(n.Params.Group(), created.Token)
	require.NoError(t, err)
	book.Held[created.ID] = v1.Held{Token: tok, Opening: part.Openings[0]}
	order := v1.TransferOrder{
		Spend: []token.ID{created.ID}, Issuer: n.Issuer.Identity(),
		Receive: []token.Receive{{Value: 60}, {Owner: made.Receiver.Identity(), Value: 30}, {Value: 10}},
	}
	part, err = service.Transfer(order)
	require.NoError(t, err)
	a, err = n.Signed("redeem", part)
	require.NoError(t, err)
	audited, err := n.Audit().Check(a.AuditRequest())
	require.NoError(t, err)
	require.Equal(t, uint64(70), audited.Actions[0].Redeem)
	accepted, err = judge.Validate(a.Anchor, a.Request.Encode())
	require.NoError(t, err)
	require.Equal(t, uint64(70), accepted.Transfers[0].Redeem)
	require.Len(t, accepted.Created, 1)

	order.Receive = []token.Receive{{Value: 100}}
	part, err = service.Transfer(order)
	require.NoError(t, err)
	a, err = n.Signed("redeem everything", part)
	require.NoError(t, err)
	accepted, err = judge.Validate(a.Anchor, a.Request.Encode())
	require.NoError(t, err)
	require.Equal(t, tok.Owner, accepted.Transfers[0].Outputs[0].Owner, "a token of value 0")
}

// signedAgain makes a separate request of the actions, signed by all parties
// without checks.
func signedAgain(t *testing.T, n *fixture.Network, anchor string, parts []*v1.Part, actions []request.Action) []byte {
	t.Helper()
	req := &request.Request{Actions: actions}
	message, err := req.Message(anchor)
	require.NoError(t, err)
	raw, err := n.Auditor.Sign(message)
	require.NoError(t, err)
	req.Signatures = append(req.Signatures, request.Signature{Auditor: n.Auditor.Identity(), Raw: raw})
	for i, p := range parts {
		for _, s := range p.Signers {
			raw, err := s.Sign(message)
			require.NoError(t, err)
			req.Signatures = append(req.Signatures, request.Signature{ActionID: uint32(i), Raw: raw})
		}
	}
	return req.Encode()
}

// TestV2ProofsAreForOnePlace checks that a proof is refused after a copy to
// another request or another index, or after any change of the action, even if
// all parties signed.
func TestV2ProofsAreForOnePlace(t *testing.T) {
	n := network(t, "BN254", onlyV2)
	g := n.Params.Group()
	parts, err := n.Parts(fixture.Shape{Kind: "swaps", Inputs: 1, Outputs: 2}, 9)
	require.NoError(t, err)
	a, err := n.Signed("here", parts...)
	require.NoError(t, err)
	actions := a.Request.Actions
	judge := n.Validator(validator.Options{})
	_, err = judge.Validate("here", signedAgain(t, n, "here", parts, actions))
	require.NoError(t, err)

	_, err = judge.Validate("there", signedAgain(t, n, "there", parts, actions))
	refused(t, err, "proofs", v2.ErrRejected)
	here, there := validator.Submission{Anchor: "here", Raw: signedAgain(t, n, "here", parts, actions)}, validator.Submission{Anchor: "there", Raw: signedAgain(t, n, "there", parts, actions)}
	verdicts := judge.ValidateBatch([]validator.Submission{here, there, here})
	require.NoError(t, verdicts[0].Err)
	refused(t, verdicts[1].Err, "proofs", v2.ErrRejected)
	require.NoError(t, verdicts[2].Err)
	exchanged := []request.Action{actions[1], actions[0]}
	_, err = judge.Validate("here", signedAgain(t, n, "here", []*v1.Part{parts[1], parts[0]}, exchanged))
	refused(t, err, "proofs", v2.ErrRejected)

	for name, change := range map[string]func(a *transfer.Action){
		"owner":    func(a *transfer.Action) { a.Outputs[0].Owner = n.Issuer.Identity() },
		"metadata": func(a *transfer.Action) { a.Metadata = map[string][]byte{"pub.x": []byte("y")} },
		"input":    func(a *transfer.Action) { a.Inputs[0].ID.Index++ },
	} {
		changed, err := transfer.Decode(g, actions[0].Raw, token.DefaultLimits)
		require.NoError(t, err)
		change(changed)
		other := []request.Action{{Kind: request.Transfer, Raw: changed.Encode(g)}, actions[1]}
		_, err = judge.Validate("here", signedAgain(t, n, "here", parts, other))
		refused(t, err, "proofs", v2.ErrRejected)
		r := new(validator.RefusedError)
		require.ErrorAs(t, err, &r, name)
		require.Equal(t, 0, r.Action)
	}
	redeemed, err := transfer.Decode(g, actions[0].Raw, token.DefaultLimits)
	require.NoError(t, err)
	redeemed.Redeem, redeemed.Issuer = 1, n.Issuer.Identity()
	withIssuer := *parts[0]
	withIssuer.Signers = append(withIssuer.Signers[:len(withIssuer.Signers):len(withIssuer.Signers)], n.Issuer)
	other := []request.Action{{Kind: request.Transfer, Raw: redeemed.Encode(g)}, actions[1]}
	_, err = judge.Validate("here", signedAgain(t, n, "here", []*v1.Part{&withIssuer, parts[1]}, other))
	refused(t, err, "proofs", v2.ErrRejected)
}

// TestNetworksRefuseOtherProtocols checks provers, validators and auditors.
func TestNetworksRefuseOtherProtocols(t *testing.T) {
	oldNetwork, newNetwork := network(t, "BN254", params.Protocols{}), network(t, "BN254", onlyV2)
	shape := fixture.Shape{Kind: "issues", Outputs: 1}
	old, err := oldNetwork.Request("tx", shape, 1)
	require.NoError(t, err)
	_, err = newNetwork.Validator(validator.Options{}).Validate("tx", old.Request.Encode())
	refused(t, err, "issue: proof system", params.ErrProtocol)
	fresh, err := newNetwork.Request("tx", shape, 1)
	require.NoError(t, err)
	_, err = oldNetwork.Validator(validator.Options{}).Validate("tx", fresh.Request.Encode())
	refused(t, err, "issue: proof system", params.ErrProtocol)
}

// transferOf makes a signed v2 transfer of v1 or v2 tokens.
func transferOf(t *testing.T, n *fixture.Network, l *ledger.Memory, isV2 bool) *v1.Assembly {
	t.Helper()
	service, order, err := n.TransferOrder(3, 2, 2, false)
	require.NoError(t, err)
	book := service.Tokens.(*fixture.Book)
	for id, held := range book.Held {
		held.Token.V2 = isV2
		book.Held[id] = held
	}
	put(l, n, book.Held)
	part, err := service.Transfer(order)
	require.NoError(t, err)
	a, err := n.Signed("tx", part)
	require.NoError(t, err)
	return a
}

// TestV1TokensAreSpentInV2OnlyIfTheyAreSound checks the setting in the
// parameters.
func TestV1TokensAreSpentInV2OnlyIfTheyAreSound(t *testing.T) {
	for _, protocols := range []params.Protocols{both, onlyV2, soundV1, {V2: true, SoundV1: true}} {
		n := network(t, "BN254", protocols)
		for _, isV2 := range []bool{true, false} {
			l := new(ledger.Memory)
			a := transferOf(t, n, l, isV2)
			_, err := n.Validator(validator.Options{Ledger: l}).Validate("tx", a.Request.Encode())
			if isV2 || protocols.SoundV1 {
				require.NoError(t, err, "%+v", protocols)
				continue
			}
			refused(t, err, "transfer: origin of inputs", validator.ErrOrigin)
		}
	}
}

// TestTokensKeepTheirOrigin checks that an action with a wrong origin of a
// token, v1 or v2, does not match the ledger.
func TestTokensKeepTheirOrigin(t *testing.T) {
	n := network(t, "BN254", soundV1)
	for _, isV2 := range []bool{true, false} {
		l := new(ledger.Memory)
		a := transferOf(t, n, l, isV2)
		action, err := transfer.Decode(n.Params.Group(), a.Request.Actions[0].Raw, token.DefaultLimits)
		require.NoError(t, err)
		wrong := action.Inputs[0].Token
		wrong.V2 = !isV2
		l.Put(action.Inputs[0].ID, wrong.Encode(n.Params.Group()))
		_, err = n.Validator(validator.Options{Ledger: l}).Validate("tx", a.Request.Encode())
		refused(t, err, "inputs", validator.ErrNotOnLedger)
	}
}

// TestSoundNetworksNeverTakeBulletproofs checks this for all options of the
// validator.
func TestSoundNetworksNeverTakeBulletproofs(t *testing.T) {
	n := network(t, "BN254", soundV1, rangeproof.Bulletproof)
	issuer := issue.Issuer{Params: n.Params, Identity: n.Issuer.Identity(), Random: fixture.Random(1)}
	action, _, err := issuer.Issue("EUR", []token.Receive{{Owner: n.Issuer.Identity(), Value: 1}})
	require.NoError(t, err)
	part := &v1.Part{Action: request.Action{Kind: request.Issue, Raw: action.Encode(n.Params.Group())}}
	raw := signedAgain(t, n, "tx", []*v1.Part{part}, []request.Action{part.Action})
	_, err = validator.New(n.Params, validator.Options{AllowUnsoundV1Bulletproofs: true}).Validate("tx", raw)
	refused(t, err, "issue: proof system", validator.ErrUnsound)
}

// TestAuditorsAddUpWhatIsRedeemed checks that the total includes the redeemed
// value.
func TestAuditorsAddUpWhatIsRedeemed(t *testing.T) {
	n := network(t, "BN254", onlyV2)
	service, order, err := n.TransferOrder(4, 2, 2, true)
	require.NoError(t, err)
	part, err := service.Transfer(order)
	require.NoError(t, err)
	a, err := v1.Assemble("tx", part)
	require.NoError(t, err)
	_, err = n.Audit().Check(a.AuditRequest())
	require.NoError(t, err)
	action, err := transfer.Decode(n.Params.Group(), a.Request.Actions[0].Raw, token.DefaultLimits)
	require.NoError(t, err)
	action.Redeem++
	a.Request.Actions[0].Raw = action.Encode(n.Params.Group())
	_, err = n.Audit().Check(a.AuditRequest())
	require.ErrorIs(t, err, audit.ErrSum)
}

// TestValidateBatch checks that each of many requests gets the same verdict as
// alone.
func TestValidateBatch(t *testing.T) {
	n := network(t, "BN254", both)
	judge := n.Validator(validator.Options{})
	var submissions []validator.Submission
	for i, kind := range []string{"transfers", "issues", "redeems", "swaps", "transfers", "issues", "swaps", "transfers"} {
		anchor := fmt.Sprintf("tx%d", i)
		a, err := n.Request(anchor, fixture.Shape{Kind: kind, Inputs: 1, Outputs: 2}, uint64(i))
		require.NoError(t, err)
		submissions = append(submissions, validator.Submission{Anchor: anchor, Raw: a.Request.Encode()})
	}
	same := func(submissions []validator.Submission) (bad int) {
		t.Helper()
		for i, got := range judge.ValidateBatch(submissions) {
			want, err := judge.Validate(submissions[i].Anchor, submissions[i].Raw)
			require.Equal(t, err, got.Err, "request %d", i)
			require.Equal(t, want, got.Accepted, "request %d", i)
			if err != nil {
				bad++
			}
		}
		return bad
	}
	require.Zero(t, same(submissions))
	require.Zero(t, same(nil))
	for wrong := range submissions { // a proof of another place
		parts, err := n.Parts(fixture.Shape{Kind: "swaps", Inputs: 1, Outputs: 1}, 50)
		require.NoError(t, err)
		a, err := v1.Assemble("elsewhere", parts...)
		require.NoError(t, err)
		some := append([]validator.Submission(nil), submissions...)
		some[wrong] = validator.Submission{Anchor: "here", Raw: signedAgain(t, n, "here", parts, a.Request.Actions)}
		require.Equal(t, 1, same(some))
		some[len(some)-1] = some[wrong]
		some[len(some)/2].Raw = some[len(some)/2].Raw[1:] // and a malformed one
		require.GreaterOrEqual(t, same(some), 2)
	}
}

// v2Action returns an action of v2 on a small network.
func v2Action(t testing.TB, kind string) (*fixture.Network, []byte) {
	t.Helper()
	n := network(t, "BN254", onlyV2)
	a, err := n.Request("tx", fixture.Shape{Kind: kind, Inputs: 2, Outputs: 2}, 1)
	require.NoError(t, err)
	return n, a.Request.Actions[0].Raw
}

func FuzzDecodeV2Transfer(f *testing.F) {
	n, raw := v2Action(f, "redeems")
	g := n.Params.Group()
	f.Add(raw)
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := transfer.Decode(g, b, token.DefaultLimits)
		if err != nil {
			vectors.OneEncoding(t, b, nil, err)
			return
		}
		if len(a.Metadata) < 2 { // more entries may be in any order
			vectors.OneEncoding(t, b, a.Encode(g), nil)
			m, err := pb.Decode("TransferAction", b)
			require.NoError(t, err)
			again, err := pb.Encode("TransferAction", m)
			require.NoError(t, err)
			require.Equal(t, b, again)
		}
		if a.Protocol() == proof.Whole && !bytes.Equal(b, raw) {
			require.Error(t, proof.Verify(n.Params, a, proof.Place{Anchor: "tx"}))
		}
	})
}

func FuzzDecodeV2Issue(f *testing.F) {
	n, raw := v2Action(f, "issues")
	g := n.Params.Group()
	f.Add(raw)
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := issue.Decode(g, b, token.DefaultLimits)
		if err != nil {
			vectors.OneEncoding(t, b, nil, err)
			return
		}
		if len(a.Metadata) < 2 { // more entries may be in any order
			vectors.OneEncoding(t, b, a.Encode(g), nil)
			m, err := pb.Decode("IssueAction", b)
			require.NoError(t, err)
			again, err := pb.Encode("IssueAction", m)
			require.NoError(t, err)
			require.Equal(t, b, again)
		}
		if a.Protocol() == proof.Whole && !bytes.Equal(b, raw) {
			require.Error(t, proof.Verify(n.Params, a, proof.Place{Anchor: "tx"}))
		}
	})
}
