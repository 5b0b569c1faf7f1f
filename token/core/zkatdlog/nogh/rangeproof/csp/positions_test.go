package csp // scheme is private: digits and masks are changed inside the prover

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// places returns the indices below n that a test looks at: next to a border in
// short runs, and otherwise all.
func places(n int, borders ...int) (list []int) {
	for i := range n {
		near := false
		for _, b := range append(borders, 0, n) {
			near = near || i >= b-1 && i <= b
		}
		if near || !testing.Short() {
			list = append(list, i)
		}
	}
	return list
}

// refusedAt makes a proof with a cheat, and requires that the verifier refuses it alone
// and behind an honest one, which it does not name.
func refusedAt(t *testing.T, s *scheme, honest rangeproof.Item, c cheat, where string) rangeproof.Item {
	t.Helper()
	c.early, c.trueStatement = honestOrder, true
	it, _ := c.forge(t, s, s.Group.Uint64(5), random(t, s.Group))
	require.ErrorIs(t, judge(s, it), rangeproof.ErrRejected, "%s, %d bits: %s", s.Group.Name(), s.N, where)
	var wrong *rangeproof.RejectedError
	require.ErrorAs(t, rangeproof.Verify(s.Group, s, []rangeproof.Item{honest, it}), &wrong, where)
	require.Equal(t, 1, wrong.Index, where)
	return it
}

// moved makes digits i and k, from 0, other numbers than bits, with the same value of all.
func moved(i, k int) func(f *forger) {
	return func(f *forger) {
		f.w[1+i] = f.g.Add(f.w[1+i], f.Pow2[k-i])
		f.w[1+k] = f.g.Sub(f.w[1+k], f.Ones[0])
		f.products(f.g, f.m, f.w)
	}
}

// TestDigitsAtEveryPosition: a pair of digits other than bits is refused at every
// distance and position, though the value is in the range.
func TestDigitsAtEveryPosition(t *testing.T) {
	for _, curve := range rangetest.Curves {
		for _, bits := range nightly.Pick([]int{5}, []int{5, 32}, []int{2, 3, 5, 7, 16, 32, 64}) {
			s := system(t, vectors.Curve(t, curve), bits)
			honest := rangetest.NewProver(t, maker, curve, bits).Prove(t, 5)
			for i := range bits {
				for k := i + 1; k < bits; k++ {
					// Of 64 bits all neighbours, and all distances from the first and to the last.
					if bits <= 5 || k == i+1 && (!testing.Short() || i%9 == 0) || (i == 0 || k == bits-1) &&
						(k-i)%nightly.Pick(13, 5, 1) == 0 {
						refusedAt(t, s, honest, cheat{witness: moved(i, k)},
							fmt.Sprintf("digits %d and %d", i, k))
					}
				}
			}
		}
	}
}

// TestLiesAtEveryIndex changes each coefficient of the witness after it is committed to,
// each one of the mask, of b alone, and each message of each round.
func TestLiesAtEveryIndex(t *testing.T) {
	for _, curve := range rangetest.Curves {
		for _, bits := range nightly.Pick([]int{3}, []int{1, 7},
			[]int{1, 2, 3, 6, 7, 14, 16, 30, 31, 32, 62, 63, 64}) {
			s := system(t, vectors.Curve(t, curve), bits)
			honest := rangetest.NewProver(t, maker, curve, bits).Prove(t, 0)
			g, one := s.Group, s.Group.Uint64(1)
			for _, i := range places(s.width-1, bits+1, 2*bits+2) { // f is 0 at h
				lie := func(f *forger) { f.w[i] = g.Add(f.w[i], one) }
				refusedAt(t, s, honest, cheat{commit: lie}, fmt.Sprintf("witness %d after Pc", i))
				refusedAt(t, s, honest, cheat{mask: func(f *forger) { f.k.s[i] = g.Add(f.k.s[i], one) }},
					fmt.Sprintf("mask %d after Sc", i))
				if i > bits && i < 2*bits+2 {
					refusedAt(t, s, honest, cheat{witness: lie}, fmt.Sprintf("b %d", i))
				}
			}
			for j := range s.rounds {
				for name, change := range map[string]func(m *message){
					"Lc": func(m *message) { m.lc = g.AddPoints(m.lc, g.Generator()) },
					"Rc": func(m *message) { m.rc = g.AddPoints(m.rc, g.Generator()) },
					"l":  func(m *message) { m.l = g.Add(m.l, one) },
					"r":  func(m *message) { m.r = g.Add(m.r, one) },
				} {
					t.Run(name, func(t *testing.T) {
						lie := func(_ *forger, round int, m *message) {
							if round == j {
								change(m)
							}
						}
						refusedAt(t, s, honest, cheat{round: lie}, fmt.Sprintf("%s of round %d", name, j))
					})
				}
			}
		}
	}
}
