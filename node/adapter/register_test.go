package adapter_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/LFDT-Panurus/panurus/token/driver"

	"github.com/zkatbench/zkatbench/node/adapter"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// drivers lists the drivers of a node: own is the built-in one.
func drivers(own driver.ValidatorDriver) map[driver.TokenDriverName]driver.ValidatorDriver {
	ours := adapter.Driver{
		Own:        own,                                               // decodes parameters and actions
		Options:    validator.Options{Follow: request.V0_15},          // the version that the network runs
		Attributes: adapter.Names{Message: "msg", Signatures: "sigs"}, // as the node names them
	}
	return map[driver.TokenDriverName]driver.ValidatorDriver{"zkatdlognogh.v1": ours}
}

// TestRegistration: the page shows the lines above, which compile, and the driver validates.
func TestRegistration(t *testing.T) {
	source, err := os.ReadFile("register_test.go")
	require.NoError(t, err)
	page, err := os.ReadFile("../../docs/node.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(source), "\n)\n\n")
	require.True(t, found)
	lines, _, found := strings.Cut(rest, "\n\n")
	require.True(t, found)
	require.Contains(t, string(page), "```go\n"+lines+"\n```\n")

	n, raw := newRequest(t)
	d := drivers(nodeDriver{})["zkatdlognogh.v1"]
	pp, err := d.PublicParametersFromBytes(n.Params.Encode())
	require.NoError(t, err)
	v, err := newValidator(d.(adapter.Driver), pp)
	require.NoError(t, err)
	_, attributes, err := v.VerifyTokenRequestFromRaw(t.Context(), nil, "tx", raw)
	require.NoError(t, err)
	require.Contains(t, attributes, "msg")
	require.Contains(t, attributes, "sigs")
}
