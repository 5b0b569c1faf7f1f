package suite

import (
	"bytes"
	"fmt"

	"github.com/zkatbench/zkatbench/bench"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/clear"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
)

// inClear is the value of -protocol for tokens in the clear: the same requests,
// signatures and checks without commitments and proofs. It shows the cost of privacy
// and is not for networks.
const inClear = "clear"

// clearly are the set-ups of operations with tokens in the clear, where they differ.
// Nil means that the operation does not exist.
var clearly = map[string]func(setting) (bench.Instance, error){
	"Sender":                  clearMaking("transfers"),
	"VerificationSenderProof": clearVerification("transfers"),
	"ActionMarshalling":       prepareClearMarshalling,
	"Issuer":                  clearMaking("issues"),
	"ProofVerificationIssuer": clearVerification("issues"),
	"TransferServiceTransfer": clearService("transfers"),
	"TransferServiceRedeem":   clearService("redeems"),
	"IssueServiceIssue":       clearService("issues"),
	"TransferProofGeneration": nil, "VerifyBatch": nil, "AuditorServiceCheck": nil,
	"AuditorEndorseTransfer": nil, "AuditorEndorseIssue": nil, "AuditorEndorseRedeem": nil,
}

// forProtocol returns the set-up of an operation for the tokens of the setting.
func (s setting) forProtocol(name string, prepare func(setting) (bench.Instance, error)) (bench.Instance,
	error) {
	if !s.clear {
		return prepare(s)
	}
	other, ok := clearly[name]
	switch {
	case !ok:
		return prepare(s)
	case other == nil:
		return bench.Instance{}, fmt.Errorf("-%s: %q has no proof, opening or audit", Protocol.Flag, inClear)
	}
	return other(s)
}

// readClear returns an operation on the encodings of its inputs.
func (s setting) readClear(name string, inputs [][]byte) (bench.Instance, error) {
	switch {
	case len(inputs) != 1:
		return bench.Instance{}, errInputs
	case name == "VerificationSenderProof" || name == "ProofVerificationIssuer":
		return s.verifyingClear(inputs[0]), nil
	}
	return readRequest(s, inputs)
}

// clearOrder is an order to make an action in the clear.
type clearOrder struct {
	kind    request.Kind
	inputs  []clear.Input // tokens that the party holds
	outputs []token.Clear
	issuer  []byte
	party   v1.Party
}

// newClearOrder returns the order of a kind of package fixture.
func newClearOrder(s setting, kind string) (o clearOrder, err error) {
	add := func(owner []byte, value uint64) {
		o.outputs = append(o.outputs,
			token.Clear{Owner: owner, Type: fixture.Type, Quantity: token.FormatQuantity(value)})
	}
	if kind == "issues" {
		service, order, err := s.network.IssueOrder(s.seed, s.outputs)
		o = clearOrder{kind: request.Issue, issuer: order.Issuer, party: service.Party}
		for _, r := range order.Receive {
			add(r.Owner, r.Value)
		}
		return o, err
	}
	service, order, err := s.network.TransferOrder(s.seed, s.inputs, s.outputs, kind == "redeems")
	if err != nil {
		return o, err
	}
	o = clearOrder{kind: request.Transfer, issuer: order.Issuer, party: service.Party}
	for _, id := range order.Spend {
		held, err := service.Tokens.Load(id)
		if err != nil {
			return o, err
		}
		t, err := token.NewClear(s.params().Group(), held.Token, held.Opening)
		if err != nil {
			return o, err
		}
		o.inputs = append(o.inputs, clear.Input{ID: id, Token: t})
	}
	for _, r := range order.Receive {
		add(r.Owner, r.Value)
	}
	return o, nil
}

// action makes the action, serialised.
func (o clearOrder) action() []byte {
	a := clear.Action{Inputs: o.inputs, Outputs: o.outputs, Issuer: o.issuer}
	return a.Encode()
}

// part makes the action with its signers.
func (o clearOrder) part() (*v1.Part, error) {
	p := &v1.Part{Action: request.Action{Kind: o.kind, Raw: o.action()},
		Metadata: request.ActionMetadata{Kind: o.kind}}
	var ids [][]byte
	for _, in := range o.inputs {
		ids = append(ids, in.Token.Owner)
	}
	if len(o.issuer) > 0 {
		ids = append(ids, o.issuer)
	}
	for _, id := range ids {
		signer, err := o.party.Signer(id)
		if err != nil {
			return nil, err
		}
		p.Signers = append(p.Signers, signer)
	}
	return p, nil
}

// newClearRequest makes a request, signed by all and the auditor.
func newClearRequest(s setting, kind string) (*v1.Assembly, error) {
	o, err := newClearOrder(s, kind)
	if err != nil {
		return nil, err
	}
	a, err := signed(o.part)
	if err != nil {
		return nil, err
	}
	raw, err := s.network.Auditor.Sign(a.Message())
	a.Request.Signatures = append([]request.Signature{{Auditor: s.network.Auditor.Identity(), Raw: raw}},
		a.Request.Signatures...)
	return a, err
}

func clearService(kind string) func(setting) (bench.Instance, error) {
	return func(s setting) (bench.Instance, error) {
		o, err := newClearOrder(s, kind)
		return s.serving(o.part), err
	}
}

func clearMaking(kind string) func(setting) (bench.Instance, error) {
	return func(s setting) (bench.Instance, error) {
		o, err := newClearOrder(s, kind)
		return bench.Instance{
			Work:  func() ([]byte, error) { return o.action(), nil },
			Check: func(raw []byte) error { return s.verifyClear(raw, false) },
			Exact: clearSize,
		}, err
	}
}

func clearVerification(kind string) func(setting) (bench.Instance, error) {
	return func(s setting) (bench.Instance, error) {
		o, err := newClearOrder(s, kind)
		if err != nil {
			return bench.Instance{}, err
		}
		return s.verifyingClear(o.action()), nil
	}
}

func (s setting) verifyingClear(raw []byte) bench.Instance {
	return bench.Instance{
		Work:   func() ([]byte, error) { return nil, s.verifyClear(raw, false) },
		Check:  func([]byte) error { return refused(s.verifyClear(raw, true)) },
		Exact:  func([]byte) []bench.Metric { return clearSize(raw) },
		Fresh:  func() (bench.Instance, error) { return s.verifyingClear(bytes.Clone(raw)), nil },
		Inputs: func() [][]byte { return [][]byte{raw} },
	}
}

func prepareClearMarshalling(s setting) (bench.Instance, error) {
	o, err := newClearOrder(s, "transfers")
	return bench.Instance{
		Work: func() ([]byte, error) {
			raw := o.action()
			_, err := clear.Decode(raw, token.DefaultLimits)
			return raw, err
		},
		Check: func(raw []byte) error { return s.verifyClear(raw, false) },
		Exact: clearSize,
	}, err
}

// verifyClear decodes an action and verifies it, or a change of its last quantity to
// one out of range.
func (s setting) verifyClear(raw []byte, change bool) error {
	a, err := clear.Decode(raw, token.DefaultLimits)
	if err != nil {
		return err
	}
	if change {
		a.Outputs[len(a.Outputs)-1].Quantity = "-1"
	}
	return a.Verify(s.params().Bits())
}

func clearSize(raw []byte) []bench.Metric {
	return []bench.Metric{{Value: float64(len(raw)), Unit: "action-B"}}
}
