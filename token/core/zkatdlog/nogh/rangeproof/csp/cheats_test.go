package csp // scheme is private: cheats change the steps of its prover

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// digitOutOfRange makes Σ 2^(i-1)·aᵢ = v with a first digit other than 0 and 1.
func digitOutOfRange(f *forger) {
	rest := f.g.Inner(f.w[2:f.N+1], f.Pow2[1:])
	f.w[1] = f.g.Sub(f.w[f.atG1()], rest)
	f.products(f.g, f.m, f.w)
}

// openLowBits opens W to the low bits of the value from here on.
func openLowBits(f *forger) { f.w[f.atG1()] = f.g.Inner(f.w[1:f.N+1], f.Pow2) }

// solveForU finds the u for which the form has the claimed value under the
// guessed φ although the digits do not represent v:
//
//	φ²u² + (φ - φ²)u = ⟨f, w⟩,  f with φ
func solveForU(f *forger) {
	g := f.g
	ch := f.ch
	ch.phi = f.guess
	f.form(g, f.f, &f.lagrange, ch, f.p.U)
	a := g.Mul(f.guess, f.guess)
	b := g.Sub(f.guess, a)
	disc := g.Add(g.Mul(b, b), g.Mul(g.Mul(g.Uint64(4), a), g.Inner(f.f, f.w)))
	root, ok := sqrt(g, disc)
	f.p.U = g.Mul(g.Sub(root, b), g.Inv(g.Add(a, a)))
	f.stuck = !ok
}

var cheats = []cheat{
	{name: "low bits of a value out of range", early: honestOrder},
	{name: "digit that is no bit", early: honestOrder, witness: digitOutOfRange},
	{
		name: "b for an early c", early: earlyC,
		witness: func(f *forger) {
			digitOutOfRange(f)
			f.basis.evaluate(f.g, &f.lagrange, f.guess)
			b := f.w[f.N+1 : 2*f.N+2]
			want := product(f.g, f.g.Inner(f.w[:f.N+1], f.lagrange.mu))
			lack := f.g.Sub(want, f.g.Inner(b, f.lagrange.nu))
			b[0] = f.g.Add(b[0], f.g.Mul(lack, f.g.Inv(f.lagrange.nu[0])))
		},
	},
	{
		name: "Pc for an early eta", early: earlyEta,
		commit: func(f *forger) {
			// Pc contains η·(v′-v)·g₁, so that W opens to the low bits v′.
			sum := f.g.Inner(f.w[1:f.N+1], f.Pow2)
			delta := f.g.Mul(f.guess, f.g.Sub(sum, f.value))
			f.p.Pc = f.g.AddPoints(f.p.Pc, group.MulPoint(f.g, f.config.G1, delta))
		},
		claim: openLowBits,
	},
	{name: "u for an early phi", early: earlyPhi, claim: solveForU},
	{
		name: "sigma for an early rho", early: earlyRho,
		mask: func(f *forger) {
			f.p.Sigma = f.g.Add(f.p.Sigma, f.g.Mul(f.short(), f.g.Inv(f.guess)))
		},
	},
	{
		name: "l for an early challenge of the first round", early: earlyC0,
		round: func(f *forger, j int, m *message) {
			if j == 0 {
				m.l = f.g.Add(m.l, f.g.Mul(f.guess, f.short()))
			}
		},
	},
	{
		name: "r for an early challenge of a later round", early: earlyC0 + 3,
		round: func(f *forger, j int, m *message) {
			if j == 3 {
				lack := f.g.Inner(f.f[:f.padded>>j], f.w[:f.padded>>j])
				lack = f.g.Sub(lack, f.lambda)
				m.r = f.g.Add(m.r, f.g.Mul(lack, f.g.Inv(f.guess)))
			}
		},
	},
	{
		name: "A for an early e", early: earlyE, trueStatement: true,
		commit: func(f *forger) {
			// A = ζ·(g₁, h) - e·V for arbitrary responses ζ.
			f.p.A = f.g.SubPoints(f.p.A, group.MulPoint(f.g, f.v, f.guess))
		},
		claim: func(f *forger) { copy(f.p.Zeta[:], f.k.kappa) },
	},
	{
		name: "Lc for an early challenge of the first round", early: earlyC0,
		claim: openLowBits,
		round: func(f *forger, j int, m *message) {
			if j == 0 {
				// W exceeds the opening of w by η·(v-v′)·g₁.
				low := f.g.Sub(f.w[f.atG1()], f.g.Mul(f.ch.rho, f.k.s[f.atG1()]))
				more := f.g.Mul(f.ch.eta, f.g.Sub(f.value, low))
				m.lc = f.g.SubPoints(m.lc, group.MulPoint(f.g, f.config.G1, f.g.Mul(f.guess, more)))
			}
		},
	},
	{
		name: "witness folded by another challenge", early: honestOrder, trueStatement: true,
		folded: func(f *forger, j int) {
			if j == 0 {
				f.w[0] = f.g.Add(f.w[0], f.Ones[0])
			}
		},
	},
	{
		name: "form folded by another challenge", early: honestOrder, trueStatement: true,
		folded: func(f *forger, j int) {
			if j == 1 {
				f.f[0] = f.g.Add(f.f[0], f.Ones[0])
			}
		},
	},
	{
		name: "generators folded by another challenge", early: honestOrder, trueStatement: true,
		folded: func(f *forger, j int) {
			if j == 0 {
				f.cf[1] = f.g.Add(f.cf[1], f.Ones[0])
			}
		},
	},
	{
		name: "padding in place of a digit", early: honestOrder,
		witness: digitOutOfRange,
		commit: func(f *forger) {
			f.p.Pc = f.g.AddPoints(f.p.Pc, group.MulPoint(f.g, f.g.Generator(), f.w[1]))
		},
	},
	{
		name: "mask of zeros", early: honestOrder, trueStatement: true,
		mask: func(f *forger) {
			clear(f.k.s)
			f.p.Sc, f.p.Sigma = group.Point{}, group.Scalar{}
		},
	},
	{
		name: "commitment to zeros", early: honestOrder,
		witness: func(f *forger) { clear(f.w[:f.atG1()]) },
	},
}

