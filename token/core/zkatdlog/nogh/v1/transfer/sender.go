package transfer

import (
	"fmt"
	"io"
	"math/bits"
	"slices"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// Spend is a token to spend, with its opening.
type Spend struct {
	ID      token.ID
	Token   token.Token
	Opening token.Opening
	Upgrade *Upgrade
}

// Sender makes transfers under one set of parameters.
type Sender struct {
	Params   *params.Params
	Executor executor.Executor // of the range proofs; nil means executor.Serial
	Random   io.Reader         // a seed of 32 bytes is read for each transfer; nil means crypto/rand
}

// Format implements fmt.Formatter for every verb and does not show the random source.
func (Sender) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "sender") }

// Draft is a transfer without its proof. Issuer and metadata must be set before Prove.
type Draft struct {
	Action *Action
	proof.Draft
}

// Transfer spends tokens and creates others in protocol v1. It returns the action with
// its proof, and the openings of the outputs for their receivers. It returns the errors of
// Draft.
func (s Sender) Transfer(spends []Spend, receives []token.Receive) (*Action, []token.Opening, error) {
	d, err := s.draft(proof.Composed, spends, receives)
	if err == nil {
		err = d.Prove(proof.Place{})
	}
	if err != nil {
		return nil, nil, err
	}
	return d.Action, d.Openings, nil
}

// Draft spends tokens and creates others, for a later proof in the protocol that the
// parties of the network use for actions (proof.Of). In v2, tokens received without owner
// are redeemed in the clear. A v2 proof needs an output: if everything is redeemed, the
// owner of the first input receives a token of value 0. It returns the errors of
// proof.Draft.Begin.
func (s Sender) Draft(spends []Spend, receives []token.Receive) (*Draft, error) {
	return s.draft(proof.Of(s.Params), spends, receives)
}

// draft makes the action of a transfer and draws its openings. A redemption in the clear is
// split from the outputs first; public collects the bytes that its nonces depend on.
func (s Sender) draft(protocol proof.Protocol, spends []Spend, receives []token.Receive) (*Draft, error) {
	if len(spends) == 0 || len(receives) == 0 {
		return nil, proof.ErrNothing
	}
	if err := s.Params.Check(); err != nil {
		return nil, err
	}
	a := &Action{Inputs: make([]Input, len(spends))}
	var err error
	if protocol.Format().ClearRedeem {
		receives, a.Redeem, err = split(receives)
		if err != nil {
			return nil, err
		}
		if len(receives) == 0 {
			receives = []token.Receive{{Owner: spends[0].Token.Owner}}
		}
	}
	if a.Redeem > 0 {
		a.RedeemType = spends[0].Opening.Type
	}
	g := s.Params.Group()
	m := round.NewMemory()
	defer m.Wipe()
	public := m.Bytes(len(spends)*g.PointLen() + len(receives)*ownerHint)
	for i, in := range spends {
		a.Inputs[i] = Input{ID: in.ID, Token: in.Token, Upgrade: in.Upgrade}
		public = g.AppendPoint(public, in.Token.Data)
	}
	for _, out := range receives {
		public = proof.AppendPart(public, out.Owner)
	}
	d := &Draft{Action: a}
	order := proof.Order{
		Action: a, Proof: &a.Proof, Protocol: protocol, Type: spends[0].Opening.Type,
		Inputs: len(spends), Outputs: receives, Redeem: a.Redeem,
	}
	input := func(i int) (group.Point, token.Opening) { return spends[i].Token.Data, spends[i].Opening }
	a.Outputs, err = d.Begin(proof.Maker(s), order, public, input)
	if err != nil {
		return nil, err
	}
	return d, nil
}

// split separates the redeemed value. The error is proof.ErrValue if it exceeds 64
// bits.
func split(receives []token.Receive) (kept []token.Receive, redeem uint64, err error) {
	if !slices.ContainsFunc(receives, func(out token.Receive) bool { return len(out.Owner) == 0 }) {
		return receives, 0, nil
	}
	for j, out := range receives {
		if len(out.Owner) > 0 {
			kept = append(kept, out)
			continue
		}
		var carry uint64
		redeem, carry = bits.Add64(redeem, out.Value, 0)
		if carry != 0 {
			return nil, 0, fmt.Errorf("output %d: %w", j, proof.ErrValue)
		}
	}
	return kept, redeem, nil
}

// ProveGiven makes the proof of a transfer between given commitments, for programs with
// their own wallets. The proof is of the range-proof system of the parameters, and
// its Raw is the proof in a v1 action. Blinding factors of the outputs must be uniform
// and used once.
func (s Sender) ProveGiven(inputs, outputs []proof.Given) (proof.Proof, error) {
	if len(inputs) == 0 {
		return proof.Proof{}, proof.ErrNothing
	}
	return proof.Maker(s).ProveGiven(inputs, outputs)
}

// VerifyGiven is proof.Verify for commitments in the encoding of the group and a proof in
// bytes. It does not look at owners, signatures or a ledger.
func VerifyGiven(p *params.Params, pr proof.Proof, inputs, outputs [][]byte) error {
	spent, err := proof.DecodeGiven(p, "input", inputs)
	if err != nil {
		return err
	}
	a := &Action{Inputs: make([]Input, len(spent)), Proof: pr}
	for i, in := range spent {
		a.Inputs[i].Token = in
	}
	a.Outputs, err = proof.DecodeGiven(p, "output", outputs)
	if err != nil {
		return err
	}
	return proof.Verify(p, a, proof.Place{})
}
