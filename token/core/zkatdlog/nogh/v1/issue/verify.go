package issue

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

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
