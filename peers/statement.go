package main

import (
	"fmt"

	"github.com/consensys/gnark-crypto/ecc/twistededwards"
	"github.com/consensys/gnark/frontend"
	edwards "github.com/consensys/gnark/std/algebra/native/twistededwards"
	"github.com/consensys/gnark/std/hash/poseidon2"
)

// Numbers of the statement: a transfer of two tokens into two.
const (
	inputs  = 2
	outputs = 2
	bits    = 64
)

// hashed is the transfer with tokens H(type, value, blinding), where H is Poseidon2
// in the Merkle-Damgård construction of the library, with its default parameters.
type hashed struct {
	Tokens    [inputs + outputs]frontend.Variable `gnark:",public"`
	Type      frontend.Variable
	Values    [inputs + outputs]frontend.Variable
	Blindings [inputs + outputs]frontend.Variable
}

// Define implements frontend.Circuit.
func (c *hashed) Define(api frontend.API) error {
	for i, token := range c.Tokens {
		h, err := poseidon2.New(api)
		if err != nil {
			return fmt.Errorf("peers: %w", err)
		}
		h.Write(c.Type, c.Values[i], c.Blindings[i])
		api.AssertIsEqual(h.Sum(), token)
	}
	balanced(api, c.Values)
	return nil
}

// balanced says that outputs are in range, and that their sum equals the sum of the
// inputs. Inputs were outputs once, so they are in range, and sums of so few
// values of 64 bits do not wrap around the field.
func balanced(api frontend.API, values [inputs + outputs]frontend.Variable) {
	in := api.Add(values[0], values[1])
	out := api.Add(values[2], values[3])
	for _, v := range values[inputs:] {
		api.ToBinary(v, bits)
	}
	api.AssertIsEqual(in, out)
}

// committed is the transfer with Pedersen commitments t·G₀ + v·G₁ + r·G₂ on the
// twisted Edwards curve over the scalar field: the tokens of v1 and v2, on a curve
// on which a circuit can compute.
type committed struct {
	Tokens    [inputs + outputs]edwards.Point `gnark:",public"`
	Type      frontend.Variable
	Values    [inputs + outputs]frontend.Variable
	Blindings [inputs + outputs]frontend.Variable

	curve twistededwards.ID `gnark:"-"`
	bases [3]edwards.Point  `gnark:"-"`
}

// Define implements frontend.Circuit.
func (c *committed) Define(api frontend.API) error {
	curve, err := edwards.NewEdCurve(api, c.curve)
	if err != nil {
		return fmt.Errorf("peers: %w", err)
	}
	shared := curve.ScalarMul(c.bases[0], c.Type)
	for i, token := range c.Tokens {
		own := curve.DoubleBaseScalarMul(c.bases[1], c.bases[2], c.Values[i], c.Blindings[i])
		sum := curve.Add(shared, own)
		api.AssertIsEqual(sum.X, token.X)
		api.AssertIsEqual(sum.Y, token.Y)
	}
	balanced(api, c.Values)
	return nil
}
