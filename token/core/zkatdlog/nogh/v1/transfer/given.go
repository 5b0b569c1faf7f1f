package transfer

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
)

// Given is a commitment that the caller made, with its opening.
type Given struct {
	Point   []byte // the encoding of the group
	Opening token.Opening
}

// ProveGiven makes the proof of a transfer between given commitments, for programs
// with a wallet of their own. The proof is of the range-proof system of the
// parameters, and its Raw is the proof in a v1 action. Blinding factors of the
// outputs must be uniform and used once. Errors are the ones of Transfer, and
// the ones of the group for a malformed point.
func (s Sender) ProveGiven(inputs, outputs []Given) (proof.Proof, error) {
	if len(inputs) == 0 || len(outputs) == 0 {
		return proof.Proof{}, ErrNothing
	}
	if err := s.Params.Check(); err != nil {
		return proof.Proof{}, err
	}
	p, g := s.Params, s.Params.Group()
	all := append(append(make([]Given, 0, len(inputs)+len(outputs)), inputs...), outputs...)
	w := &Witness{params: p.Digest(), typ: inputs[0].Opening.Type, secrets: make([]group.Scalar, 1+2*len(all))}
	w.secrets[0] = token.TypeScalar(g, w.typ)
	w.values, w.blindings = w.secrets[1:1+len(all)], w.secrets[1+len(all):]
	points, totals := make([]group.Point, len(all)), [2]total{}
	var public []byte
	for i, c := range all {
		name, output := fmt.Sprintf("input %d", i), 0
		if i >= len(inputs) {
			name, output = fmt.Sprintf("output %d", i-len(inputs)), 1
		}
		v, err := c.Opening.Uint64(g)
		switch {
		case c.Opening.Type != w.typ:
			return proof.Proof{}, ErrTypes
		case err != nil || v > p.MaxValue():
			return proof.Proof{}, fmt.Errorf("%s: %w", name, ErrValue)
		}
		if points[i], err = g.DecodePoint(c.Point); err != nil {
			return proof.Proof{}, fmt.Errorf("%s: %w", name, err)
		}
		totals[output].add(v)
		if output == 1 {
			w.out.Values = append(w.out.Values, v)
		}
		w.values[i], w.blindings[i] = c.Opening.Value, c.Opening.Blinding
		public = proof.AppendPart(public, c.Point)
	}
	if totals[0] != totals[1] {
		return proof.Proof{}, ErrSum
	}
	for i, c := range p.Pedersen().CommitValues(w.typeScalar(), w.values, w.blindings) {
		if !g.Equal(c, points[i]) {
			return proof.Proof{}, fmt.Errorf("commitment %d: %w", i, pedersen.ErrOpening)
		}
	}
	w.inputs, w.out.Points, w.out.Blindings = points[:len(inputs)], points[len(inputs):], w.blindings[len(inputs):]
	if err := proof.SeedHedge(&w.hedge, p, s.Random, public, w.secrets...); err != nil {
		return proof.Proof{}, err
	}
	return s.Prove(w)
}

// VerifyGiven is proof.Verify for commitments in the encoding of the group and a proof in
// bytes. It does not look at owners, signatures or a ledger.
func VerifyGiven(p *params.Params, pr proof.Proof, inputs, outputs [][]byte) error {
	if len(inputs) == 0 || len(outputs) == 0 {
		return ErrNothing
	}
	if err := p.Check(); err != nil {
		return err
	}
	a := &Action{Inputs: make([]Input, len(inputs)), Outputs: make([]token.Token, len(outputs)), Proof: pr}
	for i, raw := range inputs {
		point, err := p.Group().DecodePoint(raw)
		if err != nil {
			return fmt.Errorf("input %d: %w", i, err)
		}
		a.Inputs[i].Token.Data = point
	}
	for j, raw := range outputs {
		point, err := p.Group().DecodePoint(raw)
		if err != nil {
			return fmt.Errorf("output %d: %w", j, err)
		}
		a.Outputs[j].Data = point
	}
	return proof.Verify(p, a, proof.Place{})
}
