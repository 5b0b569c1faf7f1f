package transfer

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Verify returns nil if the proof of a is valid. Otherwise it returns
// sigma.ErrRejected or rangeproof.ErrRejected, a *wire.DecodeError for a
// malformed proof, or params.ErrNoSystem if p lacks its range-proof system. The
// validator checks signatures, ledger and upgrade witnesses.
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
	m := round.NewMemory()
	defer m.Wipe()
	st := a.statement(m)
	raw, ranges, err := a.Proof.Split("transfer proof")
	if err != nil {
		return err
	}
	sum, err := sigma.DecodeTypeAndSum(r.Group, raw, len(a.Inputs))
	if err != nil {
		return err
	}
	derived, err := st.Derive(r.Phase("type and sum"), m, sum.CT)
	if err != nil {
		return err
	}
	verifySum := func(r round.Round) error {
		return sigma.VerifyTypeAndSum(r.Phase("type and sum"), p.Pedersen(), derived, sum)
	}
	if needsRanges(len(a.Inputs), len(a.Outputs)) {
		return proof.Verify(r, p, a.Proof.Kind, verifySum, derived.Out, ranges)
	}
	if err := verifySum(r); err != nil {
		return err
	}
	if len(ranges) > 0 {
		return fmt.Errorf("one input and one output: %w", wire.Bad("transfer proof", "range proofs", wire.ErrTrailing))
	}
	_, err = p.RangeProof(a.Proof.Kind)
	return err
}

// statement returns the statement of the type-and-sum proof, in memory of m.
func (a *Action) statement(m *round.Memory) sigma.TypeAndSumStatement {
	st := sigma.TypeAndSumStatement{Inputs: m.Points(len(a.Inputs)), Outputs: m.Points(len(a.Outputs))}
	for i, in := range a.Inputs {
		st.Inputs[i] = in.Token.Data
	}
	for j, out := range a.Outputs {
		st.Outputs[j] = out.Data
	}
	return st
}
