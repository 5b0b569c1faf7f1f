package audit_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestMatchesAreOfOneType: audit information that matches an identity of one type is
// not taken for the same bytes of another type, before or behind it.
func TestMatchesAreOfOneType(t *testing.T) {
	const right, wrong = 77, 78
	n, err := fixture.NewNetwork(fixture.Config{Group: vectors.Curve(t, "BN254"), Bits: 16, TableBytes: 1})
	require.NoError(t, err)
	g := n.Params.Group()
	auditor := audit.New(n.Params, audit.Options{Matchers: audit.Matchers{
		identity.X509: audit.AtOnce(x509.Match), right: audit.AtOnce(func(_, _ []byte) error { return nil }),
		wrong: audit.AtOnce(func(_, _ []byte) error { return x509.ErrNoMatch }),
	}})
	const outputs = 5
	for at := range outputs + 1 {
		parts, err := n.Parts(fixture.Shape{Kind: "transfers", Inputs: 1, Outputs: outputs}, 1)
		require.NoError(t, err)
		p := parts[0]
		a, err := transfer.Decode(g, p.Action.Raw, token.DefaultLimits)
		require.NoError(t, err)
		for j := range a.Outputs {
			kind := identity.Type(right)
			if j == at {
				kind = wrong
			}
			a.Outputs[j].Owner = identity.Typed{Type: kind, Raw: []byte("same")}.Encode()
			party := request.Party{Identity: a.Outputs[j].Owner, AuditInfo: []byte("info")}
			p.Metadata.Outputs[j].AuditInfo, p.Metadata.Outputs[j].Receivers = party.AuditInfo,
				[]request.Party{party}
		}
		p.Action.Raw = a.Encode(g)
		made, err := v1.Assemble("tx", p)
		require.NoError(t, err)
		if _, err = auditor.Check(made.AuditRequest()); at == outputs {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, x509.ErrNoMatch)
		require.ErrorContains(t, err, fmt.Sprintf("output %d: owner: ", at))
	}
}
