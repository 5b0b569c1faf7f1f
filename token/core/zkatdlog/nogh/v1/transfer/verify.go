package transfer

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Verify returns nil if the proof of a is valid. Otherwise it returns
// sigma.ErrRejected or rangeproof.ErrRejected, a *wire.DecodeError for a
// malformed proof, or params.ErrNoSystem if p lacks its range-proof system. The
// validator checks signatures, ledger and upgrade witnesses.
//
// The sums over variable points of all proofs are computed together.
func Verify(p *params.Params, a *Action) error {
	if err := p.Check(); err != nil {
		return err
	}
	item, ranges, err := a.typeAndSum(p.Group())
	if err != nil {
		return err
	}
	check, err := sigma.BeginTypeAndSum(typeAndSumKey(p), item)
	if err != nil {
		return err
	}
	aside := rangeproof.Aside{Terms: check.Terms()}
	item.OutputsWithoutType = check.WithoutType()
	claim, err := rangesClaim(p, a.Proof.Kind, item, ranges)
	if err == nil {
		err = claim.VerifyBeside(&aside)
	}
	aside.Compute(p.Group())
	if rejected := check.End(aside.Sums); rejected != nil {
		return rejected
	}
	return err
}

// VerifyBatch verifies many actions: their type-and-sum proofs together, and all
// range proofs in one equation. A *proof.RejectedError names the first wrong
// action.
func VerifyBatch(p *params.Params, actions []*Action) error {
	return proof.VerifyBatch(p, actions, newClaims)
}

// NewClaim verifies the type-and-sum proof of a and returns the claim of its
// range proofs. Errors are the errors of Verify.
func NewClaim(p *params.Params, a *Action) (proof.Claim, error) {
	if err := p.Check(); err != nil {
		return proof.Claim{}, err
	}
	item, ranges, err := a.typeAndSum(p.Group())
	if err != nil {
		return proof.Claim{}, err
	}
	items := []sigma.TypeAndSumItem{item}
	if sigma.VerifyTypeAndSums(typeAndSumKey(p), items) == 0 {
		return proof.Claim{}, sigma.ErrRejected
	}
	return rangesClaim(p, a.Proof.Kind, items[0], ranges)
}

// typeAndSumKey returns the key of p, for a group that counts in its own phase.
func typeAndSumKey(p *params.Params) *pedersen.Key {
	return p.Pedersen().On(group.Phase(p.Group(), "type and sum"))
}

// newClaims returns the claims of the actions before the first one for which
// NewClaim fails, and the error of that one.
func newClaims(p *params.Params, actions []*Action) ([]proof.Claim, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	items, ranges := make([]sigma.TypeAndSumItem, 0, len(actions)), make([][]byte, 0, len(actions))
	failure := error(nil)
	for _, a := range actions {
		item, own, err := a.typeAndSum(p.Group())
		if err != nil {
			failure = err
			break
		}
		items, ranges = append(items, item), append(ranges, own)
	}
	if n := sigma.VerifyTypeAndSums(typeAndSumKey(p), items); n < len(items) {
		items, failure = items[:n], sigma.ErrRejected
	}
	claims := make([]proof.Claim, 0, len(items))
	for i, it := range items {
		c, err := rangesClaim(p, actions[i].Proof.Kind, it, ranges[i])
		if err != nil {
			return claims, err
		}
		claims = append(claims, c)
	}
	return claims, failure
}

// typeAndSum decodes the type-and-sum proof of a and returns it with its
// statement, and the encoded range proofs.
func (a *Action) typeAndSum(g group.Group) (item sigma.TypeAndSumItem, ranges []byte, err error) {
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
		return item, nil, err
	}
	typeAndSum, err := sigma.DecodeTypeAndSum(g, sum, len(st.Inputs))
	return sigma.TypeAndSumItem{Statement: st, Proof: typeAndSum}, ranges, err
}

// rangesClaim returns the claim of the range proofs beside a type-and-sum
// proof, of which OutputsWithoutType is set.
func rangesClaim(p *params.Params, kind rangeproof.Kind, it sigma.TypeAndSumItem, ranges []byte) (proof.Claim, error) {
	st := it.Statement
	if !needsRanges(len(st.Inputs), len(st.Outputs)) {
		if len(ranges) > 0 {
			return proof.Claim{}, fmt.Errorf("one input and one output: %w", wire.Bad("transfer proof", "range proofs", wire.ErrTrailing))
		}
		return proof.NewClaimWithoutRanges(p, kind)
	}
	return proof.NewClaim(p, kind, it.OutputsWithoutType, ranges)
}
