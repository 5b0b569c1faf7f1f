package csp

import (
	"crypto/rand"
	"fmt"
	"math/big"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// A forger is a prover that knows the code and leaves the protocol at one
// step. The steps are those of Prove; a hook may change what a step made
// before the transcript absorbs it.
type forger struct {
	*prover
	g     group.Group
	value group.Scalar // of the statement; w may hold another one
	guess group.Scalar // what it hopes that one challenge will be
	stuck bool         // the hoped-for equation has no solution: try again
}

// cheat is one way of cheating.
type cheat struct {
	name  string
	early int // which challenge is guessed before it is due, or honestOrder
	// trueStatement: the value is in the range and only the proof is not.
	trueStatement bool

	witness func(f *forger) // w is filled for the low bits of the value
	commit  func(f *forger) // Pc and A are made
	claim   func(f *forger) // u is made
	mask    func(f *forger) // Sc and σ are made
	round   func(f *forger, j int, m *message)
	folded  func(f *forger, j int)
}

// The challenges in the order of drawing.
const (
	honestOrder = iota - 1
	earlyE
	earlyEta
	earlyC
	earlyPhi
	earlyRho
	earlyC0
)

func call(hook func(*forger), f *forger) {
	if hook != nil {
		hook(f)
	}
}

// forge makes a proof for value·g₁ + blinding·h by the steps of Prove.
// It returns false if it got stuck.
func (c cheat) forge(t *testing.T, s *System, value, guess group.Scalar) (rangeproof.Item, bool) {
	ws := s.shared.take()
	defer s.shared.put(ws)
	g := s.g
	require.NoError(t, group.Sample(g, rand.Reader, ws.nonces))
	f := &forger{g: g, value: value, guess: guess, prover: &prover{
		shared: s.shared, workspace: ws, tables: s.shared.tables(), p: s.newProof(),
	}}
	f.prover.witness(g, rangeproof.Witness{Value: low64(g, value), Blinding: random(t, g)})
	f.w[f.atG1()] = value
	f.v = group.FixedSum(g, f.tables.points, f.atG1(), f.w[f.atG1():f.atH()+1]...)
	call(c.witness, f)
	f.p.A = group.FixedSum(g, f.tables.points, f.atG1(), f.kappa()...)
	f.p.Pc = group.FixedSum(g, f.tables.points, 0, append(f.w[:f.atG1():f.atG1()], group.Scalar{}, f.r())...)
	call(c.commit, f)
	f.respond(g)
	f.ch.eta, f.ch.c = f.tr.commitment(f.p.Pc)
	f.basis.evaluate(g, &f.lagrange, f.ch.c)
	f.p.U = g.Inner(f.w[:f.n+1], f.lagrange.mu)
	call(c.claim, f)
	f.ch.phi = f.tr.evaluation(f.p.U)
	f.lambda = f.form(g, f.f, &f.lagrange, f.ch, f.p.U)
	f.prover.mask(g)
	call(c.mask, f)
	f.join(g)
	f.sums[0] = g.MSM([]group.Point{f.p.Pc, f.v, f.p.Sc}, []group.Scalar{f.ones[0], f.ch.eta, f.ch.rho})
	f.argue(c)
	return rangeproof.Item{V: f.v, Proof: f.p}, !f.stuck
}

func (f *forger) argue(c cheat) {
	f.tr.argument(f.header, f.sums[0], f.f, f.lambda)
	f.cf[0] = f.ones[0]
	for j := range f.rounds {
		m := f.cross(f.g, j)
		if c.round != nil {
			c.round(f, j, &m)
		}
		f.p.LeftC[j], f.p.RightC[j], f.p.Left[j], f.p.Right[j] = m.lc, m.rc, m.l, m.r
		x := f.tr.round(m)
		f.lambda = f.g.Add(f.g.Mul(x, f.g.Add(f.lambda, f.g.Mul(x, m.r))), m.l)
		f.fold(f.g, j, x)
		if c.folded != nil {
			c.folded(f, j)
		}
	}
}

// short returns ⟨f, w⟩ - λ for the current vectors: what the claim lacks.
func (f *forger) short() group.Scalar {
	return f.g.Sub(f.g.Inner(f.f, f.w), f.lambda)
}

// digitOutOfRange makes Σ 2^(i-1)·aᵢ = v with a first digit that is no bit.
func digitOutOfRange(f *forger) {
	rest := f.g.Inner(f.w[2:f.n+1], f.pow2[1:])
	f.w[1] = f.g.Sub(f.w[f.atG1()], rest)
	f.products(f.g)
}

// openLowBits opens W to the low bits of the value from here on.
func openLowBits(f *forger) { f.w[f.atG1()] = f.g.Inner(f.w[1:f.n+1], f.pow2) }

// solveForU finds the u for which the form gives the claimed value under the
// guessed φ although the digits are not those of v:
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

// sqrt returns a square root of s, or false.
func sqrt(g group.Group, s group.Scalar) (group.Scalar, bool) {
	root := new(big.Int).ModSqrt(new(big.Int).SetBytes(g.AppendScalar(nil, s)), g.Order())
	if root == nil {
		return group.Scalar{}, false
	}
	r, err := g.DecodeScalar(root.FillBytes(make([]byte, group.ScalarLen)))
	return r, err == nil
}

// low64 returns the low 64 bits of s.
func low64(g group.Group, s group.Scalar) uint64 {
	return new(big.Int).SetBytes(g.AppendScalar(nil, s)[group.ScalarLen-8:]).Uint64()
}

func random(t testing.TB, g group.Group) group.Scalar {
	t.Helper()
	var s [1]group.Scalar
	require.NoError(t, group.Sample(g, rand.Reader, s[:]))
	return s[0]
}

var cheats = []cheat{
	{name: "low bits of a value out of range", early: honestOrder},
	{name: "digit that is no bit", early: honestOrder, witness: digitOutOfRange},
	{
		name: "b for an early c", early: earlyC,
		witness: func(f *forger) {
			digitOutOfRange(f)
			f.basis.evaluate(f.g, &f.lagrange, f.guess)
			b := f.w[f.n+1 : 2*f.n+2]
			want := product(f.g, f.g.Inner(f.w[:f.n+1], f.lagrange.mu))
			lack := f.g.Sub(want, f.g.Inner(b, f.lagrange.nu))
			b[0] = f.g.Add(b[0], f.g.Mul(lack, f.g.Inv(f.lagrange.nu[0])))
		},
	},
	{
		name: "Pc for an early eta", early: earlyEta,
		commit: func(f *forger) {
			// Pc holds η·(v′-v)·g₁, so that W opens to the low bits v′.
			sum := f.g.Inner(f.w[1:f.n+1], f.pow2)
			delta := f.g.Mul(f.guess, f.g.Sub(sum, f.value))
			f.p.Pc = f.g.AddPoints(f.p.Pc, f.g.MulPoint(f.config.G1, delta))
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
			// A = ζ·(g₁, h) - e·V for responses ζ out of thin air.
			f.p.A = f.g.SubPoints(f.p.A, f.g.MulPoint(f.v, f.guess))
		},
		claim: func(f *forger) { copy(f.p.Zeta[:], f.kappa()) },
	},
	{
		name: "Lc for an early challenge of the first round", early: earlyC0,
		claim: openLowBits,
		round: func(f *forger, j int, m *message) {
			if j == 0 {
				// W is η·(v-v′)·g₁ more than w opens.
				low := f.g.Sub(f.w[f.atG1()], f.g.Mul(f.ch.rho, f.s()[f.atG1()]))
				more := f.g.Mul(f.ch.eta, f.g.Sub(f.value, low))
				m.lc = f.g.SubPoints(m.lc, f.g.MulPoint(f.config.G1, f.g.Mul(f.guess, more)))
			}
		},
	},
	{
		name: "witness folded by another challenge", early: honestOrder, trueStatement: true,
		folded: func(f *forger, j int) {
			if j == 0 {
				f.w[0] = f.g.Add(f.w[0], f.ones[0])
			}
		},
	},
	{
		name: "form folded by another challenge", early: honestOrder, trueStatement: true,
		folded: func(f *forger, j int) {
			if j == 1 {
				f.f[0] = f.g.Add(f.f[0], f.ones[0])
			}
		},
	},
	{
		name: "generators folded by another challenge", early: honestOrder, trueStatement: true,
		folded: func(f *forger, j int) {
			if j == 0 {
				f.cf[1] = f.g.Add(f.cf[1], f.ones[0])
			}
		},
	},
	{
		name: "padding in place of a digit", early: honestOrder,
		witness: digitOutOfRange,
		commit: func(f *forger) {
			f.p.Pc = f.g.AddPoints(f.p.Pc, f.g.MulPoint(f.g.Generator(), f.w[1]))
		},
	},
	{
		name: "mask of zeros", early: honestOrder, trueStatement: true,
		mask: func(f *forger) {
			clear(f.s())
			f.p.Sc, f.p.Sigma = group.Point{}, group.Scalar{}
		},
	},
	{
		name: "commitment to zeros", early: honestOrder,
		witness: func(f *forger) { clear(f.w[:f.atG1()]) },
	},
}

// outOfRange returns the i-th of some values that are not below 2ⁿ.
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

// rigged is a group in which one challenge is known beforehand: the at-th
// reduction of a hash.
type rigged struct {
	group.Group
	at, count int
	guess     group.Scalar
}

func (r *rigged) Reduce(b []byte) group.Scalar {
	s := r.Group.Reduce(b)
	if len(b) != 32 {
		return s
	}
	r.count++
	if r.count == r.at+1 {
		return r.guess
	}
	return s
}

// rig returns s with one challenge known beforehand.
func rig(t *testing.T, s *System, at int) (*System, *rigged) {
	r := &rigged{Group: s.g, at: at, guess: random(t, s.g)}
	c := s.shared.config
	c.Group = r
	known, err := New(c)
	require.NoError(t, err)
	known.shared.tables = s.shared.tables
	return known, r
}

// judge sends a proof as bytes and verifies what arrives.
func judge(s *System, it rangeproof.Item) error {
	p, err := s.Decode(it.Proof.Append(nil))
	if err != nil {
		return err
	}
	return s.Verify([]rangeproof.Item{{V: it.V, Proof: p}})
}

// trials is how often each cheat is tried for a bit length, times the integer
// in the environment variable ZKATBENCH_TRIALS if that is set.
func trials(t *testing.T, bits int) int {
	factor := 1
	if v := os.Getenv("ZKATBENCH_TRIALS"); v != "" {
		var err error
		factor, err = strconv.Atoi(v)
		require.NoError(t, err, "ZKATBENCH_TRIALS")
	}
	return factor * max(2, 256/bits)
}

// TestCheatingProversAreRejected makes and verifies every proof of the table.
// Where a cheat consists in knowing a challenge too early, the same code is
// accepted in a group in which it does know that challenge: what stops it is
// that the challenge depends on the message, and nothing else.
func TestCheatingProversAreRejected(t *testing.T) {
	for _, curve := range rangetest.Curves {
		for _, bits := range []int{16, 32, 64} {
			s := system(t, vectors.Curve(t, curve), bits)
			for _, c := range cheats {
				t.Run(fmt.Sprintf("curve=%s/bits=%d/%s", curve, bits, c.name), func(t *testing.T) {
					for i := range trials(t, bits) {
						it, ok := c.forge(t, s, c.value(t, s, i), random(t, s.g))
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
func (c cheat) value(t *testing.T, s *System, i int) group.Scalar {
	if c.trueStatement {
		return s.g.Uint64(uint64(i))
	}
	return outOfRange(t, s.g, s.shared.n, i)
}

func (c cheat) acceptedIfKnown(t *testing.T, s *System) {
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

// TestForgerIsOtherwiseHonest shows that a forger without a hook proves.
func TestForgerIsOtherwiseHonest(t *testing.T) {
	s := system(t, vectors.Curve(t, "BN254"), 16)
	it, _ := cheat{}.forge(t, s, s.g.Uint64(12345), group.Scalar{})
	require.NoError(t, judge(s, it))
}
