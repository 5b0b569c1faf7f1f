package issue

import (
	"fmt"
	"io"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Draft is a v2 issue without its proof. The proof depends on the action and on
// its place, so the metadata must be set first.
type Draft struct {
	Action   *Action
	Openings []token.Opening // of the outputs
	params   *params.Params
	witness  v2.Witness
	random   io.Reader
}

// Format implements fmt.Formatter for every verb and writes no secrets.
func (Draft) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "v2 issue without proof") }

// Draft creates tokens as Issue does, for a later v2 proof, which hides the
// type. Errors are the errors of Issue, or params.ErrProtocol if the network
// does not accept v2.
func (s Issuer) Draft(typ string, receives []Receive) (*Draft, error) {
	if err := s.Params.Check(); err != nil {
		return nil, err
	}
	if _, err := s.Params.V2(); err != nil {
		return nil, err
	}
	g := s.Params.Group()
	w, err := s.commit(typ, receives)
	if err != nil {
		return nil, err
	}
	d := &Draft{
		Action:   &Action{Issuer: s.Identity, Outputs: make([]token.Token, len(receives)), Proof: proof.Proof{Kind: proof.V2}},
		Openings: make([]token.Opening, len(receives)),
		params:   s.Params, random: s.Random,
		witness: v2.Witness{Type: w.typ, Outputs: make([]v2.Opening, len(receives))},
	}
	for j, out := range receives {
		d.Action.Outputs[j] = token.Token{Owner: out.Owner, Data: w.out.Points[j], V2: true}
		d.Openings[j] = token.Opening{Type: typ, Value: g.Uint64(out.Value), Blinding: w.out.Blindings[j], Issuer: s.Identity}
		d.witness.Outputs[j] = v2.Opening{Value: out.Value, Blinding: w.out.Blindings[j]}
	}
	return d, nil
}

// Prove makes the proof of the action at its place in a request. It may be
// called again for another place.
func (d *Draft) Prove(at proof.Place) error {
	p, err := d.params.V2()
	if err != nil {
		return err
	}
	raw, err := p.Prove(d.Action.statement(p, at), &d.witness, d.random)
	if err != nil {
		return err
	}
	d.Action.Proof.Raw = raw
	return nil
}

// statement returns the statement of the v2 proof of a at a place.
func (a *Action) statement(p *v2.Params, at proof.Place) *v2.Statement {
	bare := *a
	bare.Proof.Raw = nil
	st := &v2.Statement{
		Kind: v2.Issue, Outputs: make([]group.Point, len(a.Outputs)),
		Context: proof.Context(p, at, bare.Encode(p.Group())),
	}
	for j, out := range a.Outputs {
		st.Outputs[j] = out.Data
	}
	return st
}

// NewV2Claim returns the unchecked claim of the v2 proof of a at a place.
func NewV2Claim(p *params.Params, a *Action, at proof.Place) (v2.Claim, error) {
	engine, err := p.V2()
	if err != nil {
		return v2.Claim{}, err
	}
	return v2.Claim{Statement: a.statement(engine, at), Proof: a.Proof.Raw}, nil
}

// VerifyV2 returns nil if the v2 proof of a is right at a place: v2.ErrRejected
// if not, *wire.DecodeError if it is malformed, v2.ErrStatement if the action is
// out of the bounds of v2, params.ErrProtocol if the network does not accept v2.
func VerifyV2(p *params.Params, a *Action, at proof.Place) error {
	engine, err := p.V2()
	if err != nil {
		return err
	}
	return engine.Verify(a.statement(engine, at), a.Proof.Raw)
}
