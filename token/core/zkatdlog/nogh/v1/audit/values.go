package audit

import (
	"bytes"
	"math/bits"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
)

// outputs opens all outputs: one type, values in the range, and owners who are
// who the metadata says. issuer is the issuer of an issue, nil for transfers.
func (c *check) outputs(outputs []token.Token, issuer []byte) error {
	if len(c.md.Outputs) != len(outputs) {
		return ErrOutputs
	}
	for j, out := range outputs {
		err := c.item("output", j, func() error {
			clear, err := c.open(out, c.md.Outputs[j], issuer)
			if err == nil && j > 0 && clear.Type != c.out.Type {
				err = ErrTypes
			}
			c.out.Type = clear.Type
			c.out.Outputs = append(c.out.Outputs, clear)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// open returns one output in the clear. It puts off to compare it with its
// commitment.
func (c *check) open(out token.Token, md request.OutputMetadata, issuer []byte) (token.Clear, error) {
	g := c.params.Group()
	o, err := token.DecodeOpening(g, md.Opening)
	if err != nil {
		return token.Clear{}, err
	}
	c.later.open(o, out)
	if !c.openedBy(o.Issuer, issuer) {
		return token.Clear{}, ErrIssuer
	}
	if v, err := o.Uint64(g); err != nil || v > c.params.MaxValue() {
		return token.Clear{}, ErrRange
	}
	if err := c.owner(out, md); err != nil {
		return token.Clear{}, err
	}
	return token.NewClear(g, out, o)
}

// openedBy reports whether an opening may name the issuer got in an action of
// issuer want, nil for transfers.
func (c *check) openedBy(got, want []byte) bool {
	switch c.o.Follow {
	case request.V0_14:
		return true
	case request.V0_15, request.V714a6b46:
		return (len(got) > 0) == (want != nil)
	}
	return bytes.Equal(got, want)
}

// conserved: the known inputs have one type, the type of the outputs, and
// the same total.
func (c *check) conserved() error {
	in, err := c.total(c.out.Inputs)
	if err != nil {
		return err
	}
	for _, clear := range c.out.Inputs {
		if clear.Type != c.out.Inputs[0].Type {
			return ErrTypes
		}
	}
	if c.o.Follow != request.Strict {
		return nil
	}
	if c.out.Inputs[0].Type != c.out.Type {
		return ErrTypes
	}
	out, err := c.total(c.out.Outputs)
	if err != nil {
		return ErrSum
	}
	if sum, carry := bits.Add64(out, c.out.Redeem, 0); carry != 0 || sum != in {
		return ErrSum
	}
	return nil
}

// total adds quantities; the sum must be in the range too.
func (c *check) total(tokens []token.Clear) (sum uint64, err error) {
	for _, t := range tokens {
		v, err := token.ParseQuantity(t.Quantity, c.params.Bits())
		if err != nil {
			return sum, err
		}
		var carry uint64
		sum, carry = bits.Add64(sum, v, 0)
		if carry != 0 || sum > c.params.MaxValue() {
			return sum, ErrRange
		}
	}
	return sum, nil
}
