package issue

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

// ProveGiven makes the proof of an issue of given commitments of one type, for
// programs with a wallet of their own. The proof is of the range-proof system of the
// parameters, and its Raw is the proof in a v1 action. Blinding factors must be
// uniform and used once. Errors are the ones of Issue, pedersen.ErrOpening, and those
// of the group for a malformed point.
func (s Issuer) ProveGiven(outputs []Given) (proof.Proof, error) {
	if len(outputs) == 0 {
		return proof.Proof{}, ErrNothing
	}
	if err := s.Params.Check(); err != nil {
		return proof.Proof{}, err
	}
	p, g := s.Params, s.Params.Group()
	typ := outputs[0].Opening.Type
	w := &witness{typ: token.TypeScalar(g, typ)}
	values := make([]group.Scalar, len(outputs))
	public := []byte(typ)
	for j, c := range outputs {
		v, err := c.Opening.Uint64(g)
		switch {
		case c.Opening.Type != typ:
			return proof.Proof{}, ErrTypes
		case err != nil || v > p.MaxValue():
			return proof.Proof{}, fmt.Errorf("output %d: %w", j, ErrValue)
		}
		point, err := g.DecodePoint(c.Point)
		if err != nil {
			return proof.Proof{}, fmt.Errorf("output %d: %w", j, err)
		}
		values[j] = c.Opening.Value
		w.out.Points, w.out.Values = append(w.out.Points, point), append(w.out.Values, v)
		w.out.Blindings = append(w.out.Blindings, c.Opening.Blinding)
		public = proof.AppendPart(public, c.Point)
	}
	for j, c := range p.Pedersen().CommitValues(w.typ, values, w.out.Blindings) {
		if !g.Equal(c, w.out.Points[j]) {
			return proof.Proof{}, fmt.Errorf("output %d: %w", j, pedersen.ErrOpening)
		}
	}
	if err := proof.SeedHedge(&w.hedge, p, s.Random, public, append(values, w.out.Blindings...)...); err != nil {
		return proof.Proof{}, err
	}
	return s.prove(p, w)
}

// VerifyGiven is proof.Verify for commitments in the encoding of the group and a proof in
// bytes. It does not look at the issuer or its signature.
func VerifyGiven(p *params.Params, pr proof.Proof, outputs [][]byte) error {
	if len(outputs) == 0 {
		return ErrNothing
	}
	if err := p.Check(); err != nil {
		return err
	}
	a := &Action{Outputs: make([]token.Token, len(outputs)), Proof: pr}
	for j, raw := range outputs {
		point, err := p.Group().DecodePoint(raw)
		if err != nil {
			return fmt.Errorf("output %d: %w", j, err)
		}
		a.Outputs[j].Data = point
	}
	return proof.Verify(p, a, proof.Place{})
}
