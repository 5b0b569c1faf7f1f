package token_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/pb"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

func TestParseQuantity(t *testing.T) {
	for _, c := range []struct {
		text string
		bits int
		want uint64
		err  error
	}{
		{"100", 64, 100, nil}, {"0x64", 64, 100, nil}, {"0o144", 64, 100, nil}, {"0144", 64, 100, nil},
		{"0b1100100", 64, 100, nil}, {"1_00", 64, 100, nil}, {"+5", 64, 5, nil}, {"0", 16, 0, nil},
		{"-0", 16, 0, nil},
		{"0xffff", 16, 65535, nil}, {"0x10000", 16, 0, token.ErrRange},
		{"18446744073709551615", 64, math.MaxUint64, nil}, {"18446744073709551616", 64, 0, token.ErrRange},
		{"-1", 64, 0, token.ErrRange},
		{"", 64, 0, token.ErrQuantity}, {"ten", 64, 0, token.ErrQuantity}, {"1e3", 64, 0, token.ErrQuantity},
		{"_1", 64, 0, token.ErrQuantity}, {"0x", 64, 0, token.ErrQuantity}, {" 1", 64, 0, token.ErrQuantity},
		{fmt.Sprintf("%0200d", 1), 64, 0, token.ErrQuantity},
	} {
		got, err := token.ParseQuantity(c.text, c.bits)
		require.ErrorIs(t, err, c.err, "%q", c.text)
		require.Equal(t, c.want, got, "%q", c.text)
	}
	require.Equal(t, "0x64", token.FormatQuantity(100))
	require.Equal(t, "0x0", token.FormatQuantity(0))
}

func TestClearFormOfAToken(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	owned := token.Token{Owner: []byte("owner")}
	clear, err := token.NewClear(g, owned, token.Opening{Type: "ABC", Value: g.Uint64(100)})
	require.NoError(t, err)
	require.Equal(t, token.Clear{Owner: []byte("owner"), Type: "ABC", Quantity: "0x64"}, clear)
	b, err := clear.Encode()
	require.NoError(t, err)
	again, err := token.DecodeClear(b)
	require.NoError(t, err)
	require.Equal(t, clear, again)

	_, err = token.NewClear(g, owned, token.Opening{Value: g.Neg(g.Uint64(1))})
	require.ErrorIs(t, err, token.ErrRange)
}

// TestTypedValuesAreOfTheirKind: an envelope of another kind is refused, with any
// its content.
func TestTypedValuesAreOfTheirKind(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	clear, err := token.Clear{Owner: []byte("o"), Type: "EUR", Quantity: "0x1"}.Encode()
	require.NoError(t, err)
	opening := token.Opening{Type: "EUR", Value: g.Uint64(1), Blinding: g.Uint64(2)}.Encode(g)
	kindOf := func(b []byte) (int, []byte) {
		kind, content, err := wire.Typed("test", b)
		require.NoError(t, err)
		return kind, content
	}
	ofClear, clearContent := kindOf(clear)
	ofOpening, openingContent := kindOf(opening)
	_, err = token.DecodeClear(wire.AppendTyped(nil, ofClear, []byte("?")))
	require.ErrorIs(t, err, wire.ErrMalformed)
	for kind := range 6 {
		_, err := token.DecodeClear(wire.AppendTyped(nil, kind, clearContent))
		if kind == ofClear {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, token.ErrKind, "clear token as kind %d", kind)
		}
		_, err = token.DecodeOpening(g, wire.AppendTyped(nil, kind, openingContent))
		if kind == ofOpening {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, token.ErrKind, "opening as kind %d", kind)
		}
	}
}

// TestHiddenTokensOfBothProtocols: the envelope keeps the protocol of a token.
func TestHiddenTokensOfBothProtocols(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	clear, err := token.Clear{Owner: []byte("o"), Type: "EUR", Quantity: "0x1"}.Encode()
	require.NoError(t, err)
	require.False(t, token.IsHidden(clear))
	require.False(t, token.IsHidden(nil))
	for _, isV2 := range []bool{false, true} {
		tok := token.Token{Owner: []byte("o"), Data: g.Generator(), V2: isV2}
		b := tok.Encode(g)
		require.True(t, token.IsHidden(b))
		again, err := token.Decode(g, b)
		require.NoError(t, err)
		require.Equal(t, tok, again)
	}
}