// outOfRange returns the i-th of several values that are at least 2ⁿ.
func outOfRange(t *testing.T, g group.Group, n, i int) group.Scalar {
	power := g.Uint64(1)
	for range n {
		power = g.Add(power, power)
	}
	values := []group.Scalar{
		power, g.Neg(g.Uint64(1)), g.Neg(power), g.Add(power, g.Uint64(uint64(i))),
		g.Mul(power, power), g.Inv(g.Uint64(2)), random(t, g),
	}
	return values[i%len(values)]
}

// trials is the number of attempts of each cheat for a bit length.
func trials(bits int) int { return nightly.Pick(1, max(2, 64/bits), 1000) }

// cheatedBits are the bit lengths of cheating provers.
func cheatedBits() []int { return nightly.Pick([]int{8}, []int{16, 32, 64}, []int{16, 32, 64}) }

// TestCheatingProversAreRejected makes and verifies every proof of the table.
// If a cheat needs to know a challenge in advance, the same code is accepted in
// a group where it does know that challenge. This shows that only the
// dependence of the challenge on the message stops it.
func TestCheatingProversAreRejected(t *testing.T) {
	for _, curve := range rangetest.Curves {
		for _, bits := range cheatedBits() {
			s := system(t, vectors.Curve(t, curve), bits)
			for _, c := range cheats {
				t.Run(fmt.Sprintf("curve=%s/bits=%d/%s", curve, bits, c.name), func(t *testing.T) {
					t.Parallel()
					for i := range trials(bits) {
						it, ok := c.forge(t, s, c.value(t, s, i), random(t, s.Group))
						require.True(t, !ok || judge(s, it) != nil, "trial %d is accepted", i)
					}
					if c.early != honestOrder {
						c.acceptedIfKnown(t, s)
					}
				})
			}
		}
	}
}

// value returns the value of the i-th trial.
func (c cheat) value(t *testing.T, s *scheme, i int) group.Scalar {
	if c.trueStatement {
		return s.Group.Uint64(uint64(i))
	}
	return outOfRange(t, s.Group, s.N, i)
}

func (c cheat) acceptedIfKnown(t *testing.T, s *scheme) {
	known, r := rig(t, s, c.early)
	for {
		r.count = 0
		it, ok := c.forge(t, known, c.value(t, s, 0), r.guess)
		if !ok {
			continue
		}
		r.count = 0
		require.NoError(t, judge(known, it), "the cheat does not do what it says")
		return
	}
}

// TestZeroChallengesAreRefused gives the verifier an honest proof under a hash
// with value 0 in one place. A zero removes a part of the equations: the
// statement from W (η), the digits (φ), the earlier rounds (cⱼ).
func TestZeroChallengesAreRefused(t *testing.T) {
	for _, curve := range rangetest.Curves {
		for _, bits := range cheatedBits() {
			s := system(t, vectors.Curve(t, curve), bits)
			for at := range earlyC0 + s.rounds {
				known, r := rig(t, s, at)
				r.guess = group.Scalar{}
				it, _ := cheat{}.forge(t, known, s.Group.Uint64(5), r.guess)
				r.count = 0
				require.ErrorIs(t, rangeproof.Verify(known.Group, known, []rangeproof.Item{it}),
					rangeproof.ErrRejected, "%s, %d bits, challenge %d", curve, bits, at)
			}
		}
	}
}

// TestFoldedFormOfZeroIsRefused gives the verifier an honest proof under a hash
// that makes f* = 0: with the last challenge, the form of two coefficients
// folds to 0. W* is then multiplied by 0.
func TestFoldedFormOfZeroIsRefused(t *testing.T) {
	for _, curve := range rangetest.Curves {
		for _, bits := range cheatedBits() {
			s := system(t, vectors.Curve(t, curve), bits)
			g, last := s.Group, s.rounds-1
			known, r := rig(t, s, earlyC0+last)
			r.count = 0
			folded := g.Uint64(1)
			c := cheat{folded: func(f *forger, j int) {
				if j == last-1 {
					r.guess = g.Neg(g.Mul(f.f[0], g.Inv(f.f[1])))
				}
				folded = f.f[0]
			}}
			it, _ := c.forge(t, known, g.Uint64(5), group.Scalar{})
			require.Zero(t, folded, "f* of %s, %d bits", curve, bits)
			r.count = 0
			require.ErrorIs(t, rangeproof.Verify(known.Group, known, []rangeproof.Item{it}),
				rangeproof.ErrRejected, "%s, %d bits", curve, bits)
		}
	}
}

// TestForgerIsOtherwiseHonest checks that a forger without a hook makes valid
// proofs.
func TestForgerIsOtherwiseHonest(t *testing.T) {
	s := system(t, vectors.Curve(t, "BN254"), 16)
	it, _ := cheat{}.forge(t, s, s.Group.Uint64(12345), group.Scalar{})
	require.NoError(t, judge(s, it))
}
