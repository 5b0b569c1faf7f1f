package validator_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// twice verifies with work that two signatures of each owner wait for, the second of
// which fails for one key.
type twice struct {
	identity.Verifier
	raw  []byte
	work *round.Work[[]byte]
}

// failsFor returns work that fails for one key.
func failsFor(wrong *[]byte) *round.Work[[]byte] {
	return &round.Work[[]byte]{Do: func(_ group.Group, _ executor.Executor, keys [][]byte) []error {
		errs := make([]error, len(keys))
		for i, raw := range keys {
			if len(raw) > 0 && bytes.Equal(raw, *wrong) {
				errs[i] = identity.ErrSignature
			}
		}
		return errs
	}}
}

func (v twice) Begin(m identity.Message, signature []byte) (identity.Task, error) {
	return identity.BeginAll(3, func(_ int, err error) error {
		return err
	}, func(i int) (identity.Task, error) {
		switch i {
		case 0:
			return v.Verifier.Begin(m, signature)
		case 1:
			return round.TaskOf(func(r round.Round) error { return v.work.Wait(r, nil) }), nil
		}
		return round.TaskOf(func(r round.Round) error { return v.work.Wait(r, v.raw) }), nil
	})
}

// unproved is an owner with a wrong proof.
type unproved struct{ identity.Verifier }

func (unproved) BeginOpen() (identity.Task, error) {
	return round.TaskOf(func(round.Round) error { return identity.ErrSignature }), nil
}

// TestBatchOfIdemixOwners: requests with Idemix owners get the same verdicts together as alone,
// with right and exchanged signatures of owners.
func TestBatchOfIdemixOwners(t *testing.T) {
	n := networktest.New(t, fixture.Config{Group: vectors.Curve(t, "BLS12_381_BBS_GURVY"),
		Owners: identity.Idemix})
	var block []validator.Submission
	for i, kind := range []string{"transfers", "swaps"} {
		a := networktest.Request(t, n, kind, 2, 1, uint64(i))
		right, signatures := a.Request.Encode(), a.Request.Signatures
		last := len(signatures) - 1
		signatures[last].Raw, signatures[last-1].Raw = signatures[last-1].Raw, signatures[last].Raw
		block = append(block, validator.Submission{Anchor: "tx", Raw: right},
			validator.Submission{Anchor: "tx", Raw: a.Request.Encode()},
			validator.Submission{Anchor: "another", Raw: right})
	}
	v := n.Validator(validator.Options{Executor: executor.Pool{Workers: 2}})
	for i, got := range v.ValidateBatch(block) {
		want, err := v.Validate(block[i].Anchor, block[i].Raw)
		require.Equal(t, i%3 == 0, err == nil, "request %d: %v", i, err)
		require.Equal(t, validator.Verdict{Accepted: want, Err: err}, got, "request %d", i)
	}
}

// TestIssuesWithoutAType: only v0.14 accepts an issue whose commitment to the type is the
// identity, with right range proofs, and the validator names the difference.
func TestIssuesWithoutAType(t *testing.T) {
	n := network(t, 16)
	g, k := n.Params.Group(), n.Params.Pedersen()
	system, err := n.Params.RangeProof(n.Params.Kind())
	require.NoError(t, err)
	part := networktest.Parts(t, n, "issues", 0, 1, 1)[0]
	networktest.EditIssue(t, n, part, func(a *issue.Action) {
		same, err := sigma.ProveSameType(k, sigma.SameTypeWitness{}, &nonce.Fixed{g.Uint64(5), g.Uint64(6)})
		require.NoError(t, err)
		w := rangeproof.Witness{Value: 7, Blinding: g.Uint64(8)}
		a.Outputs[0].Data = k.Commit(group.Scalar{}, g.Uint64(w.Value), w.Blinding)
		hedge, err := nonce.NewHedge(g, fixture.Random(1), nil)
		require.NoError(t, err)
		made, err := rangeproof.Prove(g, system, a.Outputs[0].Data, w, hedge.Stream("range", 0))
		require.NoError(t, err)
		a.Proof = proof.Join(n.Params.Kind(), same.Append(nil, g), []rangeproof.Proof{made})
	})
	raw := networktest.Signed(t, n, part).Encode()
	for _, follow := range append([]request.Version{request.Strict}, request.Versions...) {
		accepted, err := n.Validator(validator.Options{Follow: follow}).Validate("tx", raw)
		if follow == request.V0_14 {
			require.NoError(t, err)
			require.Equal(t, []validator.Difference{validator.NoType}, accepted.Differences)
			continue
		}
		require.ErrorIs(t, err, sigma.ErrRejected, follow)
	}
}