// TestTokensAsFields: a field with a token follows the bytes before it, and is read again.
func TestTokensAsFields(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	tok := token.Token{Owner: []byte("o"), Data: g.Generator()}
	before := wire.AppendUint(nil, 1, 7)
	m := wire.NewMessage("test", tok.AppendField(before, 2, g))
	require.Equal(t, uint64(7), m.Uint(1, "number", 9))
	var again token.Token
	again.ReadField(&m, 2, "token", wire.OneByOne(g))
	require.NoError(t, m.Done())
	require.Equal(t, tok, again)
}

// TestTypesAreWhole: types that differ in one character anywhere are different
// scalars.
func TestTypesAreWhole(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	seen := map[group.Scalar]string{}
	for _, typ := range []string{"", "E", "EU", "EUR", "EURA", "EURB", "EUR ", "eur",
		strings.Repeat("x", 100), strings.Repeat("x", 101)} {
		s := token.TypeScalar(g, typ)
		require.NotContains(t, seen, s, typ)
		seen[s] = typ
	}
}

func TestMalformedTokens(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	data := func(raw []byte) pb.Fields { return pb.Fields{"raw": raw} }
	encode := func(kind int, f pb.Fields) []byte {
		b, err := pb.Encode("Token", f)
		require.NoError(t, err)
		return wire.AppendTyped(nil, kind, b)
	}
	good := pb.Fields{"owner": []byte("o"), "data": data(wire.AppendJSONPoint(nil, g, g.Generator()))}
	_, err := token.Decode(g, encode(2, good))
	require.NoError(t, err)
	for name, c := range map[string]struct {
		b    []byte
		want error
	}{
		"clear token":  {encode(1, good), token.ErrKind},
		"unknown kind": {encode(200, good), token.ErrKind},
		"no data":      {encode(2, pb.Fields{"owner": []byte("o")}), wire.ErrMissing},
		"empty data":   {encode(2, pb.Fields{"data": pb.Fields{}}), wire.ErrMissing},
		"not JSON": {encode(2, pb.Fields{"data": data(g.AppendPoint(nil, g.Generator()))}),
			wire.ErrMalformed},
		"other curve": {encode(2, pb.Fields{"data": data([]byte(`{"curve":7,"element":""}`))}),
			wire.ErrWrongCurve},
		"bytes after it": {append(encode(2, good), 0), wire.ErrTrailing},
		"nothing":        {nil, wire.ErrMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			tok, err := token.Decode(g, c.b)
			require.ErrorIs(t, err, c.want)
			require.Zero(t, tok)
			var bad *wire.DecodeError
			require.ErrorAs(t, err, &bad)
		})
	}
}

// TestOpens says of each token whether its opening is right. A key without a group does not
// open any token.
func TestOpens(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	k := pedersen.NewKey(g,
		[3]group.Point{g.HashToPoint([]byte("g0")), g.HashToPoint([]byte("g1")), g.HashToPoint([]byte("h"))})
	var openings []token.Opening
	var tokens []token.Token
	right := make([]bool, 20)
	for i := range uint64(len(right)) {
		openings = append(openings, token.Opening{Type: "EUR", Value: g.Uint64(i), Blinding: g.Uint64(i + 5)})
		tokens = append(tokens, token.Token{Data: token.Commit(k, "EUR", i, g.Uint64(i+5))})
		right[i] = true
	}
	require.Equal(t, right, token.Opens(k, openings, tokens))
	for i := range openings { // one is wrong, at every place
		for _, wrong := range []token.Opening{{Type: "USD", Value: openings[i].Value,
			Blinding: openings[i].Blinding}, {Type: "EUR", Value: openings[i].Value}} {
			list, want := slices.Clone(openings), slices.Clone(right)
			list[i], want[i] = wrong, false
			require.Equal(t, want, token.Opens(k, list, tokens))
		}
	}
	require.Equal(t, make([]bool, len(right)), token.Opens(new(pedersen.Key), openings, tokens))
	require.Empty(t, token.Opens(k, nil, nil))
}
