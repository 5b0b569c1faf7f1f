package token

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strconv"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Clear is a token in clear form (section 16). An auditor knows hidden tokens
// in this form, too.
type Clear struct {
	Owner    []byte `json:"owner"`
	Type     string `json:"type"`
	Quantity string `json:"quantity"`
}

// NewClear returns the clear form of t, which o opens. The error is ErrRange if
// the value has more than 64 bits.
func NewClear(g group.Codec, t Token, o Opening) (Clear, error) {
	v, err := o.Uint64(g)
	return Clear{Owner: t.Owner, Type: o.Type, Quantity: FormatQuantity(v)}, err
}

// FormatQuantity formats a value as in clear tokens, "0x64".
func FormatQuantity(v uint64) string { return "0x" + strconv.FormatUint(v, 16) }

// maxQuantity bounds the text of a quantity: 64 binary digits with
// underscores between them, a prefix and a sign.
const maxQuantity = 160

// ParseQuantity parses a quantity of at most bits ≤ 64 bits in the syntax of
// big.Int with base 0: decimal, 0x, 0o or 0, 0b, with underscores. The error is
// ErrQuantity or ErrRange.
func ParseQuantity(text string, bits int) (uint64, error) {
	if len(text) > maxQuantity {
		return 0, wire.Name("clear token").Bad("quantity", ErrQuantity)
	}
	v, ok := new(big.Int).SetString(text, 0)
	switch {
	case !ok:
		return 0, wire.Name("clear token").Bad("quantity", ErrQuantity)
	case v.Sign() < 0 || v.BitLen() > bits:
		return 0, wire.Name("clear token").Bad("quantity", ErrRange)
	}
	return v.Uint64(), nil
}

// Encode returns the typed clear token.
func (c Clear) Encode() ([]byte, error) {
	text, err := json.Marshal(c)
	return wire.AppendTyped(nil, kindClear, text), err
}

// DecodeClear reads a typed clear token. Errors are *wire.DecodeError.
func DecodeClear(b []byte) (Clear, error) {
	const messageName wire.Name = "clear token"
	content, err := typed(messageName, b, kindClear)
	if err != nil {
		return Clear{}, err
	}
	var c Clear
	if err := json.Unmarshal(content, &c); err != nil {
		return Clear{}, messageName.Bad("JSON", wire.ErrMalformed)
	}
	if again, err := json.Marshal(c); err != nil || !bytes.Equal(again, content) {
		return Clear{}, messageName.Bad("JSON", wire.ErrNotCanonical)
	}
	return c, nil
}
