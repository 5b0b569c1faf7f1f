package issue

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Parts implements proof.Action.
func (a *Action) Parts(_ *params.Params, ps *wire.Points, m *round.Memory) (proof.Parts, error) {
	raw, ranges, err := a.Proof.Split("issue proof")
	if err != nil {
		return proof.Parts{}, err
	}
	same, err := sigma.DecodeSameType(ps, raw)
	outputs := m.Points(len(a.Outputs))
	for j, out := range a.Outputs {
		outputs[j] = out.Data
	}
	return proof.Parts{Kind: a.Proof.Kind, Same: same, WithoutType: outputs, Ranges: ranges}, err
}

// Claim returns the claim of the v2 proof of a at a place, unchecked.
func (a *Action) Claim(p *v2.Params, at proof.Place) v2.Claim {
	bare := *a
	bare.Proof.Raw = nil
	st := &v2.Statement{
		Kind: v2.Issue, Outputs: make([]group.Point, len(a.Outputs)),
		Context: proof.Context(p, at, func(dst []byte) []byte { return bare.appendTo(dst, p.Group()) }),
	}
	for j, out := range a.Outputs {
		st.Outputs[j] = out.Data
	}
	return v2.Claim{Statement: st, Proof: a.Proof.Raw}
}
