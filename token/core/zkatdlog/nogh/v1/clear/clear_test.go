package clear_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/clear"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
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
		"balanced":        {[]token.Clear{coin("a", "EUR", 3), coin("b", "EUR", 4)}, []token.Clear{coin("c", "EUR", 7)}, 16, nil},
		"redeemed":        {[]token.Clear{coin("a", "EUR", 3)}, []token.Clear{coin("", "EUR", 3)}, 16, nil},
		"issue":           {nil, []token.Clear{coin("a", "EUR", 3), coin("a", "EUR", 0)}, 16, nil},
		"more":            {[]token.Clear{coin("a", "EUR", 3)}, []token.Clear{coin("c", "EUR", 4)}, 16, clear.ErrSum},
		"less":            {[]token.Clear{coin("a", "EUR", 3)}, []token.Clear{coin("c", "EUR", 2)}, 16, clear.ErrSum},
		"other type":      {[]token.Clear{coin("a", "EUR", 3)}, []token.Clear{coin("c", "USD", 3)}, 16, clear.ErrTypes},
		"two types":       {nil, []token.Clear{coin("c", "USD", 3), coin("c", "EUR", 3)}, 16, clear.ErrTypes},
		"beyond 16 bits":  {nil, []token.Clear{coin("c", "EUR", 1<<16)}, 16, token.ErrRange},
		"modulo 2^64":     {[]token.Clear{coin("a", "EUR", most), coin("a", "EUR", 4)}, []token.Clear{coin("c", "EUR", 3)}, 64, clear.ErrSum},
		"beyond 64 bits":  {[]token.Clear{coin("a", "EUR", most), coin("a", "EUR", most)}, []token.Clear{coin("c", "EUR", most), coin("c", "EUR", most)}, 64, nil},
		"not a quantity":  {nil, []token.Clear{{Owner: []byte("c"), Type: "EUR", Quantity: "many"}}, 16, token.ErrQuantity},
		"input too large": {[]token.Clear{coin("a", "EUR", 1<<16)}, []token.Clear{coin("c", "EUR", 1)}, 16, token.ErrRange},
	} {
		a := &clear.Action{Outputs: c.out}
		for _, in := range c.in {
			a.Inputs = append(a.Inputs, spent(in))
		}
		require.ErrorIs(t, a.Verify(c.bits), c.want, name)
	}
}

func FuzzDecode(f *testing.F) {
	a := clear.Action{
		Inputs: []clear.Input{spent(coin("a", "EUR", 3))}, Outputs: []token.Clear{coin("", "EUR", 1), coin("b", "EUR", 2)},
		Metadata: map[string][]byte{"pub.a": []byte("1")}, Issuer: []byte("issuer"),
	}
	issue := clear.Action{Outputs: a.Outputs, Issuer: a.Issuer}
	vectors.FuzzDecoder(f, [][]byte{a.Encode(), issue.Encode(), nil, []byte("?")}, func(b []byte) ([]byte, error) {
		a, err := clear.Decode(b, transfer.DefaultLimits)
		if err != nil {
			return nil, err
		}
		if len(a.Metadata) > 1 { // entries are accepted in any order
			return b, nil
		}
		return a.Encode(), nil
	})
}
