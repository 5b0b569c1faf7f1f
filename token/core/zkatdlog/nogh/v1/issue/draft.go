package issue

import (
	"fmt"
	"io"
	"slices"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Draft is an issue without its proof, in the protocol of the network. The proof may
// depend on the action and on its place, so the metadata must be set first.
type Draft struct {
	Action   *Action
	Openings []token.Opening // of the outputs
	issuer   Issuer
	witness  witness
	opened   v2.Witness // of v2, in memory that Prove uses again
	prove    func(d *Draft, at proof.Place) (proof.Proof, error)
}

// Format implements fmt.Formatter for every verb and writes no secrets.
func (Draft) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "issue without proof") }

// Draft creates tokens as Issue does, for a later proof in the protocol in which the
// parties of the network make actions (proof.Of). A v2 proof hides the type. Errors
// are the errors of Issue, and params.ErrInvalid if the parameters do not have the
// generators of v2.
func (s Issuer) Draft(typ string, receives []Receive) (*Draft, error) {
	if err := s.Params.Check(); err != nil {
		return nil, err
	}
	protocol := proof.Of(s.Params)
	kind, err := protocol.Kind(s.Params)
	if err != nil {
		return nil, err
	}
	d := &Draft{issuer: s, prove: proof.Select(s.Params, (*Draft).composed, (*Draft).whole)}
	if err := s.commit(&d.witness, typ, receives); err != nil {
		return nil, err
	}
	d.Action, d.Openings = s.action(&d.witness, typ, receives, protocol.Format().MarksTokens)
	d.Action.Proof.Kind = kind
	return d, nil
}

// Prove makes the proof of the action at its place in a request. It may be
// called again for another place.
func (d *Draft) Prove(at proof.Place) error {
	if err := d.issuer.Params.Check(); err != nil {
		return err
	}
	made, err := d.prove(d, at)
	if err == nil {
		d.Action.Proof = made
	}
	return err
}

// Encode returns the serialised action.
func (d *Draft) Encode() []byte { return d.Action.Encode(d.issuer.Params.Group()) }

func (d *Draft) composed(proof.Place) (proof.Proof, error) {
	return d.issuer.prove(d.issuer.Params, &d.witness)
}

func (d *Draft) whole(at proof.Place) (proof.Proof, error) {
	out := d.witness.out
	all := slices.Grow(d.opened.Outputs[:0], len(out.Values))
	for j, v := range out.Values {
		all = append(all, v2.Opening{Value: v, Blinding: out.Blindings[j]})
	}
	d.opened = v2.Witness{Type: d.witness.typ, Outputs: all}
	return proof.ProveWhole(d.issuer.Params, d.Action, at, &d.opened, d.issuer.Random)
}

// Claim returns the claim of the v2 proof of a at a place, unchecked.
func (a *Action) Claim(p *v2.Params, at proof.Place) v2.Claim {
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
