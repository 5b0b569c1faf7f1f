package csp

import (
	"crypto/rand"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// Groups of order 13 or 199 allow exhaustive tests. Every V there is a
// commitment to every value, so the tests enumerate witnesses; the order is
// small enough for the soundness error to be visible.

// TestTrueStatementsAreAccepted proves for every value in the range, every
// blinding factor and every a₀ of the group of order 13. All proofs are
// accepted unless they have one of the 2R + 6 zeros; then all are refused.
func TestTrueStatementsAreAccepted(t *testing.T) {
	const q = 13
	g := grouptest.Toy(q)
	for n := 1; n <= 4; n++ {
		s := system(t, g, n)
		refused, tried := 0, 0
		for value := range uint64(1) << n {
			for i := range q * q {
				it, c := toyProof(t, s, value, uint64(i/q), uint64(i%q))
				err := rangeproof.Verify(s.Group, s, []rangeproof.Item{it})
				tried++
				if c.vacuous(s.rounds) {
					require.ErrorIs(t, err, rangeproof.ErrRejected)
					refused++
				} else {
					require.NoError(t, err, "%d bits, value %d", n, value)
				}
			}
		}
		require.NotZero(t, refused)
		accepted := float64(tried-refused) / float64(tried)
		require.Greater(t, accepted, math.Pow(1-1./q, float64(2*s.rounds+6))*0.9, "%d bits", n)
	}
}

// toyProof proves with the given γ and a₀, and new other nonces, and returns
// the values derived by a verifier.
func toyProof(t *testing.T, s *scheme, value, blinding, a0 uint64) (rangeproof.Item, claim) {
	g := s.Group
	nonces := make(nonce.Fixed, 4+s.width)
	require.NoError(t, group.Sample(g, rand.Reader, nonces))
	nonces[2] = g.Uint64(a0)
	w := rangeproof.Witness{Value: value, Blinding: g.Uint64(blinding)}
	c := s.config
	v := group.MSM(g, []group.Point{c.G1, c.H}, []group.Scalar{g.Uint64(value), w.Blinding})
	p, err := rangeproof.Prove(g, s, v, w, &nonces)
	require.NoError(t, err)
	return rangeproof.Item{V: v, Proof: p}, replayed(s, v, p.(*Proof))
}

// TestFalseWitnessesMeetTheirBound runs the two cheats that need no early
// challenge for every value out of the range in the group of order 199. The
// weights of a verifier are below the order here, so they also err with
// probability 1/q.
func TestFalseWitnessesMeetTheirBound(t *testing.T) {
	const q, repeat = 199, 20
	g := grouptest.Toy(q)
	for n := 1; n <= 4; n++ {
		s := system(t, g, n)
		for _, p := range append(s.config.Left, s.config.Right...) {
			require.False(t, group.IsIdentity(p), "a generator that binds nothing")
		}
		for _, c := range []cheat{{}, {witness: digitOutOfRange}} {
			accepted, tried := 0, 0
			for value := uint64(1) << n; value < q; value++ {
				for range repeat {
					it, _ := c.forge(t, s, g.Uint64(value), group.Scalar{})
					if rangeproof.Verify(s.Group, s, []rangeproof.Item{it}) == nil {
						accepted++
					}
					tried++
				}
			}
			bound := tried * (2*n + 6 + 2*s.rounds) / q
			require.LessOrEqual(t, accepted, bound, "%d bits, %d tried", n, tried)
		}
	}
}

// TestFormHoldsForTrueWitnessesOnly tries every vector (a₀, a₁, b₀, b₁, v) for
// one bit in the group of order 13, for any b, with the prover's best u for
// every η and c. The form holds always for true witnesses, and for at most (2n
// + 3)/q of the challenges for all others.
func TestFormHoldsForTrueWitnessesOnly(t *testing.T) {
	const q, n = 13, 1
	g := grouptest.Toy(q)
	s := system(t, g, n)
	wins := newWins(q)
	at := evaluations(s, q)
	for i := range q * q * q * q * q {
		a0, a1, b0, b1, v := i%q, i/q%q, i/q/q%q, i/q/q/q%q, i/q/q/q/q
		held := 0
		for _, l := range at {
			a, b := (a0*l[0]+a1*l[1])%q, (b0*l[2]+b1*l[3])%q
			for eta := range q {
				held += wins[eta*(a1+q-v)%q][a][b]
			}
		}
		extended := (2*a1 + q - a0) % q // a(2)
		isBit := a1 < 2 && v == a1
		if isBit && b0 == a0*(a0+q-1)%q && b1 == extended*(extended+q-1)%q {
			require.Equal(t, q*q*q, held, "true witness %d %d", a0, a1)
		} else if held > (2*n+3)*q*q {
			require.Fail(t, "false witness", "a = %d %d, b = %d %d, v = %d holds for %d", a0, a1, b0, b1, v, held)
		}
	}
}

// newWins tabulates, for values of η(Σ-v), a(c) and b(c), the number of φ for
// which the form gives λ with the best u.
func newWins(q int) (wins [13][13][13]int) {
	for d := range q {
		for a := range q {
			for b := range q {
				for u := range q {
					held := 0
					for phi := range q {
						if (d+phi*(a+q-u)+phi*phi*(b+q*q-u*(u+q-1)%q))%q == 0 {
							held++
						}
					}
					wins[d][a][b] = max(wins[d][a][b], held)
				}
			}
		}
	}
	return wins
}

// evaluations returns μ₀, μ₁, ν₀, ν₁ for one bit at every c. It reads them from
// the form of prover and verifier, which consists of them for η = 0, φ = 1.
func evaluations(s *scheme, q int) (at [][4]int) {
	m := round.NewMemory()
	defer m.Wipe()
	l, f := s.basis.newLagrange(m), m.Scalars(s.padded)
	for c := range q {
		s.basis.evaluate(s.Group, &l, s.Group.Uint64(uint64(c)))
		s.form(s.Group, f, &l, challenges{phi: s.Group.Uint64(1)}, group.Scalar{})
		var row [4]int
		for i := range row {
			row[i] = int(low64(s.Group, f[i]))
		}
		at = append(at, row)
	}
	return at
}

// TestToyOrdersThatCannotInterpolateAreRefused checks the condition 2n < q.
func TestToyOrdersThatCannotInterpolateAreRefused(t *testing.T) {
	for _, n := range []int{6, 7} {
		g := grouptest.Toy(13)
		_, err := New(config(g, n))
		require.Equal(t, n == 7, err != nil, fmt.Sprint(n))
	}
}
