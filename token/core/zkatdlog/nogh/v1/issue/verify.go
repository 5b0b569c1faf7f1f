package issue

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Verify returns nil if the proof of a is valid. Otherwise it returns
// sigma.ErrRejected or rangeproof.ErrRejected, a *wire.DecodeError for a
// malformed proof, or params.ErrNoSystem if p lacks its range-proof system. The
// validator checks the issuer and its signature.
func Verify(p *params.Params, a *Action) error { return proof.VerifyOne(p, a, NewClaim) }

// VerifyBatch verifies many actions, all range proofs in one equation. A
// *proof.RejectedError names the first wrong action.
func VerifyBatch(p *params.Params, actions []*Action) error {
	return proof.VerifyBatch(p, actions, proof.Each(NewClaim))
}

// NewClaim verifies the same-type proof of a and returns the claim of its range
// proofs. Errors are the errors of Verify.
func NewClaim(p *params.Params, a *Action) (proof.Claim, error) {
	if err := p.Check(); err != nil {
		return proof.Claim{}, err
	}
	g := p.Group()
	sigmaProof, ranges, err := a.Proof.Split("issue proof")
	if err != nil {
		return proof.Claim{}, err
	}
	same, err := sigma.DecodeSameType(g, sigmaProof)
	if err != nil {
		return proof.Claim{}, err
	}
	key := p.Pedersen().On(group.Phase(g, "same type"))
	if err := sigma.VerifySameType(key, same); err != nil {
		return proof.Claim{}, err
	}
	outputs := make([]group.Point, len(a.Outputs))
	for j, out := range a.Outputs {
		outputs[j] = out.Data
	}
	return proof.NewClaim(p, a.Proof.Kind, proof.WithoutType(g, outputs, same.CT), ranges)
}
