package v1_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
)

// TestErrorsNameTheirPlace, and wrap the reason.
func TestErrorsNameTheirPlace(t *testing.T) {
	reason := errors.New("reason")
	for want, err := range map[string]error{
		"action 3: reason":        &proof.RejectedError{Index: 3, Err: reason},
		"item 3: reason":          &rangeproof.RejectedError{Index: 3, Err: reason},
		"claim 3: reason":         &v2.RejectedError{Index: 3, Err: reason},
		"audit: action 3: reason": &audit.RefusedError{Action: 3, Err: reason},
		"audit: reason":           &audit.RefusedError{Action: -1, Err: reason},
		"rule: action 0: reason":  &validator.RefusedError{Rule: "rule", Err: reason},
		"rule: reason":            &validator.RefusedError{Rule: "rule", Action: -1, Err: reason},
	} {
		t.Run(want, func(t *testing.T) {
			require.EqualError(t, err, want)
			require.ErrorIs(t, err, reason)
		})
	}
	for _, anchor := range []string{"", strings.Repeat("a", request.MaxAnchor+1), "tr"} {
		_, err := v1.Assemble(anchor)
		require.ErrorIs(t, err, request.ErrAnchor)
	}
}

// TestPrintingShowsNoSecret: every verb writes the kind of value alone.
func TestPrintingShowsNoSecret(t *testing.T) {
	secret := []byte("secret")
	for want, values := range map[string][]any{
		"token to create": {token.Receive{Owner: secret, Value: 5}, &token.Receive{Value: 5}},
		"action without proof": {
			issue.Draft{Action: &issue.Action{Issuer: secret}}, &issue.Draft{},
			transfer.Draft{Action: &transfer.Action{Issuer: secret}}, &transfer.Draft{}, proof.Draft{},
		},
		"openings of outputs": {proof.Outputs{Values: []uint64{5}}, &proof.Outputs{Values: []uint64{5}}},
		"token opening":       {token.Opening{Type: "secret"}, &token.Opening{Issuer: secret}},
		"party":               {request.Party{AuditInfo: secret}, &request.Party{Identity: secret}},
		"metadata of an output": {request.OutputMetadata{Opening: secret},
			&request.OutputMetadata{AuditInfo: secret}},
		"issuer":              {issue.Issuer{Identity: secret}},
		"sender":              {transfer.Sender{}},
		"part of a request":   {v1.Part{Action: request.Action{Raw: secret}}, &v1.Part{}},
		"range-proof witness": {rangeproof.Witness{Value: 5}, &rangeproof.Witness{Value: 5}},
	} {
		t.Run(want, func(t *testing.T) {
			for _, v := range values {
				for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
					require.Equal(t, want, fmt.Sprintf(verb, v), verb)
				}
			}
		})
	}
}
