package ps18 // weightBits is private: what VerifyBatch draws is cut into weights of this length

import (
	"bytes"
	"errors"
	"io"
	"math/big"
	"slices"
	"testing"

	"github.com/zkatbench/zkatbench/internal/bindtest"
	"github.com/zkatbench/zkatbench/scheme/ps18/curve"
)

// TestWeightsBind: each signature of a batch has its weight, in each of the sums. Weights
// are random numbers that are drawn after the batch is fixed, and not hashes.
func TestWeightsBind(t *testing.T) {
	c := onBN254(t)
	s := sign(t, c, 2, 1)
	v := bindtest.Verifier[Signed]{Order: c.Order(), Equations: 1}
	v.Claims = func(n int) (claims []*Signed) {
		for range n {
			sig := *s.sig
			claims = append(claims, &Signed{slices.Clone(s.messages), &sig})
		}
		return claims
	}
	seed := byte(0)
	v.Verify = func(claims []*Signed, held []bindtest.Draw) (refused []int, draws []bindtest.Draw) {
		batch := make([]Signed, len(claims))
		for i, claim := range claims {
			batch[i] = *claim
		}
		var known, drawn bytes.Buffer
		for _, d := range held {
			known.Write(d.Number.FillBytes(make([]byte, weightBits/8)))
		}
		seed++
		err := s.pk.VerifyBatch(batch, io.TeeReader(io.MultiReader(&known, stream(seed)), &drawn))
		if wrong := new(BatchError); errors.As(err, &wrong) {
			refused = wrong.Invalid
		}
		for b := range slices.Chunk(drawn.Bytes(), weightBits/8) {
			draws = append(draws, bindtest.Draw{Weight: true, Number: number(b)})
		}
		return refused, draws
	}
	addTo := func(name string, at func(s *Signed) **big.Int) {
		v.Terms = append(v.Terms, bindtest.Term[Signed]{
			Name: name, Base: name, Factor: func(*Signed) *big.Int { return one },
			Add: func(s *Signed, by *big.Int) {
				m := at(s)
				*m = new(big.Int).Mod(new(big.Int).Add(*m, by), c.Order())
			},
		})
	}
	addTo("m 0", func(s *Signed) **big.Int { return &s.Messages[0] })
	addTo("m 1", func(s *Signed) **big.Int { return &s.Messages[1] })
	addTo("m'", func(s *Signed) **big.Int { return &s.Signature.Prime })
	add := func(p curve.G1, by *big.Int) curve.G1 {
		return c.SumsG1([]curve.G1{p, c.GenG1()}, []*big.Int{one, by})[0]
	}
	v.Terms = append(v.Terms, bindtest.Term[Signed]{
		Name: "σ₂", Base: "the generator", Factor: func(*Signed) *big.Int { return one },
		Add: func(s *Signed, by *big.Int) { s.Signature.Sigma2 = add(s.Signature.Sigma2, by) },
	})
	for name, f := range forgeries(2) {
		v.Values = append(v.Values, bindtest.Value[Signed]{Name: name, Change: func(s *Signed) {
			lie := &forged{c: c, ms: s.Messages, sig: s.Signature}
			f.change(lie)
			s.Messages, s.Signature = lie.ms, lie.sig
		}})
	}
	v.Test(t)
}
