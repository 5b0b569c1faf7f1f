package clear_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/clear"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

func coin(owner, kind string, v uint64) token.Clear {
	return token.Clear{Owner: []byte(owner), Type: kind, Quantity: token.FormatQuantity(v)}
}

func spent(t token.Clear) clear.Input {
	return clear.Input{ID: token.ID{TxID: "tx", Index: 1}, Token: t}
}

// TestVerify: types, ranges and sums.
func TestVerify(t *testing.T) {
	const most = 1<<64 - 1
	for name, c := range map[string]struct {
		in, out []token.Clear
		bits    int
		want    error
	}{
		"balanced": {[]token.Clear{coin("a", "EUR", 3), coin("b", "EUR", 4)},
			[]token.Clear{coin("c", "EUR", 7)}, 16, nil},
		"redeemed": {[]token.Clear{coin("a", "EUR", 3)}, []token.Clear{coin("", "EUR", 3)}, 16, nil},
		"issue":    {nil, []token.Clear{coin("a", "EUR", 3), coin("a", "EUR", 0)}, 16, nil},
		"more": {[]token.Clear{coin("a", "EUR", 3)}, []token.Clear{coin("c", "EUR", 4)}, 16,
			clear.ErrSum},
		"less": {[]token.Clear{coin("a", "EUR", 3)}, []token.Clear{coin("c", "EUR", 2)}, 16,
			clear.ErrSum},
		"other type": {[]token.Clear{coin("a", "EUR", 3)}, []token.Clear{coin("c", "USD", 3)}, 16,
			clear.ErrTypes},
		"two types":      {nil, []token.Clear{coin("c", "USD", 3), coin("c", "EUR", 3)}, 16, clear.ErrTypes},
		"beyond 16 bits": {nil, []token.Clear{coin("c", "EUR", 1<<16)}, 16, token.ErrRange},
		"modulo 2^64": {[]token.Clear{coin("a", "EUR", most), coin("a", "EUR", 4)},
			[]token.Clear{coin("c", "EUR", 3)}, 64, clear.ErrSum},
		"beyond 64 bits": {[]token.Clear{coin("a", "EUR", most), coin("a", "EUR", most)},
			[]token.Clear{coin("c", "EUR", most), coin("c", "EUR", most)}, 64, nil},
		"not a quantity": {nil, []token.Clear{{Owner: []byte("c"), Type: "EUR", Quantity: "many"}}, 16,
			token.ErrQuantity},
		"input too large": {[]token.Clear{coin("a", "EUR", 1<<16)}, []token.Clear{coin("c", "EUR", 1)}, 16,
			token.ErrRange},
	} {
		t.Run(name, func(t *testing.T) {
			a := &clear.Action{Outputs: c.out}
			for _, in := range c.in {
				a.Inputs = append(a.Inputs, spent(in))
			}
			require.ErrorIs(t, a.Verify(c.bits), c.want)
		})
	}
}

// everything is an action with each field.
func everything() clear.Action {
	return clear.Action{
		Inputs:   []clear.Input{spent(coin("a", "EUR", 3))},
		Outputs:  []token.Clear{coin("", "EUR", 1), coin("b", "EUR", 2)},
		Metadata: map[string][]byte{"pub.a": []byte("1")}, Issuer: []byte("issuer"),
	}
}

