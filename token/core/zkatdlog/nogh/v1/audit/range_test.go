package audit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
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
	p.Metadata.Outputs[0].Opening = token.Opening{Type: o.Type, Value: negative, Blinding: o.Blinding, Issuer: o.Issuer}.Encode(g)
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

// TestSumsAreEqual: known inputs with more and with less value than the outputs.
func TestSumsAreEqual(t *testing.T) {
	n, p := made(t, 16, "transfers")
	for _, by := range []int64{-1, 0, 1} {
		id := p.Metadata.Inputs[0].ID
		honest := p.Inputs[id]
		v, err := token.ParseQuantity(honest.Quantity, n.Params.Bits())
		require.NoError(t, err)
		known := honest
		known.Quantity = token.FormatQuantity(v + uint64(by))
		p.Inputs[id] = known
		if by == 0 {
			require.NoError(t, endorsed(t, n, p))
		} else {
			require.ErrorIs(t, endorsed(t, n, p), audit.ErrSum, by)
		}
		p.Inputs[id] = honest
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

// TestTokensOfAllActionsAreBounded: inputs and outputs have the bounds of
// a request, not of an action.
func TestTokensOfAllActionsAreBounded(t *testing.T) {
	n, _ := made(t, 16, "transfers")
	for _, kind := range []string{"swaps", "issues"} {
		shape := fixture.Shape{Kind: kind, Inputs: 2, Outputs: 3}
		parts, err := n.Parts(shape, 1)
		require.NoError(t, err)
		if kind == "issues" {
			more, err := n.Parts(shape, 2)
			require.NoError(t, err)
			parts = append(parts, more...)
		}
		a, err := v1.Assemble("tx", parts...)
		require.NoError(t, err)
		for _, c := range []struct {
			inputs, outputs int
			want            error
		}{{4, 6, nil}, {4, 5, wire.ErrTooLarge}, {3, 6, wire.ErrTooLarge}} {
			if kind == "issues" && c.inputs < 4 {
				continue // issues are without inputs
			}
			limits := request.DefaultLimits
			limits.Tokens.Inputs, limits.Tokens.Outputs = c.inputs, c.outputs
			_, err = audit.New(n.Params, audit.Options{Limits: limits}).Check(a.AuditRequest())
			require.ErrorIs(t, err, c.want, "%s: %d inputs, %d outputs", kind, c.inputs, c.outputs)
		}
	}
}

// TestPartiesOfWideTransfers: the result of an audit has the owner of each of ten inputs
// and outputs.
func TestPartiesOfWideTransfers(t *testing.T) {
	n, _ := made(t, 16, "transfers")
	parts, err := n.Parts(fixture.Shape{Kind: "transfers", Inputs: 10, Outputs: 10}, 1)
	require.NoError(t, err)
	a, err := v1.Assemble("tx", parts...)
	require.NoError(t, err)
	audited, err := audit.New(n.Params, audit.Options{}).Check(a.AuditRequest())
	require.NoError(t, err)
	action, err := transfer.Decode(n.Params.Group(), a.Request.Actions[0].Raw, token.DefaultLimits)
	require.NoError(t, err)
	var senders, receivers [][]byte
	for i := range 10 {
		senders, receivers = append(senders, action.Inputs[i].Token.Owner), append(receivers, action.Outputs[i].Owner)
	}
	require.Equal(t, senders, audited.Actions[0].Senders)
	require.Equal(t, receivers, audited.Actions[0].Receivers)
}
