package csp // vacuous is private: it names the proofs that an honest prover loses

import (
	"crypto/rand"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
)

// Groups of order 13 or 199 allow exhaustive tests. Every V there is a
// commitment to every value, so the tests enumerate witnesses; the order is
// small enough for the soundness error to be visible.

// TestTrueStatementsAreAccepted proves for every value in the range, every
// blinding factor and every a₀ of the group of order 13. All proofs are
// accepted unless they have one of the 2R + 6 zeros; then all are refused, also in a batch.
func TestTrueStatementsAreAccepted(t *testing.T) {
	const q = 13
	g := grouptest.Toy(q)
	for n := 1; n <= nightly.Pick(2, 4, 4); n++ {
		s := system(t, g, n)
		refused, tried := 0, 0
		var right []rangeproof.Item
		for value := range uint64(1) << n {
			for i := range q * q {
				it, c := toyProof(t, s, value, uint64(i/q), uint64(i%q))
				err := rangeproof.Verify(s.Group, s, []rangeproof.Item{it})
				tried++
				if c.vacuous(s.rounds) {
					require.ErrorIs(t, err, rangeproof.ErrRejected)
					require.Error(t, rangeproof.Verify(s.Group, s, append(right, it)), "in a batch")
					refused++
				} else {
					require.NoError(t, err, "%d bits, value %d", n, value)
					right = []rangeproof.Item{it}
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
	const q = 199
	repeat := nightly.Pick(4, 10, 20)
	g := grouptest.Toy(q)
	for n := 1; n <= 4; n += nightly.Pick(3, 1, 1) {
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
