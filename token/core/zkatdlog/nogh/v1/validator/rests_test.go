package validator_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

// putOff verifies at once and puts off a step that fails for one key.
type putOff struct {
	identity.Verifier
	raw   []byte
	wrong *[]byte
}

func (p putOff) Begin(m identity.Message, signature []byte) ([]identity.Rest, error) {
	return []identity.Rest{{Batch: all{p.wrong}, State: []byte{}}, {Batch: all{p.wrong}, State: p.raw}}, p.Verify(m, signature)
}

type all struct{ wrong *[]byte }

func (a all) Finish(sets [][]any, _ executor.Executor) []error {
	errs := make([]error, len(sets))
	for k, states := range sets {
		for i, s := range states {
			if raw := s.([]byte); errs[k] == nil && len(raw) > 0 && bytes.Equal(raw, *a.wrong) {
				errs[k] = &identity.RestError{Index: i, Err: identity.ErrSignature}
			}
		}
	}
	return errs
}

// TestPutOffSignaturesAreNamed: the last steps of signatures are finished together,
// and the error names the owner of a wrong one.
func TestPutOffSignaturesAreNamed(t *testing.T) {
	n := network(t, 16)
	a, err := n.Request("tx", fixture.Shape{Kind: "swaps", Inputs: 2, Outputs: 1}, 1)
	require.NoError(t, err)
	var wrong []byte
	var opened [][]byte
	keys := identity.Registry{identity.X509: func(raw []byte) (identity.Verifier, error) {
		v, err := x509.NewVerifier(raw)
		opened = append(opened, raw)
		return putOff{v, raw, &wrong}, err
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
