package audit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

func made(t *testing.T, kind string) (*fixture.Network, *v1.Part) {
	t.Helper()
	n := networktest.New(t, fixture.Config{})
	return n, networktest.Parts(t, n, kind, 2, 1, 1)[0]
}

func endorsed(t *testing.T, n *fixture.Network, p *v1.Part) error {
	t.Helper()
	return networktest.Assemble(t, p).Endorse(n.Audit(), n.Auditor)
}

// TestNegativeValuesAreNotSigned, with a right opening. TestEveryTokenIsAudited in package
// v1 has values above the range.
func TestNegativeValuesAreNotSigned(t *testing.T) {
	n, p := made(t, "issues")
	require.NoError(t, endorsed(t, n, p))
	g, o := n.Params.Group(), p.Openings[0]
	o.Value = g.Neg(g.Uint64(1))
	networktest.EditIssue(t, n, p, func(a *issue.Action) {
		a.Outputs[0].Data = n.Params.Pedersen().Commit(token.TypeScalar(g, o.Type), o.Value, o.Blinding)
	})
	p.Metadata.Outputs[0].Opening = o.Encode(g)
	require.ErrorIs(t, endorsed(t, n, p), audit.ErrRange)
}

// TestSumsAreInTheRange: known inputs with a sum above the largest value.
func TestSumsAreInTheRange(t *testing.T) {
	n, p := made(t, "transfers")
	require.NoError(t, endorsed(t, n, p))
	for id, clear := range p.Inputs {
		clear.Quantity = token.FormatQuantity(n.Params.MaxValue())
		p.Inputs[id] = clear
	}
	require.ErrorIs(t, endorsed(t, n, p), audit.ErrRange)
}
