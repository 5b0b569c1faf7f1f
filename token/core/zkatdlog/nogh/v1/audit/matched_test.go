package audit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestAPartyIsMatchedOnce: an identity with the same audit information in several
// places of a request is looked at once, and again with other information.
func TestAPartyIsMatchedOnce(t *testing.T) {
	n, err := fixture.NewNetwork(fixture.Config{Group: vectors.Curve(t, "BN254"), Bits: 16, TableBytes: 1})
	require.NoError(t, err)
	a, err := n.Request("tx", fixture.Shape{Kind: "transfers", Inputs: 2, Outputs: 3}, 1)
	require.NoError(t, err)
	seen := map[string]int{}
	auditor := audit.New(n.Params, audit.Options{Matchers: audit.Matchers{identity.X509: audit.AtOnce(func(raw, info []byte) error {
		seen[string(raw)+string(info)]++
		return x509.Match(raw, info)
	})}})
	_, err = auditor.Check(a.AuditRequest())
	require.NoError(t, err)
	require.NotEmpty(t, seen)
	for _, times := range seen {
		require.Equal(t, 1, times)
	}
}
