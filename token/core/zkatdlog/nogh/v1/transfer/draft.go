package transfer

import (
	"fmt"
	"io"
	"math/bits"
	"slices"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Draft is a transfer without its proof, in the protocol of the network. The proof may
// depend on the action and on its place, so issuer and metadata must be set first.
type Draft struct {
	Action   *Action
	Openings []token.Opening // of the outputs
	sender   Sender
	witness  Witness
	opened   v2.Witness // of v2, in memory that Prove uses again
	prove    func(d *Draft, at proof.Place) (proof.Proof, error)
}

// Format implements fmt.Formatter for every verb and writes no secrets.
func (Draft) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "transfer without proof") }

// Draft spends the tokens as Transfer does, for a later proof in the protocol in which
// the parties of the network make actions (proof.Of). In v2, tokens received without
// owner are redeemed in the clear. A v2 proof needs an output: if everything is
// redeemed, the owner of the first input receives a token of value 0. Errors are the
// errors of Transfer, and params.ErrInvalid if the parameters do not have the
// generators of v2.
func (s Sender) Draft(spends []Spend, receives []Receive) (*Draft, error) {
	if len(spends) == 0 || len(receives) == 0 {
		return nil, ErrNothing
	}
	if err := s.Params.Check(); err != nil {
		return nil, err
	}
	protocol, redeem := proof.Of(s.Params), uint64(0)
	kind, err := protocol.Kind(s.Params)
	if err != nil {
		return nil, err
	}
	if protocol.Format().ClearRedeem {
		if receives, redeem, err = split(receives); err != nil {
			return nil, err
		}
		if len(receives) == 0 {
			receives = []Receive{{Owner: spends[0].Token.Owner}}
		}
	}
	d := &Draft{sender: s, prove: proof.Select(s.Params, (*Draft).composed, (*Draft).whole)}
	if err := s.prepare(&d.witness, spends, receives, redeem); err != nil {
		return nil, err
	}
	d.Action, d.Openings = s.action(&d.witness, spends, receives, protocol.Format().MarksTokens)
	d.Action.Proof.Kind, d.Action.Redeem = kind, redeem
	return d, nil
}

// split separates the redeemed value. The error is ErrValue if it exceeds 64
// bits.
func split(receives []Receive) (kept []Receive, redeem uint64, err error) {
	if !slices.ContainsFunc(receives, func(out Receive) bool { return len(out.Owner) == 0 }) {
		return receives, 0, nil
	}
	for j, out := range receives {
		if len(out.Owner) > 0 {
			kept = append(kept, out)
			continue
		}
		var carry uint64
		if redeem, carry = bits.Add64(redeem, out.Value, 0); carry != 0 {
			return nil, 0, fmt.Errorf("output %d: %w", j, ErrValue)
		}
	}
	return kept, redeem, nil
}

// Prove makes the proof of the action at its place in a request. It may be
// called again for another place.
func (d *Draft) Prove(at proof.Place) error {
	if err := d.sender.Params.Check(); err != nil {
		return err
	}
	made, err := d.prove(d, at)
	if err == nil {
		d.Action.Proof = made
	}
	return err
}

// Encode returns the serialised action.
func (d *Draft) Encode() []byte { return d.Action.Encode(d.sender.Params.Group()) }

func (d *Draft) composed(proof.Place) (proof.Proof, error) { return d.sender.Prove(&d.witness) }

func (d *Draft) whole(at proof.Place) (proof.Proof, error) {
	w, inputs := &d.witness, len(d.witness.inputs)
	all := slices.Grow(d.opened.Inputs[:0], len(w.amounts))
	for i, v := range w.amounts {
		all = append(all, v2.Opening{Value: v, Blinding: w.blindings[i]})
	}
	d.opened = v2.Witness{Type: w.typeScalar(), Inputs: all[:inputs], Outputs: all[inputs:]}
	return proof.ProveWhole(d.sender.Params, d.Action, at, &d.opened, d.sender.Random)
}

// Claim returns the claim of the v2 proof of a at a place, unchecked.
func (a *Action) Claim(p *v2.Params, at proof.Place) v2.Claim {
	g := p.Group()
	bare := *a
	bare.Proof.Raw = nil
	st := &v2.Statement{
		Kind: v2.Transfer, PublicValue: a.Redeem,
		Inputs: make([]group.CurvePoint, len(a.Inputs)), Outputs: make([]group.Point, len(a.Outputs)),
		Context: proof.Context(p, at, bare.Encode(g)),
	}
	for i, in := range a.Inputs {
		st.Inputs[i] = group.OnCurve(in.Token.Data)
	}
	for j, out := range a.Outputs {
		st.Outputs[j] = out.Data
	}
	return v2.Claim{Statement: st, Proof: a.Proof.Raw}
}
