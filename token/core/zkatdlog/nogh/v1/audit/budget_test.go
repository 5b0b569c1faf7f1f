package audit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// TestBudgetsOfAuditsAreOfRequests: an auditor counts the parties and tokens of all actions.
// One less than there are refuses the last one.
func TestBudgetsOfAuditsAreOfRequests(t *testing.T) {
	n := networktest.New(t, fixture.Config{})
	a := networktest.Assemble(t, networktest.Mixed(t, n, "transfers", "transfers", "transfers")...)
	check := func(l request.Limits) error {
		_, err := audit.New(n.Params, audit.Options{Limits: l}).Check(a.AuditRequest())
		return err
	}
	// Two senders, two owners and two receivers of each transfer; the auditor looks at
	// two parties for each verification.
	require.NoError(t, check(request.Limits{Verifications: 9}))
	err := check(request.Limits{Verifications: 8})
	require.ErrorIs(t, err, audit.ErrMany)
	require.ErrorContains(t, err, "action 2: output 1: ")
	require.NoError(t, check(request.Limits{Tokens: token.Limits{Inputs: 6, Outputs: 6}}))
	for _, l := range []token.Limits{{Inputs: 5, Outputs: 6}, {Inputs: 6, Outputs: 5}} {
		err = check(request.Limits{Tokens: l})
		require.ErrorIs(t, err, wire.ErrTooLarge)
		require.ErrorContains(t, err, "action 2: ")
	}
}
