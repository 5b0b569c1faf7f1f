package suite

import (
	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
)

// The operations of an issue, which does not depend on the number of inputs.
var (
	// Issuer makes an issue and serialises the action.
	Issuer = withoutInputs(operation("Issuer", prepareIssuer))
	// ProofVerificationIssuer deserialises an issue and verifies it.
	ProofVerificationIssuer = withoutInputs(reading(operation("ProofVerificationIssuer", prepareIssueVerification), actionVerifier(verifyIssue).read))
)

func withoutInputs(op bench.Op) bench.Op {
	op.Without = append(op.Without, bench.Axes(Inputs)...)
	return op
}

// verifyIssue is the actionVerifier of issues.
func verifyIssue(s setting, action []byte, edit func(proof.Proof) proof.Proof) (proof.Proof, error) {
	a, err := issue.Decode(s.params().Group(), action, token.DefaultLimits)
	if err != nil {
		return proof.Proof{}, err
	}
	if edit != nil {
		a.Proof = edit(a.Proof)
	}
	return a.Proof, proof.Verify(s.params(), a, place)
}

func prepareIssuer(s setting) (bench.Instance, error) {
	ready, err := s.network.NewIssue(s.seed, s.outputs)
	if err != nil {
		return bench.Instance{}, err
	}
	issuer := issue.Issuer{
		Params: s.params(), Identity: s.network.Issuer.Identity(), Executor: s.executor, Random: s.random,
	}
	return actionVerifier(verifyIssue).making(s, func() ([]byte, error) {
		made, err := issuer.Draft(fixture.Type, ready.Receives)
		if err != nil {
			return nil, err
		}
		err = made.Prove(place)
		return made.Action.Encode(s.params().Group()), err
	}), nil
}

func prepareIssueVerification(s setting) (bench.Instance, error) {
	in, err := prepareIssuer(s)
	if err != nil {
		return bench.Instance{}, err
	}
	action, err := in.Work()
	return actionVerifier(verifyIssue).verifying(s, action), err
}
