package main

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestSubroutines calls the parts of each multiplication on the registers that they
// get in the assembly. Between two parts, all registers that are not live are lost.
func TestSubroutines(t *testing.T) {
	for _, f := range fields {
		for _, m := range []*multiplication{productPlus, twoProducts, squareOf} {
			t.Run(f.name+"/"+m.name, func(t *testing.T) {
				rnd := rand.New(rand.NewPCG(5, 6))
				values, s := edges(f, f.coordinate(), rnd), newSubroutines(f, m)
				for range 100 {
					r := newRun(f)
					var operands []*big.Int
					for i := range m.operands {
						operands = append(operands, values[rnd.IntN(len(values))])
						r.set(fmt.Sprint(i), operands[i])
					}
					want := map[int]func() *big.Int{
						1: func() *big.Int { return r.mont(operands[0], operands[0]) },
						3: func() *big.Int { return new(big.Int).Add(r.mont(operands[0], operands[1]), operands[2]) },
						4: func() *big.Int {
							return new(big.Int).Add(r.mont(operands[0], operands[1]), r.mont(operands[2], operands[3]))
						},
					}[m.operands]()
					got := value(s.calls(r.state))
					if got.Mod(got, f.p).Cmp(want.Mod(want, f.p)) != 0 {
						t.Fatalf("%x is not %x for %x", got, want, operands)
					}
				}
			})
		}
	}
}

// calls runs all parts and returns the limbs of the result.
func (s *subroutines) calls(m machine) (limbs []*interval) {
	at, start := make([]vec, s.used), 0
	for i, end := range s.ends {
		live := map[int]bool{}
		for _, register := range s.live(start) {
			live[register] = true
		}
		for register := range at {
			if !live[register] {
				at[register] = nil
			}
		}
		s.run(m, s.part(i), at, nil)
		start = end
	}
	for _, v := range s.result {
		limbs = append(limbs, at[s.registers[v]].(*interval))
	}
	return limbs
}
