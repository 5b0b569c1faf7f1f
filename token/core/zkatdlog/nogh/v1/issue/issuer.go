package issue

import (
	"errors"
	"fmt"
	"io"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
)

// Reasons for which tokens cannot be issued.
var (
	ErrNothing = errors.New("issue has no outputs, or one without owner")
	ErrTypes   = errors.New("outputs have more than one type")
	ErrValue   = errors.New("value is outside the range of the public parameters")
)

// Receive is a token to create.
type Receive struct {
	Owner []byte
	Value uint64
}

// Format implements fmt.Formatter for every verb and writes no secrets.
func (Receive) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "output of an issue") }

// Issuer issues tokens under one set of parameters.
type Issuer struct {
	Params   *params.Params
	Identity []byte            // typed identity, one of the issuers in the parameters
	Executor executor.Executor // of the range proofs; nil means executor.Serial
	Random   io.Reader         // a seed of 32 bytes is read for each issue; nil means crypto/rand
}

// Issue creates tokens of the given type in protocol v1. It returns the action with
// its proof, and the openings of the outputs for their receivers. Errors are the ones
// above or group.ErrRandom.
func (s Issuer) Issue(typ string, receives []Receive) (*Action, []token.Opening, error) {
	if err := s.Params.Check(); err != nil {
		return nil, nil, err
	}
	var w witness
	err := s.commit(&w, typ, receives)
	if err != nil {
		return nil, nil, err
	}
	a, openings := s.action(&w, typ, receives, false)
	if a.Proof, err = s.prove(s.Params, &w); err != nil {
		return nil, nil, err
	}
	return a, openings, nil
}

// action returns the action of a witness, without its proof, and the openings of its
// outputs. marked says whether tokens are marked (proof.Format).
func (s Issuer) action(w *witness, typ string, receives []Receive, marked bool) (*Action, []token.Opening) {
	g := s.Params.Group()
	a := &Action{Issuer: s.Identity, Outputs: make([]token.Token, len(receives))}
	openings := make([]token.Opening, len(receives))
	for j, out := range receives {
		a.Outputs[j] = token.Token{Owner: out.Owner, Data: w.out.Points[j], V2: marked}
		openings[j] = token.Opening{Type: typ, Value: g.Uint64(out.Value), Blinding: w.out.Blindings[j], Issuer: s.Identity}
	}
	return a, openings
}

// witness is the input of the proof.
type witness struct {
	typ   group.Scalar
	out   proof.Outputs
	hedge nonce.Hedge
}

// commit draws the blinding factors and commits to the outputs.
func (s Issuer) commit(w *witness, typ string, receives []Receive) error {
	p, g := s.Params, s.Params.Group()
	if len(receives) == 0 {
		return ErrNothing
	}
	w.typ = token.TypeScalar(g, typ)
	w.out.Values, w.out.Blindings = make([]uint64, len(receives)), make([]group.Scalar, len(receives))
	values := make([]group.Scalar, len(receives))
	var room [2048]byte // space for identities of two or three owners without an allocation
	public := proof.AppendPart(proof.AppendPart(room[:0], s.Identity), []byte(typ))
	for j, out := range receives {
		if out.Value > p.MaxValue() {
			return fmt.Errorf("output %d: %w", j, ErrValue)
		}
		if len(out.Owner) == 0 {
			return ErrNothing
		}
		w.out.Values[j], values[j] = out.Value, g.Uint64(out.Value)
		public = proof.AppendPart(public, out.Owner)
	}
	if err := proof.SeedHedge(&w.hedge, p, s.Random, public, values...); err != nil {
		return err
	}
	w.hedge.Stream("output", 0).Fill(w.out.Blindings)
	w.out.Points = p.Pedersen().CommitValues(w.typ, values, w.out.Blindings)
	return nil
}

// prove makes both parts of the proof and joins them in their container.
func (s Issuer) prove(p *params.Params, w *witness) (proof.Proof, error) {
	g := p.Group()
	src := w.hedge.Stream("same type", 0)
	var b [1]group.Scalar
	src.Fill(b[:])
	key := p.Pedersen().On(group.Phase(g, "same type"))
	same, err := sigma.ProveSameType(key, sigma.SameTypeWitness{Type: w.typ, Blinding: b[0]}, src)
	if err != nil {
		return proof.Proof{}, err
	}
	ranges, err := w.out.Ranges(p, s.Executor, &w.hedge, same.CT, b[0])
	if err != nil {
		return proof.Proof{}, err
	}
	encode := func(dst []byte) []byte { return same.Append(dst, g) }
	return proof.Join(p.Kind(), encode, ranges), nil
}
