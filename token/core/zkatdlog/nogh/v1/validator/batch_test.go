package validator_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// TestProofsAreOfTheirAnchor: a v2 proof is right under the anchor that it was made for,
// also next to the same bytes under another one or to another request under this one, and if
// all signatures are right for every message.
func TestProofsAreOfTheirAnchor(t *testing.T) {
	n := networktest.New(t, fixture.Config{Protocols: params.Protocols{V2: true}})
	r := networktest.Signed(t, n, transferPart(t, n, 1, 1, 1))
	any := func([]byte) (identity.Verifier, error) { return trusting{}, nil }
	judge := validator.New(n.Params, validator.Options{Identities: identity.Registry{identity.X509: any}})
	foreign, err := n.SignedUnseen("foreign", transferPart(t, n, 1, 1, 2))
	require.NoError(t, err)
	right := validator.Submission{Anchor: "tx", Raw: r.Encode()}
	for _, wrong := range []validator.Submission{{Anchor: "another", Raw: right.Raw},
		{Anchor: "tx", Raw: foreign.Encode()}} {
		for place, batch := range [][]validator.Submission{{right, wrong}, {wrong, right}} {
			verdicts := judge.ValidateBatch(batch)
			require.NoError(t, verdicts[place].Err)
			require.ErrorContains(t, verdicts[1-place].Err, "proofs: action 0: ")
		}
	}
}

// trusting accepts every signature.
type trusting struct{}

func (trusting) Begin(identity.Message, []byte) (identity.Task, error) {
	return round.TaskOf(func(round.Round) error { return nil }), nil
}

// failing is an executor that runs at most left more calls of Run in full, and then
// skips calls.
type failing struct {
	executor.Serial
	left *int
	err  error
}

func (f failing) Run(n int, call func(int) error) error {
	if *f.left--; *f.left >= 0 {
		return f.Serial.Run(n, call)
	}
	return f.err
}

// TestSkippedStepsAcceptNothing: a submission is accepted only if each step gave a
// verdict on it, for any result of the executor.
func TestSkippedStepsAcceptNothing(t *testing.T) {
	n := network(t, 16)
	var submissions []validator.Submission
	for i, kind := range []string{"issues", "transfers"} {
		anchor := fmt.Sprintf("tx%d", i)
		a, err := n.Request(anchor, fixture.Shape{Kind: kind, Inputs: 1, Outputs: 1}, uint64(i))
		require.NoError(t, err)
		submissions = append(submissions, validator.Submission{Anchor: anchor, Raw: a.Request.Encode()})
	}
	alone := func(v *validator.Validator, s []validator.Submission) []validator.Verdict {
		accepted, err := v.Validate(s[0].Anchor, s[0].Raw)
		return []validator.Verdict{{Accepted: accepted, Err: err}}
	}
	for _, err := range []error{nil, errors.New("lost")} {
		skipped(t, n, submissions, (*validator.Validator).ValidateBatch, err)
		skipped(t, n, submissions[:1], alone, err)
		skipped(t, n, submissions[1:], alone, err)
	}
}

// skipped judges submissions with an executor that runs more and more calls, until all are
// accepted.
func skipped(t *testing.T, n *fixture.Network, submissions []validator.Submission,
	judge func(*validator.Validator, []validator.Submission) []validator.Verdict, lost error) {
	t.Helper()
	accepted := 0
	for runs := 0; accepted == 0; runs++ {
		require.Less(t, runs, 100)
		left := runs
		v := validator.New(n.Params, validator.Options{Executor: failing{left: &left, err: lost}})
		for _, verdict := range judge(v, submissions) {
			require.Equal(t, verdict.Err == nil, verdict.Accepted != nil)
			if verdict.Accepted != nil {
				require.GreaterOrEqual(t, left, 0, "accepted after a skipped call")
				accepted++
				continue
			}
			require.ErrorAs(t, verdict.Err, new(*validator.RefusedError))
			require.Error(t, errors.Unwrap(verdict.Err), "a refusal has a reason")
			if lost != nil {
				require.ErrorIs(t, verdict.Err, lost)
			}
		}
	}
	require.Len(t, submissions, accepted)
}

// silent is work without results.
var silent = round.Work[int]{Do: func(group.Group, executor.Executor, []int) []error { return []error{} }}

// never is an owner with a signature that gets no result.
type never struct{ identity.Verifier }

func (n never) Begin(m identity.Message, signature []byte) (identity.Task, error) {
	task, err := n.Verifier.Begin(m, signature)
	if task != nil || err != nil {
		return task, err
	}
	return round.TaskOf(func(r round.Round) error { return silent.Wait(r, 1) }), nil
}

// TestMissingResultsOfSignaturesRefuse: a signature without a result is
// not accepted.
func TestMissingResultsOfSignaturesRefuse(t *testing.T) {
	n := network(t, 16)
	a := networktest.Request(t, n, "transfers", 1, 1, 1)
	v := validator.New(n.Params, validator.Options{Identities: identity.Registry{
		identity.X509: func(raw []byte) (identity.Verifier, error) {
			v, err := x509.NewVerifier(raw)
			return never{v}, err
		},
	}})
	raw := a.Request.Encode()
	_, alone := v.Validate("tx", raw)
	batch := v.ValidateBatch([]validator.Submission{{Anchor: "tx", Raw: raw}, {Anchor: "tx", Raw: raw}})
	for _, err := range []error{alone, batch[0].Err, batch[1].Err} {
		networktest.Refused(t, err, "signatures", nil)
	}
}

// TestRefusedStaysRefused: a submission with a wrong signature stays refused although
// another of its signatures is verified later and is right. Its neighbours are
// accepted.
func TestRefusedStaysRefused(t *testing.T) {
	n := network(t, 16)
	var none []byte
	work := failsFor(&none)
	identities := identity.Registry{identity.X509: func(raw []byte) (identity.Verifier, error) {
		v, err := x509.NewVerifier(raw)
		return twice{v, raw, work}, err
	}}
	v := validator.New(n.Params, validator.Options{Identities: identities})
	a := networktest.Request(t, n, "transfers", 2, 1, 1)
	right := validator.Submission{Anchor: "tx", Raw: a.Request.Encode()}
	for i := range a.Request.Signatures {
		wrong := *a.Request
		wrong.Signatures = append([]request.Signature(nil), a.Request.Signatures...)
		wrong.Signatures[i].Raw = a.Request.Signatures[(i+1)%len(wrong.Signatures)].Raw
		verdicts := v.ValidateBatch([]validator.Submission{right, {Anchor: "tx", Raw: wrong.Encode()}, right})
		require.NoError(t, verdicts[0].Err)
		require.NoError(t, verdicts[2].Err)
		require.Nil(t, verdicts[1].Accepted, "signature %d", i)
		require.ErrorIs(t, verdicts[1].Err, identity.ErrSignature)
	}
}
