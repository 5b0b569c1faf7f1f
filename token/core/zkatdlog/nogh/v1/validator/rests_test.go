package validator_test

import (
	"bytes"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
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
	return identity.BeginAll(3, func(_ int, err error) error { return err }, func(i int) (identity.Task, error) {
		switch i {
		case 0:
			return v.Verifier.Begin(m, signature)
		case 1:
			return round.TaskOf(func(r round.Round) error { return v.work.Wait(r, nil) }), nil
		}
		return round.TaskOf(func(r round.Round) error { return v.work.Wait(r, v.raw) }), nil
	})
}

// TestWrongSignaturesAreNamed: signatures are verified together, and the error names
// the owner of a wrong one.
func TestWrongSignaturesAreNamed(t *testing.T) {
	n := network(t, 16)
	a, err := n.Request("tx", fixture.Shape{Kind: "swaps", Inputs: 2, Outputs: 1}, 1)
	require.NoError(t, err)
	var wrong []byte
	var opened [][]byte
	work := failsFor(&wrong)
	keys := identity.Registry{identity.X509: func(raw []byte) (identity.Verifier, error) {
		v, err := x509.NewVerifier(raw)
		opened = append(opened, raw)
		return twice{v, raw, work}, err
	}}
	v := validator.New(n.Params, validator.Options{Identities: keys})
	_, err = v.Validate("tx", a.Request.Encode())
	require.NoError(t, err)
	require.Len(t, opened, 1+4, "the auditor and the owners")
	for i, raw := range opened[1:] {
		wrong = raw
		_, err = v.Validate("tx", a.Request.Encode())
		refused := new(validator.RefusedError)
		require.ErrorAs(t, err, &refused)
		require.ErrorIs(t, err, identity.ErrSignature)
		require.Equal(t, "signatures", refused.Rule)
		require.Equal(t, i/2, refused.Action)
		require.ErrorContains(t, err, fmt.Sprintf("owner of input %d", i%2))
	}
}

// unproved is an owner with a wrong proof.
type unproved struct{ identity.Verifier }

func (unproved) BeginOpen() (identity.Task, error) {
	return round.TaskOf(func(round.Round) error { return identity.ErrSignature }), nil
}

// TestUnprovedMembersOfNewOwners: by default a token is not made for an owner with
// a member with a wrong proof. The reference makes it.
func TestUnprovedMembersOfNewOwners(t *testing.T) {
	n := network(t, 16)
	member := identity.Typed{Type: identity.Idemix, Raw: []byte("?")}.Encode()
	parts, err := n.Parts(fixture.Shape{Kind: "swaps", Inputs: 1, Outputs: 2}, 1)
	require.NoError(t, err)
	g := n.Params.Group()
	a, err := transfer.Decode(g, parts[1].Action.Raw, token.DefaultLimits)
	require.NoError(t, err)
	a.Outputs[1].Owner = multisig.Encode(n.Issuer.Identity(), member)
	parts[1].Action.Raw = a.Encode(g)
	r, err := n.SignedUnseen("tx", parts...)
	require.NoError(t, err)
	keys := identity.Registry{
		identity.X509: x509.NewVerifier, identity.Idemix: func([]byte) (identity.Verifier, error) { return unproved{}, nil },
	}
	v := validator.New(n.Params, validator.Options{Identities: keys})
	_, err = v.Validate("tx", r.Encode())
	for _, err := range []error{err, v.ValidateBatch([]validator.Submission{{Anchor: "tx", Raw: r.Encode()}})[0].Err} {
		refused := new(validator.RefusedError)
		require.ErrorAs(t, err, &refused)
		require.Equal(t, 1, refused.Action)
		require.ErrorContains(t, err, "owner of output 1: member 1: ")
	}
	_, err = validator.New(n.Params, validator.Options{Identities: keys, Follow: request.V0_15}).Validate("tx", r.Encode())
	require.NoError(t, err)
}

// TestBatchOfIdemixOwners: requests with Idemix owners get the same verdicts
// together as alone, with right and exchanged signatures of owners.
func TestBatchOfIdemixOwners(t *testing.T) {
	for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
		n, err := fixture.NewNetwork(fixture.Config{Group: vectors.Curve(t, curve), Bits: 16, Owners: identity.Idemix, TableBytes: 1})
		require.NoError(t, err)
		var requests [][]byte
		for i, kind := range []string{"transfers", "issues", "swaps", "transfers"} {
			a, err := n.Request("tx", fixture.Shape{Kind: kind, Inputs: 2, Outputs: 1}, uint64(i))
			require.NoError(t, err)
			requests = append(requests, a.Request.Encode())
			if kind != "issues" { // the signatures of two owners exchanged
				signatures := a.Request.Signatures
				last := len(signatures) - 1
				signatures[last].Raw, signatures[last-1].Raw = signatures[last-1].Raw, signatures[last].Raw
				requests = append(requests, a.Request.Encode())
			}
		}
		for _, e := range []executor.Executor{executor.Serial{}, executor.Pool{Workers: 2}} {
			v := n.Validator(validator.Options{Executor: e})
			var submissions []validator.Submission
			for _, raw := range requests {
				submissions = append(submissions, validator.Submission{Anchor: "tx", Raw: raw})
			}
			submissions = append(submissions, validator.Submission{Anchor: "another", Raw: requests[0]}, validator.Submission{Anchor: "tx"})
			bad := 0
			for i, got := range v.ValidateBatch(submissions) {
				want, err := v.Validate(submissions[i].Anchor, submissions[i].Raw)
				require.Equal(t, err, got.Err, "%s, request %d", curve, i)
				require.Equal(t, want, got.Accepted, "%s, request %d", curve, i)
				if err != nil {
					bad++
				}
			}
			require.Equal(t, 5, bad)
		}
	}
}

// countingExecutor counts the calls of Run.
type countingExecutor struct {
	executor.Pool
	calls *atomic.Int32
}

func (e countingExecutor) Run(n int, f func(i int) error) error {
	e.calls.Add(1)
	return e.Pool.Run(n, f)
}

// TestOnePartUsesTheExecutor: an undivided batch runs its work in parts.
func TestOnePartUsesTheExecutor(t *testing.T) {
	n, err := fixture.NewNetwork(fixture.Config{Group: vectors.Curve(t, "BN254"), Bits: 16, TableBytes: 1})
	require.NoError(t, err)
	a, err := n.Request("tx", fixture.Shape{Kind: "transfers", Inputs: 2, Outputs: 2}, 1)
	require.NoError(t, err)
	e := countingExecutor{executor.Pool{Workers: 2}, new(atomic.Int32)}
	verdicts := n.Validator(validator.Options{Executor: e}).ValidateBatch([]validator.Submission{{Anchor: "tx", Raw: a.Request.Encode()}})
	require.NoError(t, verdicts[0].Err)
	require.Greater(t, e.calls.Load(), int32(1))
}
