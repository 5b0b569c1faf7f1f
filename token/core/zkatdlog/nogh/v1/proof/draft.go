package proof

import (
	"fmt"
	"io"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Draft is an action without its proof. The proof may depend on the action and on its
// place, so the rest is set first.
type Draft struct {
	Openings []token.Opening // of the outputs, for their receivers

	maker    Maker
	protocol Protocol
	action   Action
	made     *Proof // of the action
	witness  witness
	opened   v2.Witness // of a Whole proof, in memory that Prove uses again
}

// Format implements fmt.Formatter for every verb and writes no secrets.
func (Draft) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "action without proof") }

// Order is an action to be made, without its tokens and its proof.
type Order struct {
	Action   Action
	Proof    *Proof // of the action
	Protocol Protocol
	Type     string
	Issuer   []byte // of an issue
	Inputs   int    // 0 in an issue
	Outputs  []token.Receive
	Redeem   uint64 // in the clear
}

// Begin makes the outputs of an action and the openings of d. input returns an input with
// its opening; nonces depend on the public bytes (SeedHedge). The kind of the proof is
// set at once. It returns errors of this package, pedersen.ErrOpening if an opening
// does not belong to its input, group.ErrRandom, and params.ErrInvalid, also if a network
// with v2 does not have its generators.
func (d *Draft) Begin(m Maker, o Order, public []byte,
	input func(i int) (group.Point, token.Opening)) (outputs []token.Token, err error) {
	if err := m.Params.Check(); err != nil {
		return nil, err
	}
	o.Proof.Kind, err = o.Protocol.Kind(m.Params)
	if err != nil {
		return nil, err
	}
	d.maker, d.protocol = m, o.Protocol
	d.action, d.made = o.Action, o.Proof
	w := &d.witness
	if err := w.order(m, o, public, input); err != nil {
		return nil, err
	}
	outputs, d.Openings = make([]token.Token, len(o.Outputs)), make([]token.Opening, len(o.Outputs))
	for j, out := range o.Outputs {
		i := o.Inputs + j
		outputs[j] = token.Token{Owner: out.Owner, Data: w.points[i], V2: o.Protocol.Format().MarksTokens}
		d.Openings[j] = token.Opening{Type: o.Type, Value: w.values()[i], Blinding: w.blindings()[i],
			Issuer: o.Issuer}
	}
	return outputs, nil
}

// order sets the witness to the tokens of an order.
func (w *witness) order(m Maker, o Order, public []byte,
	input func(i int) (group.Point, token.Opening)) error {
	if len(o.Outputs) == 0 {
		return ErrNothing
	}
	w.begin(m.Params.Group(), o.Type, o.Inputs, len(o.Outputs))
	for i := range o.Inputs {
		_, opening := input(i)
		if err := w.open(m.Params, i, opening); err != nil {
			return err
		}
	}
	for j, out := range o.Outputs {
		if err := w.set(m.Params, o.Inputs+j, out.Value); err != nil {
			return err
		}
	}
	if o.Inputs > 0 && !w.balances(o.Redeem) {
		return ErrSum
	}
	if err := w.commit(m, public, o.Inputs); err != nil {
		return err
	}
	for i := range o.Inputs {
		commitment, _ := input(i)
		if err := w.opens(m.Params.Group(), i, commitment); err != nil {
			return err
		}
	}
	return nil
}

// Salt returns the source of the salt of output j. Like a blinding factor, a salt depends
// on the seed of the action, on its secrets and on its owners.
func (d *Draft) Salt(j int) io.Reader { return d.witness.hedge.Stream("salt", j) }

// Prove makes the proof of the action at its place in a request. It may be called again
// for another place.
func (d *Draft) Prove(at Place) error {
	if err := d.maker.Params.Check(); err != nil {
		return err
	}
	made, err := d.protocol.prove(d, at)
	if err == nil {
		*d.made = made
	}
	return err
}

// Encode returns the serialised action, nil before Begin.
func (d *Draft) Encode() []byte {
	if d.action == nil {
		return nil
	}
	return d.action.Encode(d.maker.Params.Group())
}

// Given is a commitment that the caller made, with its opening.
type Given struct {
	Point   []byte // the encoding of the group
	Opening token.Opening
}

// ProveGiven makes the Composed proof of an action between given commitments: an issue
// without inputs. It returns the errors of Draft.Begin, and of the group for
// a malformed point.
func (m Maker) ProveGiven(inputs, outputs []Given) (Proof, error) {
	if len(outputs) == 0 {
		return Proof{}, ErrNothing
	}
	if err := m.Params.Check(); err != nil {
		return Proof{}, err
	}
	var w witness
	g, all := m.Params.Group(), append(inputs[:len(inputs):len(inputs)], outputs...)
	w.begin(g, all[0].Opening.Type, len(inputs), len(outputs))
	points, public := make([]group.Point, len(all)), []byte(nil)
	if len(inputs) == 0 {
		public = []byte(w.typ)
	}
	for i, c := range all {
		err := w.open(m.Params, i, c.Opening)
		if err != nil {
			return Proof{}, err
		}
		points[i], err = g.DecodePoint(c.Point)
		if err != nil {
			return Proof{}, w.wrong(i, err)
		}
		public = AppendPart(public, c.Point)
	}
	if len(inputs) > 0 && !w.balances(0) {
		return Proof{}, ErrSum
	}
	if err := w.commit(m, public, len(all)); err != nil {
		return Proof{}, err
	}
	for i, point := range points {
		if err := w.opens(g, i, point); err != nil {
			return Proof{}, err
		}
	}
	return w.composed(m)
}

// DecodeGiven reads the commitments of an action for its verification; kind names them
// in errors.
func DecodeGiven(p *params.Params, kind string, raw [][]byte) ([]token.Token, error) {
	if len(raw) == 0 {
		return nil, ErrNothing
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	tokens := make([]token.Token, len(raw))
	for i, b := range raw {
		var err error
		tokens[i].Data, err = p.Group().DecodePoint(b)
		if err != nil {
			return nil, fmt.Errorf("%s %d: %w", kind, i, err)
		}
	}
	return tokens, nil
}
