package token

import (
	"cmp"
	"fmt"
	"io"
)

// Receive is a token to create. Without Owner it is redeemed, in a transfer.
type Receive struct {
	Owner []byte
	Value uint64
}

// Format implements fmt.Formatter for every verb and writes no secrets.
func (Receive) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "token to create") }

// Limits bound an action before any curve work.
type Limits struct {
	Inputs, Outputs, Metadata int
}

// DefaultLimits are the default limits of requests.
var DefaultLimits = Limits{Inputs: 64, Outputs: 64, Metadata: 64}

// WithDefaults returns l with each zero field replaced by the field of DefaultLimits.
func (l Limits) WithDefaults() Limits {
	d := DefaultLimits
	return Limits{
		Inputs: cmp.Or(l.Inputs, d.Inputs), Outputs: cmp.Or(l.Outputs, d.Outputs),
		Metadata: cmp.Or(l.Metadata, d.Metadata),
	}
}

// Less returns the remaining limits on tokens after an action.
func (l Limits) Less(s Sizes) Limits {
	l.Inputs, l.Outputs = l.Inputs-s.Inputs, l.Outputs-s.Outputs
	return l
}

// Sizes are the sizes of one action that are limited.
type Sizes struct {
	Inputs, Outputs, Proof int
	Metadata               map[string][]byte
}
