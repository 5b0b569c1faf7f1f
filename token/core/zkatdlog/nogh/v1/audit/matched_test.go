package audit_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// TestMatchesAreOfOneType: audit information that matches an identity of one type is
// not taken for the same bytes of another type, before or behind it.
func TestMatchesAreOfOneType(t *testing.T) {
	const right, wrong = 77, 78
	n := networktest.New(t, fixture.Config{})
	auditor := audit.New(n.Params, audit.Options{Matchers: audit.Matchers{
		identity.X509: audit.AtOnce(x509.Match), right: audit.AtOnce(func(_, _ []byte) error { return nil }),
		wrong: audit.AtOnce(func(_, _ []byte) error { return x509.ErrNoMatch }),
	}})
	const outputs = 5
	for at := range outputs + 1 {
		var owners []request.Party
		for j := range outputs {
			kind := identity.Type(right)
			if j == at {
				kind = wrong
			}
			owners = append(owners, request.Party{
				Identity:  identity.Typed{Type: kind, Raw: []byte("same")}.Encode(),
				AuditInfo: []byte("info"),
			})
		}
		_, err := auditor.Check(sentTo(t, n, owners...).AuditRequest())
		if at == outputs {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, x509.ErrNoMatch)
		require.ErrorContains(t, err, fmt.Sprintf("output %d: owner: ", at))
	}
}
