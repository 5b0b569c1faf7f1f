package suite

import (
	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
)

// The operations of an issue, which does not depend on the number of inputs.
var (
	// issuer makes an issue and serialises the action.
	issuer = withoutInputs(operation("Issuer", prepareIssuer))
	// proofVerificationIssuer deserialises an issue and verifies it.
	proofVerificationIssuer = withoutInputs(reading(operation("ProofVerificationIssuer",
		prepareIssueVerification), verifyIssue.read))
)

func withoutInputs(op bench.Op) bench.Op {
	op.Without = append(op.Without, bench.Axes(Inputs)...)
	return op
}

// verifyIssue verifies issues.
var verifyIssue = verifierOf(issue.Decode, func(a *issue.Action) *proof.Proof { return &a.Proof })

func prepareIssuer(s setting) (bench.Instance, error) {
	ready, err := s.network.NewIssue(s.seed, s.outputs)
	if err != nil {
		return bench.Instance{}, err
	}
	issuer := issue.Issuer{
		Params: s.params(), Identity: s.network.Issuer.Identity(), Executor: s.executor, Random: s.random,
	}
	return verifyIssue.making(s, func() ([]byte, error) {
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
	return verifyIssue.verifying(s, action), err
}
