package idemix_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEngineDoesNotLinkIdemix: programs that import the services, the validator,
// the auditor, or the verifiers of Idemix owners do not link the library; programs
// that make Idemix owners do.
func TestEngineDoesNotLinkIdemix(t *testing.T) {
	const v1 = "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	linked := func(pkg string) string {
		out, err := exec.Command("go", "list", "-deps", pkg).CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	for _, pkg := range []string{v1, v1 + "/validator", v1 + "/audit", v1 + "/ledger"} {
		require.Contains(t, linked(pkg), v1+"/transfer")
		for line := range strings.Lines(linked(pkg)) {
			require.NotContains(t, strings.ToLower(line), "idemix", pkg)
		}
	}
	const owners = "github.com/zkatbench/zkatbench/token/core/identity/idemix"
	require.Contains(t, linked(owners), owners+"/credential")
	for line := range strings.Lines(linked(owners)) {
		require.NotContains(t, line, "github.com/IBM/", "verification of Idemix owners")
		require.NotContains(t, line, "github.com/hyperledger/", "verification of Idemix owners")
	}
	require.Contains(t, linked(v1+"/fixture"), "github.com/IBM/idemix/bccsp")
}