// TestDecodeRefuses actions with a missing part, or with more entries than the limits.
func TestDecodeRefuses(t *testing.T) {
	a := everything()
	a.Inputs = append(a.Inputs, a.Inputs[0])
	a.Metadata["pub.b"] = nil
	limits := token.Limits{Inputs: 2, Outputs: 2, Metadata: 2}
	for i, lower := range []func(l *token.Limits){func(l *token.Limits) { l.Inputs-- },
		func(l *token.Limits) { l.Outputs-- }, func(l *token.Limits) { l.Metadata-- }} {
		lowered := limits
		lower(&lowered)
		_, err := clear.Decode(a.Encode(), lowered)
		require.ErrorIs(t, err, wire.ErrTooLarge, i)
	}
	for name, c := range map[string]struct {
		edit func(a *clear.Action)
		want error
	}{
		"as it is":              {func(*clear.Action) {}, nil},
		"no outputs":            {func(a *clear.Action) { a.Outputs = nil }, wire.ErrMissing},
		"no inputs":             {func(a *clear.Action) { a.Inputs = nil }, nil},
		"input without owner":   {func(a *clear.Action) { a.Inputs[1].Token.Owner = nil }, wire.ErrMissing},
		"input without type":    {func(a *clear.Action) { a.Inputs[1].Token.Type = "" }, wire.ErrMissing},
		"input without name":    {func(a *clear.Action) { a.Inputs[1].ID.TxID = "" }, wire.ErrMissing},
		"output without type":   {func(a *clear.Action) { a.Outputs[1].Type = "" }, wire.ErrMissing},
		"output without number": {func(a *clear.Action) { a.Outputs[1].Quantity = "" }, wire.ErrMissing},
		"output without owner":  {func(a *clear.Action) { a.Outputs[1].Owner = nil }, nil},
		"without issuer":        {func(a *clear.Action) { a.Issuer = nil }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			changed := a
			changed.Inputs, changed.Outputs = slices.Clone(a.Inputs), slices.Clone(a.Outputs)
			c.edit(&changed)
			got, err := clear.Decode(changed.Encode(), limits)
			require.ErrorIs(t, err, c.want)
			if c.want == nil {
				require.Equal(t, changed.Encode(), got.Encode())
			}
		})
	}
	other := a.Encode()
	require.Equal(t, []byte{1 << 3, 1}, other[:2])
	other[1] = 2
	_, err := clear.Decode(other, limits)
	require.ErrorIs(t, err, wire.ErrTooLarge, "version 2")
}

// TestErrorsOfVerifyNameTheToken: the first input or output of another type or range.
func TestErrorsOfVerifyNameTheToken(t *testing.T) {
	for want, a := range map[string]clear.Action{
		"input 1: " + clear.ErrTypes.Error(): {
			Inputs:  []clear.Input{spent(coin("a", "EUR", 1)), spent(coin("a", "USD", 1))},
			Outputs: []token.Clear{coin("b", "EUR", 2)},
		},
		"output 1: " + clear.ErrTypes.Error(): {
			Inputs:  []clear.Input{spent(coin("a", "EUR", 1))},
			Outputs: []token.Clear{coin("b", "EUR", 1), coin("b", "USD", 0)},
		},
	} {
		t.Run(want, func(t *testing.T) {
			require.EqualError(t, a.Verify(16), want)
		})
	}
	for at := range 12 { // at every place
		right := func() clear.Action {
			return clear.Action{
				Inputs:  slices.Repeat([]clear.Input{spent(coin("a", "EUR", 1))}, 12),
				Outputs: slices.Repeat([]token.Clear{coin("b", "EUR", 1)}, 12),
			}
		}
		a := right()
		require.NoError(t, a.Verify(16))
		a.Inputs[at].Token.Type = "USD"
		require.ErrorIs(t, a.Verify(16), clear.ErrTypes)
		a = right()
		a.Inputs[at].Token = coin("a", "EUR", 2)
		require.ErrorIs(t, a.Verify(16), clear.ErrSum)
		a = right()
		a.Outputs[at] = coin("b", "EUR", 2)
		require.ErrorIs(t, a.Verify(16), clear.ErrSum)
		a = right()
		a.Outputs[at].Quantity = "?"
		require.Error(t, a.Verify(16))
	}
}

func FuzzDecode(f *testing.F) {
	a := everything()
	issue := clear.Action{Outputs: a.Outputs, Issuer: a.Issuer}
	vectors.FuzzDecoder(f, [][]byte{a.Encode(), issue.Encode(), nil, []byte("?")},
		func(b []byte) ([]byte, error) {
			a, err := clear.Decode(b, token.DefaultLimits)
			if err != nil {
				return nil, err
			}
			if len(a.Metadata) > 1 { // entries are accepted in any order
				return b, nil
			}
			return a.Encode(), nil
		})
}
