package transfer

import (
	"fmt"
	"io"
	"math/bits"
	"slices"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Draft is a v2 transfer without its proof. The proof depends on the action and
// on its place, so issuer and metadata must be set first.
type Draft struct {
	Action   *Action
	Openings []token.Opening // of the outputs
	params   *params.Params
	witness  v2.Witness
	random   io.Reader
	action   Action
}

// Format implements fmt.Formatter for every verb and writes no secrets.
func (Draft) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "v2 transfer without proof") }

// Draft spends the tokens as Transfer does, for a later v2 proof. Tokens
// received without owner are redeemed in the clear. A proof needs an output: if
// everything is redeemed, the owner of the first input receives a token of
// value 0. Errors are the errors of Transfer, or params.ErrProtocol if the
// network does not accept v2.
func (s Sender) Draft(spends []Spend, receives []Receive) (*Draft, error) {
	if len(spends) == 0 || len(receives) == 0 {
		return nil, ErrNothing
	}
	if _, err := s.Params.V2(); err != nil {
		return nil, err
	}
	kept, redeem, err := split(receives)
	if err != nil {
		return nil, err
	}
	if len(kept) == 0 {
		kept = []Receive{{Owner: spends[0].Token.Owner}}
	}
	w, err := s.prepare(spends, kept, redeem)
	if err != nil {
		return nil, err
	}
	openings := make([]v2.Opening, len(spends)+len(kept))
	d := &Draft{
		Openings: make([]token.Opening, len(kept)),
		params:   s.Params, random: s.Random,
		witness: v2.Witness{Type: w.typeScalar(), Inputs: openings[:len(spends)], Outputs: openings[len(spends):]},
		action: Action{
			Inputs: make([]Input, len(spends)), Outputs: make([]token.Token, len(kept)),
			Proof: proof.Proof{Kind: proof.V2}, Redeem: redeem,
		},
	}
	d.Action = &d.action
	g := s.Params.Group()
	for i, in := range spends {
		d.Action.Inputs[i] = Input{ID: in.ID, Token: in.Token, Upgrade: in.Upgrade}
		value, err := in.Opening.Uint64(g)
		if err != nil {
			return nil, err
		}
		d.witness.Inputs[i] = v2.Opening{Value: value, Blinding: in.Opening.Blinding}
	}
	for j, out := range kept {
		d.Action.Outputs[j] = token.Token{Owner: out.Owner, Data: w.out.Points[j], V2: true}
		d.Openings[j] = token.Opening{Type: w.typ, Value: g.Uint64(out.Value), Blinding: w.out.Blindings[j]}
		d.witness.Outputs[j] = v2.Opening{Value: out.Value, Blinding: w.out.Blindings[j]}
	}
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
	raw, err := proof.ProveV2(d.params, d.Action, at, &d.witness, d.random)
	if err == nil {
		d.Action.Proof.Raw = raw
	}
	return err
}

// V2Claim returns the claim of the v2 proof of a at a place, unchecked.
func (a *Action) V2Claim(p *v2.Params, at proof.Place) v2.Claim {
	g := p.Group()
	bare := *a
	bare.Proof.Raw = nil
	st := &v2.Statement{
		Kind: v2.Transfer, PublicValue: a.Redeem,
		Inputs: make([]group.CurvePoint, len(a.Inputs)), Outputs: make([]group.Point, len(a.Outputs)),
		Context: proof.Context(p, at, bare.Encode(g)),
	}
	for i, in := range a.Inputs {
		st.Inputs[i] = g.OnCurve(in.Token.Data)
	}
	for j, out := range a.Outputs {
		st.Outputs[j] = out.Data
	}
	return v2.Claim{Statement: st, Proof: a.Proof.Raw}
}

// VerifyV2Batch checks the v2 proofs of many actions, all of them made for one
// place in different requests, in one equation. A *v2.RejectedError names the
// first wrong action.
func VerifyV2Batch(p *params.Params, actions []*Action, at proof.Place) error {
	engine, err := p.V2()
	if err != nil {
		return err
	}
	claims := make([]v2.Claim, len(actions))
	for i, a := range actions {
		claims[i] = a.V2Claim(engine, at)
	}
	return engine.VerifyBatch(claims)
}
