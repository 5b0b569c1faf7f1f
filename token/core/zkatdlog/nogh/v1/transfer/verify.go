package transfer

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Parts implements proof.Action.
func (a *Action) Parts(_ *params.Params, ps *wire.Points, m *round.Memory) (proof.Parts, error) {
	raw, ranges, err := a.Proof.Split("transfer proof")
	if err != nil {
		return proof.Parts{}, err
	}
	sum, err := sigma.DecodeTypeAndSum(ps, raw, len(a.Inputs))
	parts := proof.Parts{Kind: a.Proof.Kind, Statement: a.statement(m), Sum: sum, Ranges: ranges}
	if proof.NeedsRanges(len(a.Inputs), len(a.Outputs)) {
		parts.WithoutType = parts.Statement.Outputs
	}
	return parts, err
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

// Claim returns the claim of the v2 proof of a at a place, unchecked.
func (a *Action) Claim(p *v2.Params, at proof.Place) v2.Claim {
	g := p.Group()
	bare := *a
	bare.Proof.Raw = nil
	st := &v2.Statement{
		Kind: v2.Transfer, PublicValue: a.Redeem,
		Inputs: make([]group.CurvePoint, len(a.Inputs)), Outputs: make([]group.Point, len(a.Outputs)),
		Context: proof.Context(p, at, func(dst []byte) []byte { return bare.appendTo(dst, g) }),
	}
	if a.RedeemType != "" {
		st.PublicType, st.Type = true, token.TypeScalar(g, a.RedeemType)
	}
	for i, in := range a.Inputs {
		st.Inputs[i] = group.OnCurve(in.Token.Data)
	}
	for j, out := range a.Outputs {
		st.Outputs[j] = out.Data
	}
	return v2.Claim{Statement: st, Proof: a.Proof.Raw}
}
