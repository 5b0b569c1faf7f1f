package v1_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/ledger"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// network returns a small network that accepts the protocols.
func network(t testing.TB, protocols params.Protocols, systems ...rangeproof.Kind) *fixture.Network {
	t.Helper()
	return networktest.New(t, fixture.Config{Bits: 32, Protocols: protocols, Systems: systems})
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
	networktest.Refused(t, err, rule, reason)
	vectors.Formatted(t, err)
}

// signedAgain makes a separate request of the actions, signed by all parties
// without checks.
func signedAgain(t *testing.T, n *fixture.Network, anchor string, parts []*v1.Part,
	actions []request.Action) []byte {
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

// TestNetworksRefuseOtherProtocols checks provers, validators and auditors.
func TestNetworksRefuseOtherProtocols(t *testing.T) {
	oldNetwork, newNetwork := network(t, params.Protocols{}), network(t, onlyV2)
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
		n := network(t, protocols)
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
	n := network(t, soundV1)
	for _, isV2 := range []bool{true, false} {
		l := new(ledger.Memory)
		a := transferOf(t, n, l, isV2)
		action := networktest.Transfer(t, n.Params.Group(), a.Request.Actions[0].Raw)
		wrong := action.Inputs[0].Token
		wrong.V2 = !isV2
		l.Put(action.Inputs[0].ID, wrong.Encode(n.Params.Group()))
		_, err := n.Validator(validator.Options{Ledger: l}).Validate("tx", a.Request.Encode())
		refused(t, err, "inputs", validator.ErrNotOnLedger)
	}
}

// TestSoundNetworksNeverTakeBulletproofs checks this for all options of the
// validator.
func TestSoundNetworksNeverTakeBulletproofs(t *testing.T) {
	n := network(t, soundV1, rangeproof.Bulletproof)
	issuer := issue.Issuer{Params: n.Params, Identity: n.Issuer.Identity(), Random: fixture.Random(1)}
	action, _, err := issuer.Issue("EUR", []token.Receive{{Owner: n.Issuer.Identity(), Value: 1}})
	require.NoError(t, err)
	part := &v1.Part{Action: request.Action{Kind: request.Issue, Raw: action.Encode(n.Params.Group())}}
	raw := signedAgain(t, n, "tx", []*v1.Part{part}, []request.Action{part.Action})
	_, err = validator.New(n.Params, validator.Options{AllowUnsoundV1Bulletproofs: true}).Validate("tx", raw)
	refused(t, err, "issue: proof system", validator.ErrUnsound)
}
