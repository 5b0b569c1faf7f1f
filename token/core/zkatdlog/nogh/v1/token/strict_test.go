package token_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestValuesHave64Bits: 2⁶⁴ is the first out of range.
func TestValuesHave64Bits(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	most := ^uint64(0)
	v, err := token.Opening{Value: g.Uint64(most)}.Uint64(g)
	require.NoError(t, err)
	require.Equal(t, most, v)
	value := g.Uint64(most)
	for _, more := range []uint64{1, 1 << 32, most} { // 2⁶⁴ first
		value = g.Add(value, g.Uint64(more))
		_, err = token.Opening{Value: value}.Uint64(g)
		require.ErrorIs(t, err, token.ErrRange)
	}
	value = g.Uint64(1)
	for range 190 {
		value = g.Add(value, value)
		v, err := token.Opening{Value: value}.Uint64(g)
		require.Equal(t, err == nil, v != 0)
	}
}

// TestOpeningsEndWithTheirIssuer: a further field of the issuer is refused.
func TestOpeningsEndWithTheirIssuer(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	o := token.Opening{Type: "EUR", Value: g.Uint64(1), Blinding: g.Uint64(2), Issuer: []byte("bank")}
	kind, content, err := wire.Typed("test", o.Encode(g))
	require.NoError(t, err)
	o.Issuer = nil
	_, short, err := wire.Typed("test", o.Encode(g))
	require.NoError(t, err)
	empty := wire.AppendMessage(nil, 4, func(dst []byte) []byte { return dst })
	longer := wire.AppendMessage(nil, 4, func(dst []byte) []byte {
		return wire.AppendBytes(wire.AppendBytes(dst, 1, "bank"), 2, "more")
	})
	require.Equal(t, empty, short[len(short)-len(empty):])
	_, err = token.DecodeOpening(g, wire.AppendTyped(nil, kind, content))
	require.NoError(t, err)
	_, err = token.DecodeOpening(g,
		wire.AppendTyped(nil, kind, append(short[:len(short)-len(empty)], longer...)))
	require.ErrorIs(t, err, wire.ErrNotCanonical)
}

// TestIdentifiersNameATransaction: the index may be 0, the transaction not empty.
func TestIdentifiersNameATransaction(t *testing.T) {
	for id, want := range map[token.ID]error{
		{TxID: "tx"}: nil, {TxID: "tx", Index: 1}: nil, {}: wire.ErrMissing, {Index: 1}: wire.ErrMissing,
	} {
		m := wire.NewMessage("test", id.AppendField(nil, 1))
		got := token.ReadID(&m, 1, "id")
		err := m.Done()
		require.ErrorIs(t, err, want)
		if want == nil {
			require.Equal(t, id, got)
		}
	}
}
