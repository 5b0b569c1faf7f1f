package transfer

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Verify returns nil if the proof of a is valid. Otherwise it returns
// sigma.ErrRejected or rangeproof.ErrRejected, a *wire.DecodeError for a
// malformed proof, or params.ErrNoSystem if p lacks its range-proof system. The
// validator checks signatures, ledger and upgrade witnesses.
func Verify(p *params.Params, a *Action) error { return proof.VerifyOne(p, a, NewClaim) }

// VerifyBatch verifies many actions, all range proofs in one equation. A
// *proof.RejectedError names the first wrong action.
func VerifyBatch(p *params.Params, actions []*Action) error {
	return proof.VerifyBatch(p, actions, NewClaim)
}

// NewClaim verifies the type-and-sum proof of a and returns the claim of its
// range proofs. Errors are the errors of Verify.
func NewClaim(p *params.Params, a *Action) (proof.Claim, error) {
	if err := p.Check(); err != nil {
		return proof.Claim{}, err
	}
	g := p.Group()
	points := make([]group.Point, len(a.Inputs)+len(a.Outputs))
	st := sigma.TypeAndSumStatement{Inputs: points[:len(a.Inputs)], Outputs: points[len(a.Inputs):]}
	for i, in := range a.Inputs {
		st.Inputs[i] = in.Token.Data
	}
	for j, out := range a.Outputs {
		st.Outputs[j] = out.Data
	}
	sum, ranges, err := a.Proof.Split("transfer proof")
	if err != nil {
		return proof.Claim{}, err
	}
	typeAndSum, err := sigma.DecodeTypeAndSum(g, sum, len(st.Inputs))
	if err != nil {
		return proof.Claim{}, err
	}
	key := p.Pedersen().On(group.Phase(g, "type and sum"))
	if err := sigma.VerifyTypeAndSum(key, st, typeAndSum); err != nil {
		return proof.Claim{}, err
	}
	if !needsRanges(len(st.Inputs), len(st.Outputs)) {
		if len(ranges) > 0 {
			return proof.Claim{}, fmt.Errorf("one input and one output: %w", wire.Bad("transfer proof", "range proofs", wire.ErrTrailing))
		}
		return proof.NewClaimWithoutRanges(p, a.Proof.Kind)
	}
	return proof.NewClaim(p, a.Proof.Kind, typeAndSum.CT, st.Outputs, ranges)
}
