package validator

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/clear"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// NewClear returns a validator of requests with actions of package clear. It
// applies all rules of New except the rules about proofs. It is the baseline of benchmarks
// and not for networks.
func NewClear(p *params.Params, o Options) *Validator {
	v := New(p, o)
	v.readAction = func(_ *wire.Points, a request.Action, left token.Limits) (action, error) {
		return decodeClear(p, a, left)
	}
	return v
}

// decodeClear reads a clear action. The rules about owners, issuers and metadata see it
// as an action with a proof of the network's system.
func decodeClear(p *params.Params, a request.Action, left token.Limits) (action, error) {
	if a.Kind == request.Issue {
		left.Inputs = 0
	}
	decoded, err := clear.Decode(a.Raw, left)
	if err != nil {
		return nil, err
	}
	made := clearAction{clear: decoded, made: make([][]byte, len(decoded.Outputs))}
	outputs := make([]token.Token, len(decoded.Outputs))
	for j, out := range decoded.Outputs {
		outputs[j].Owner = out.Owner
		if len(out.Owner) == 0 {
			continue
		}
		made.made[j], err = out.Encode()
		if err != nil {
			return nil, err
		}
	}
	system := proof.Proof{Kind: p.Kind()}
	if a.Kind == request.Issue {
		made.action = issueAction{&issue.Action{Issuer: decoded.Issuer, Outputs: outputs,
			Metadata: decoded.Metadata, Proof: system}}
		return made, nil
	}
	if len(decoded.Inputs) == 0 {
		return nil, wire.Name("clear action").Bad("inputs", wire.ErrMissing)
	}
	seen := &transfer.Action{Outputs: outputs, Metadata: decoded.Metadata, Issuer: decoded.Issuer,
		Proof: system}
	for _, in := range decoded.Inputs {
		seen.Inputs = append(seen.Inputs,
			transfer.Input{ID: in.ID, Token: token.Token{Owner: in.Token.Owner}})
	}
	made.action = transferAction{seen}
	return made, nil
}

// clearAction is a clear action, its new tokens as ledgers store them, and the action
// that most rules see.
type clearAction struct {
	action
	clear *clear.Action
	made  [][]byte
}

func (a clearAction) spend(_ *check, f func(id token.ID, raw []byte) error) error {
	for _, in := range a.clear.Inputs {
		raw, err := in.Token.Encode()
		if err != nil {
			return err
		}
		if err := f(in.ID, raw); err != nil {
			return err
		}
	}
	return nil
}

func (a clearAction) created(_ group.Group, j int) []byte { return a.made[j] }

// Parts implements proof.Action.
func (a clearAction) Parts(p *params.Params, _ *wire.Points, _ *round.Memory) (proof.Parts, error) {
	return proof.Parts{}, a.clear.Verify(p.Bits())
}

func (a clearAction) accept(*Accepted) {}
