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
	linked := func(packages ...string) string {
		out, err := exec.Command("go", append([]string{"list", "-deps"}, packages...)...).CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	engine := linked(v1, v1+"/validator", v1+"/audit", v1+"/ledger")
	require.Contains(t, engine, v1+"/transfer")
	require.NotContains(t, strings.ToLower(engine), "idemix")
	const owners = "github.com/zkatbench/zkatbench/token/core/identity/idemix"
	verification := linked(owners)
	require.Contains(t, verification, owners+"/credential")
	require.NotContains(t, verification, "github.com/IBM/")
	require.NotContains(t, verification, "github.com/hyperledger/")
	require.Contains(t, linked(v1+"/fixture"), "github.com/IBM/idemix/bccsp")
}
