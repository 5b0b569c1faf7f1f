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
	raw, err := proof.ProveV2(d.params, d.Action, at, &d.witness, d.random)
	if err == nil {
		d.Action.Proof.Raw = raw
	}
	return err
}

// V2Claim returns the claim of the v2 proof of a at a place, unchecked.
func (a *Action) V2Claim(p *v2.Params, at proof.Place) v2.Claim {
	bare := *a
	bare.Proof.Raw = nil
	st := &v2.Statement{
		Kind: v2.Issue, Outputs: make([]group.Point, len(a.Outputs)),
		Context: proof.Context(p, at, bare.Encode(p.Group())),
	}
	for j, out := range a.Outputs {
		st.Outputs[j] = out.Data
	}
	return v2.Claim{Statement: st, Proof: a.Proof.Raw}
}
