package main

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"hash"
	"math/big"

	"github.com/consensys/gnark-crypto/ecc"
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381/fr/poseidon2"
	bn254 "github.com/consensys/gnark-crypto/ecc/bn254/fr/poseidon2"
	"github.com/consensys/gnark-crypto/ecc/twistededwards"
	"github.com/consensys/gnark/frontend"
	edwards "github.com/consensys/gnark/std/algebra/native/twistededwards"
)

// opening is the wallet's knowledge of the tokens of one transfer.
type opening struct {
	kind      *big.Int
	values    [inputs + outputs]*big.Int
	blindings [inputs + outputs]*big.Int
}

// newOpening draws a fresh transfer that balances. Blindings are below bound.
func newOpening(bound *big.Int) (o opening, err error) {
	draw := func(limit *big.Int) *big.Int {
		n, failed := rand.Int(rand.Reader, limit)
		if failed != nil {
			err = failed
			return new(big.Int)
		}
		return n
	}
	limit := new(big.Int).Lsh(big.NewInt(1), bits-1)
	o.kind = draw(new(big.Int).Lsh(big.NewInt(1), 128))
	for i := range o.blindings {
		o.blindings[i] = draw(bound)
	}
	o.values[0], o.values[1] = draw(limit), draw(limit)
	sum := new(big.Int).Add(o.values[0], o.values[1])
	o.values[2] = draw(limit)
	if o.values[2].Cmp(sum) > 0 {
		o.values[2].Set(sum)
	}
	o.values[3] = new(big.Int).Sub(sum, o.values[2])
	if err == nil && o.values[3].BitLen() > bits {
		err = fmt.Errorf("an output of %d bits", o.values[3].BitLen())
	}
	return o, err
}

// spoiled is the transfer with an output that is larger by one.
func (o opening) spoiled() opening {
	o.values[inputs] = new(big.Int).Add(o.values[inputs], big.NewInt(1))
	return o
}

func variables(in [inputs + outputs]*big.Int) (out [inputs + outputs]frontend.Variable) {
	for i := range in {
		out[i] = in[i]
	}
	return out
}

// hashedTokens is a kind of token: how a circuit states it, and a transfer of it.
func hashedTokens(curve ecc.ID) (tokens, error) {
	return tokens{new(hashed), curve.ScalarField(), func(o opening) frontend.Circuit {
		c := &hashed{Type: o.kind, Values: variables(o.values), Blindings: variables(o.blindings)}
		for i := range c.Tokens {
			c.Tokens[i] = poseidon(curve, o.kind, o.values[i], o.blindings[i])
		}
		return c
	}}, nil
}

func poseidon(curve ecc.ID, elements ...*big.Int) *big.Int {
	var h hash.Hash
	if curve == ecc.BN254 {
		h = bn254.NewMerkleDamgardHasher()
	} else {
		h = bls12381.NewMerkleDamgardHasher()
	}
	for _, e := range elements {
		h.Write(e.FillBytes(make([]byte, 32)))
	}
	return new(big.Int).SetBytes(h.Sum(nil))
}

// committedTokens are Pedersen commitments on the embedded curve.
func committedTokens(curve ecc.ID) (tokens, error) {
	var id twistededwards.ID
	switch curve {
	case ecc.BN254:
		id = twistededwards.BN254
	case ecc.BLS12_381:
		id = twistededwards.BLS12_381
	}
	params, err := edwards.GetCurveParams(id)
	if err != nil {
		return tokens{}, fmt.Errorf("peers: %w", err)
	}
	e := edwardsCurve{params, curve.ScalarField()}
	var native [3]point
	var bases [3]edwards.Point
	for i := range bases {
		native[i] = e.derive(fmt.Sprintf("zkatbench peers generator %d", i))
		bases[i] = native[i].constant()
	}
	return tokens{&committed{curve: id, bases: bases}, params.Order, func(o opening) frontend.Circuit {
		c := &committed{Type: o.kind, Values: variables(o.values), Blindings: variables(o.blindings)}
		for i := range c.Tokens {
			c.Tokens[i] = e.add(e.mul(native[0], o.kind),
				e.add(e.mul(native[1], o.values[i]), e.mul(native[2], o.blindings[i]))).constant()
		}
		return c
	}}, nil
}

// edwardsCurve is a·x² + y² = 1 + d·x²·y² over the integers modulo p. It prepares
// statements and is in no measured time.
type edwardsCurve struct {
	*edwards.CurveParams
	p *big.Int
}

type point struct{ x, y *big.Int }

func (p point) constant() edwards.Point { return edwards.Point{X: p.x, Y: p.y} }

func (e edwardsCurve) product(factors ...*big.Int) *big.Int {
	r := big.NewInt(1)
	for _, f := range factors {
		r.Mul(r, f).Mod(r, e.p)
	}
	return r
}

func (e edwardsCurve) quotient(a, b *big.Int) *big.Int {
	return e.product(a, new(big.Int).ModInverse(new(big.Int).Mod(b, e.p), e.p))
}

// add returns (x₁y₂ + y₁x₂)/(1 + k), (y₁y₂ − a·x₁x₂)/(1 − k), k = d·x₁x₂y₁y₂.
func (e edwardsCurve) add(p, q point) point {
	one := big.NewInt(1)
	k := e.product(e.D, p.x, q.x, p.y, q.y)
	x := new(big.Int).Add(e.product(p.x, q.y), e.product(p.y, q.x))
	y := new(big.Int).Sub(e.product(p.y, q.y), e.product(e.A, p.x, q.x))
	return point{e.quotient(x, new(big.Int).Add(one, k)), e.quotient(y, new(big.Int).Sub(one, k))}
}

func (e edwardsCurve) mul(p point, n *big.Int) point {
	r := point{new(big.Int), big.NewInt(1)}
	for i := n.BitLen() - 1; i >= 0; i-- {
		r = e.add(r, r)
		if n.Bit(i) == 1 {
			r = e.add(r, p)
		}
	}
	return r
}

// derive hashes a name to a y that is on the curve, and clears the cofactor.
func (e edwardsCurve) derive(name string) point {
	one := big.NewInt(1)
	for counter := 0; ; counter++ {
		digest := sha256.Sum256(fmt.Appendf(nil, "%s %d", name, counter))
		y := new(big.Int).Mod(new(big.Int).SetBytes(digest[:]), e.p)
		yy := e.product(y, y)
		xx := e.quotient(new(big.Int).Sub(one, yy), new(big.Int).Sub(e.A, e.product(e.D, yy)))
		x := new(big.Int).ModSqrt(xx, e.p)
		if x == nil {
			continue
		}
		if p := e.mul(point{x, y}, e.Cofactor); p.x.Sign() != 0 {
			return p
		}
	}
}
