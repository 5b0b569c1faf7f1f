package audit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

func made(t *testing.T, bits int, kind string) (*fixture.Network, *v1.Part) {
	t.Helper()
	n, err := fixture.NewNetwork(fixture.Config{Group: vectors.Curve(t, "BN254"), Bits: bits, TableBytes: 1})
	require.NoError(t, err)
	parts, err := n.Parts(fixture.Shape{Kind: kind, Inputs: 2, Outputs: 1}, 1)
	require.NoError(t, err)
	return n, parts[0]
}

func endorsed(t *testing.T, n *fixture.Network, p *v1.Part) error {
	t.Helper()
	a, err := v1.Assemble("tx", p)
	require.NoError(t, err)
	return a.Endorse(n.Audit(), n.Auditor)
}

// TestValuesOutsideTheRangeAreNotSigned: openings that are right, of values that
// the range proof could not be about.
func TestValuesOutsideTheRangeAreNotSigned(t *testing.T) {
	n, p := made(t, 16, "issues")
	require.NoError(t, endorsed(t, n, p))
	g, k := n.Params.Group(), n.Params.Pedersen()
	a, err := issue.Decode(g, p.Action.Raw, token.DefaultLimits)
	require.NoError(t, err)
	o := p.Openings[0]
	for _, excess := range []struct {
		name string
		add  uint64
	}{{"by one", 1}, {"by the range", 1 << 16}} {
		v := g.Add(g.Uint64(n.Params.MaxValue()), g.Uint64(excess.add))
		over := token.Opening{Type: o.Type, Value: v, Blinding: o.Blinding, Issuer: o.Issuer}
		a.Outputs[0].Data = k.Commit(token.TypeScalar(g, o.Type), v, o.Blinding)
		p.Action.Raw = a.Encode(g)
		p.Metadata.Outputs[0].Opening = over.Encode(g)
		require.ErrorIs(t, endorsed(t, n, p), audit.ErrRange, excess.name)
	}
	negative := g.Neg(g.Uint64(1))
	a.Outputs[0].Data = k.Commit(token.TypeScalar(g, o.Type), negative, o.Blinding)
	p.Action.Raw = a.Encode(g)
	p.Metadata.Outputs[0].Opening = token.Opening{Type: o.Type, Value: negative, Blinding: o.Blinding,
		Issuer: o.Issuer}.Encode(g)
	require.ErrorIs(t, endorsed(t, n, p), audit.ErrRange, "negative")
}

// TestSumsDoNotOverflow: known inputs with a sum above the largest value.
func TestSumsDoNotOverflow(t *testing.T) {
	for _, bits := range []int{16, 64} {
		n, p := made(t, bits, "transfers")
		require.NoError(t, endorsed(t, n, p))
		for id, clear := range p.Inputs {
			clear.Quantity = token.FormatQuantity(n.Params.MaxValue())
			p.Inputs[id] = clear
		}
		require.ErrorIs(t, endorsed(t, n, p), audit.ErrRange, bits)
	}
}

// TestOutputsHaveOneType: each output in turn is a token of another type, with
// the opening that fits.
func TestOutputsHaveOneType(t *testing.T) {
	n, _ := made(t, 16, "transfers")
	g := n.Params.Group()
	for other := range 2 {
		parts, err := n.Parts(fixture.Shape{Kind: "transfers", Inputs: 1, Outputs: 2}, 1)
		require.NoError(t, err)
		p := parts[0]
		require.NoError(t, endorsed(t, n, p))
		a, err := transfer.Decode(g, p.Action.Raw, token.DefaultLimits)
		require.NoError(t, err)
		o := p.Openings[other]
		o.Type = "other"
		a.Outputs[other].Data = n.Params.Pedersen().Commit(token.TypeScalar(g, o.Type), o.Value, o.Blinding)
		p.Action.Raw = a.Encode(g)
		p.Metadata.Outputs[other].Opening = o.Encode(g)
		require.ErrorIs(t, endorsed(t, n, p), audit.ErrTypes, other)
	}
}
