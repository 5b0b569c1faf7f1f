package issue

import (
	"fmt"
	"io"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

// Issuer issues tokens under one set of parameters.
type Issuer struct {
	Params   *params.Params
	Identity []byte            // typed identity, one of the issuers in the parameters
	Executor executor.Executor // of the range proofs; nil means executor.Serial
	Random   io.Reader         // a seed of 32 bytes is read for each issue; nil means crypto/rand
}

// Format implements fmt.Formatter for every verb and does not show the random source.
func (Issuer) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "issuer") }

func (s Issuer) maker() proof.Maker {
	return proof.Maker{Params: s.Params, Executor: s.Executor, Random: s.Random}
}

// Draft is an issue without its proof. The metadata must be set before Prove.
type Draft struct {
	Action *Action
	proof.Draft
}

// Issue creates tokens of the given type in protocol v1. It returns the action with its
// proof, and the openings of the outputs for their receivers. It returns the errors of
// Draft.
func (s Issuer) Issue(typ string, receives []token.Receive) (*Action, []token.Opening, error) {
	d, err := s.draft(proof.Composed, typ, receives)
	if err == nil {
		err = d.Prove(proof.Place{})
	}
	if err != nil {
		return nil, nil, err
	}
	return d.Action, d.Openings, nil
}

// Draft creates tokens of one type, for a later proof in the protocol that the
// parties of the network use for actions (proof.Of). A v2 proof hides the type. It
// returns the errors of proof.Draft.Begin.
func (s Issuer) Draft(typ string, receives []token.Receive) (*Draft, error) {
	return s.draft(proof.Of(s.Params), typ, receives)
}

func (s Issuer) draft(protocol proof.Protocol, typ string, receives []token.Receive) (*Draft, error) {
	var room [2048]byte // space for identities of two or three owners without an allocation
	public := proof.AppendPart(proof.AppendPart(room[:0], s.Identity), []byte(typ))
	for _, out := range receives {
		if len(out.Owner) == 0 {
			return nil, proof.ErrNothing
		}
		public = proof.AppendPart(public, out.Owner)
	}
	a := &Action{Issuer: s.Identity}
	d := &Draft{Action: a}
	var err error
	order := proof.Order{Action: a, Proof: &a.Proof, Protocol: protocol, Type: typ, Issuer: s.Identity,
		Outputs: receives}
	a.Outputs, err = d.Begin(s.maker(), order, public, nil)
	if err != nil {
		return nil, err
	}
	return d, nil
}

// ProveGiven makes the proof of an issue of given commitments of one type, for programs
// with their own wallets. The proof is of the range-proof system of the parameters,
// and its Raw is the proof in a v1 action. Blinding factors must be uniform and used
// once.
func (s Issuer) ProveGiven(outputs []proof.Given) (proof.Proof, error) {
	return s.maker().ProveGiven(nil, outputs)
}

// VerifyGiven is proof.Verify for commitments in the encoding of the group and a proof in
// bytes. It does not look at the issuer or its signature.
func VerifyGiven(p *params.Params, pr proof.Proof, outputs [][]byte) error {
	tokens, err := proof.DecodeGiven(p, "output", outputs)
	if err != nil {
		return err
	}
	return proof.Verify(p, &Action{Outputs: tokens, Proof: pr}, proof.Place{})
}
