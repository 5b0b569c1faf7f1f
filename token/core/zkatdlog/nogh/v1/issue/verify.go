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
	if err := p.Check(); err != nil {
		return err
	}
	return round.Run(p.Group(), func(r round.Round) error { return a.Verify(r, p) })
}

// VerifyBatch verifies many actions together: all range proofs in one equation. A
// *proof.RejectedError names the first wrong action.
func VerifyBatch(p *params.Params, actions []*Action) error {
	return proof.VerifyBatch(p, len(actions), func(r round.Round, i int) error { return actions[i].Verify(r, p) })
}

// Verify is the task of the function Verify.
func (a *Action) Verify(r round.Round, p *params.Params) error {
	if err := p.Check(); err != nil {
		return err
	}
	raw, ranges, err := a.Proof.Split("issue proof")
	if err != nil {
		return err
	}
	same, err := sigma.DecodeSameType(r.Group, raw)
	if err != nil {
		return err
	}
	m := round.NewMemory()
	defer m.Wipe()
	outputs := m.Points(len(a.Outputs))
	for j, out := range a.Outputs {
		outputs[j] = out.Data
	}
	verifyType := func(r round.Round) error { return sigma.VerifySameType(r.Phase("same type"), p.Pedersen(), same) }
	return proof.Verify(r, p, a.Proof.Kind, verifyType, proof.WithoutType(r.Group, outputs, same.CT), ranges)
}
