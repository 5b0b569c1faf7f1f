package validator_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
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
