package transfer

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// Parts implements proof.Action.
func (a *Action) Parts(p *params.Params, m *round.Memory) (proof.Parts, error) {
	raw, ranges, err := a.Proof.Split("transfer proof")
	if err != nil {
		return proof.Parts{}, err
	}
	sum, err := sigma.DecodeTypeAndSum(p.Group(), raw, len(a.Inputs))
	if err != nil {
		return proof.Parts{}, err
	}
	claim := sigma.NewClaim(m, a.statement(m), sum)
	parts := proof.Parts{Kind: a.Proof.Kind, Sum: &claim, WithoutType: claim.Out, Ranges: ranges}
	if !needsRanges(len(a.Inputs), len(a.Outputs)) {
		parts.WithoutType = nil
	}
	return parts, nil
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
