package issue

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// Verify returns nil if the proof of a is valid. Otherwise it returns
// sigma.ErrRejected or rangeproof.ErrRejected, a *wire.DecodeError for a
// malformed proof, or params.ErrNoSystem if p lacks its range-proof system. The
// validator checks the issuer and its signature.
func Verify(p *params.Params, a *Action) error {
	return proof.VerifyComposed(p, a)
}

// VerifyBatch verifies many actions together: all range proofs in one equation. A
// *proof.RejectedError names the first wrong action.
func VerifyBatch(p *params.Params, actions []*Action) error {
	placed := make([]proof.Placed, len(actions))
	for i, a := range actions {
		placed[i].Action = a
	}
	return proof.VerifyBatch(p, proof.Composed, placed)
}

// Parts implements proof.Action.
func (a *Action) Parts(p *params.Params, m *round.Memory) (proof.Parts, error) {
	raw, ranges, err := a.Proof.Split("issue proof")
	if err != nil {
		return proof.Parts{}, err
	}
	same, err := sigma.DecodeSameType(p.Group(), raw)
	if err != nil {
		return proof.Parts{}, err
	}
	outputs := m.Points(len(a.Outputs))
	for j, out := range a.Outputs {
		outputs[j] = out.Data
	}
	return proof.Parts{
		Kind: a.Proof.Kind, Same: &same,
		WithoutType: proof.WithoutType(p.Group(), outputs, same.CT), Ranges: ranges,
	}, nil
}
