package limb // program is private: settings make few of the programs that the analysis must bound

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
)

// The tests of this file take moduli of 4 to 7 bits and words of 7 to 18 bits,
// so that all operands can be tried. The outcome of all trials is an independent
// answer to compare verdicts and intervals with.

// toyModuli are all 2^k − (±2^u) − (±1) with at most three terms.
func toyModuli() (ms []Modulus) {
	for k := 4; k <= 7; k++ {
		for u := 0; u <= k-2; u++ {
			for _, signs := range [][2]int64{{1, 1}, {1, -1}, {-1, 1}, {1, 0}} {
				m := Modulus{Name: fmt.Sprintf("toy %d %d %v", k, u, signs), Bits: k,
					Terms: []Term{{signs[0], u}}}
				if signs[1] != 0 && u > 0 {
					m.Terms = append(m.Terms, Term{signs[1], 0})
				}
				if m.validate() == nil && (signs[1] == 0 || u > 0) {
					ms = append(ms, m)
				}
			}
		}
	}
	return ms
}

// toyGeometries are all geometries of the toy moduli with n limbs that keep
// the given condition.
func toyGeometries(keep func(Geometry) bool) (gs []Geometry) {
	for _, m := range toyModuli() {
		for word := 7; word <= 18; word++ {
			for bits := 2; bits <= word/2; bits++ {
				for limbs := 2; limbs <= 5; limbs++ {
					if g := (Geometry{m, bits, limbs, word}); keep(g) {
						gs = append(gs, g)
					}
				}
			}
		}
	}
	return gs
}

// runs reports whether every instruction has its accumulators, which is less
// than validate demands.
func runs(g Geometry) bool {
	ok := g.Modulus.Bits <= 5
	for _, f := range g.folds() {
		ok = ok && f.low <= g.Limbs && f.low >= 2
	}
	return ok && g.topShift() >= 0 && g.Bits*g.Limbs >= g.Modulus.Bits
}

// values returns the limbs of all decoded values below 2^Modulus.Bits.
func (g Geometry) values() (all [][]int64) {
	for v := range int64(1) << g.Modulus.Bits {
		all = append(all, g.decode(big.NewInt(v)))
	}
	return all
}

func (g Geometry) value64(l []int64) (v int64) {
	for i := len(l) - 1; i >= 0; i-- {
		v = v<<g.Bits + l[i]
	}
	return v
}

// toyWrong reports whether the wrapping product of a and b is wrong modulo p.
func (g Geometry) toyWrong(p int64, mult program, a, b []int64) bool {
	out := g.multWrapping(mult, a, b)
	return (g.value64(a)*g.value64(b)-g.value64(out))%p != 0
}

// TestToyVerdicts compares verdicts with the answer of trying all operands:
// every pair of decoded values, doubled, and then products of products.
func TestToyVerdicts(t *testing.T) {
	n, counts := 0, map[Verdict]int{}
	rng := rand.New(rand.NewPCG(7, 7))
	for _, g := range toyGeometries(func(g Geometry) bool { return g.validate() == nil }) {
		p := g.Modulus.P().Int64()
		if n++; n%nightly.Pick(8, 1, 1) != 0 {
			continue
		}
		for variant := range 3 {
			passes := 1 + variant%2
			for adds := 0; adds <= g.maxSum()+3; adds++ {
				s := Setting{Geometry: g, MaxAdds: adds, Passes: passes, ExtraTop: variant == 2}
				r, err := Headroom(context.Background(), s, Search{Seed: 3, Pairs: 200})
				require.NoError(t, err)
				counts[r.Verdict]++
				w, inside := s.tryAll(p, rng, r.Proof)
				name := fmt.Sprintf("%s, %s, word %d, %d passes, %d additions", g.Modulus.Name, g.Name(),
					g.Word, passes, adds)
				switch r.Verdict {
				case ProvedSafe:
					require.Nil(t, w, "%s: proved, but %v is wrong", name, w)
					require.True(t, inside, "%s: a limb is outside the proved bounds", name)
				case HasWitness:
					require.NotNil(t, w, "%s: the witness is not among all operands", name)
					require.True(t, r.Witness.holds(s), name)
				}
			}
		}
	}
	t.Logf("%v", counts)
	for _, v := range []Verdict{ProvedSafe, HasWitness, Unknown} {
		require.Greater(t, counts[v], 20, "verdict %v hardly occurs", v)
	}
}

// tryAll multiplies all pairs of decoded values, doubled MaxAdds times, and then
// random pairs of the results, and reduces them. It returns a pair of decoded
// values with a wrong product, or nil. If the setting is proved, it also returns
// wrong products of results, and inside reports whether all limbs stayed within
// the invariant.
func (s Setting) tryAll(p int64, rng *rand.Rand, proof *Proof) (w *Witness, inside bool) {
	mult, small := s.mult(), s.small()
	decoded := s.values()
	var made [][]int64
	for _, a := range decoded {
		for _, b := range decoded {
			x, y := s.doubled(a), s.doubled(b)
			if s.value64(a) < p && s.value64(b) < p && s.toyWrong(p, mult, x, y) {
				return &Witness{a, b}, false
			}
			made = append(made, s.multWrapping(mult, x, y))
		}
	}
	if proof == nil {
		return nil, false
	}
	pick := func() []int64 {
		l := slices.Clone(made[rng.IntN(len(made))])
		if rng.IntN(2) == 0 {
			l = times(l, -1)
		}
		return l
	}
	inside = true
	for range 400 {
		x, y := s.doubled(pick()), s.doubled(pick())
		if s.toyWrong(p, mult, x, y) {
			return &Witness{x, y}, false
		}
		long := times(pick(), 1<<(s.maxSum()+1))
		short := s.smallWrapping(small, long)
		if (s.value64(long)-s.value64(short))%p != 0 {
			return &Witness{long, nil}, false
		}
		made = append(made, s.multWrapping(mult, x, y), short)
	}
	for _, l := range made {
		for i, v := range l {
			inside = inside && proof.Invariant[i][0] <= v && v <= proof.Invariant[i][1]
		}
	}
	return nil, inside
}

// randomProgram returns columns in order and then any instructions.
func randomProgram(g Geometry, rng *rand.Rand) (p program) {
	column := op(rng.IntN(2))
	for k := range 2*g.Limbs - 1 {
		p = append(p, instr{column, k})
	}
	for range 3 + rng.IntN(8) {
		if rng.IntN(2) == 0 {
			p = append(p, instr{reduce, g.Limbs + rng.IntN(g.Limbs)})
		} else {
			p = append(p, instr{carry, rng.IntN(2*g.Limbs - 1)})
		}
	}
	return p
}

// TestToyPrograms takes random programs, tries all pairs of operands in
// wrapping arithmetic, and requires of every accumulator after the last
// instruction that it lies in the interval of the analysis, and of values that
// they are right modulo p, wherever the analysis crosses no bound.
func TestToyPrograms(t *testing.T) {
	const seed = 11
	programs := nightly.Pick(2_000, 20_000, 1_000_000)
	rng := rand.New(rand.NewPCG(seed, seed))
	var gs []Geometry
	var operands [][][]int64
	for _, g := range toyGeometries(runs) {
		gs, operands = append(gs, g), append(operands, g.values())
	}
	safe := 0
	for range programs {
		at := rng.IntN(len(gs))
		if new(toyProgram).hold(t, gs[at], operands[at], rng) {
			safe++
		}
	}
	t.Logf("%d of %d programs are safe", safe, programs)
	require.Greater(t, safe, programs/10)
	require.Less(t, safe, programs*9/10)
}

// toyProgram is a random program with the bounds that the analysis gives.
type toyProgram struct {
	lo, hi []int64
}

// hold tries all pairs of operands of a random program and reports whether the
// analysis calls it safe.
func (tp *toyProgram) hold(t *testing.T, g Geometry, operands [][]int64, rng *rand.Rand) bool {
	s := Setting{Geometry: g, MaxAdds: rng.IntN(3), Passes: 1}
	p := randomProgram(g, rng)
	a := newAnalysis(s)
	a.load(nil)
	if !a.run(p, grown(s.bounds(), s.MaxAdds), nil) {
		return false
	}
	for _, x := range a.c {
		tp.lo, tp.hi = append(tp.lo, x.lo.Int64()), append(tp.hi, x.hi.Int64())
	}
	modulus := g.Modulus.P().Int64()
	c := make([]int64, 2*g.Limbs)
	for _, x := range operands {
		x = s.doubled(x)
		for _, y := range operands {
			y = s.doubled(y)
			clear(c)
			if p[0].Op == sqr {
				y = x
			}
			g.runWrapping(p, c, x, y)
			for i, v := range c {
				if v < tp.lo[i] || v > tp.hi[i] {
					t.Fatalf("%s %s word %d, program %v: accumulator %d is %d, not from %d to %d",
						g.Modulus.Name, g.Name(), g.Word, p, i, v, tp.lo[i], tp.hi[i])
				}
			}
			if (g.value64(x)*g.value64(y)-g.value64(c))%modulus != 0 {
				t.Fatalf("%s %s word %d, program %v: a wrong value without an overflow", g.Modulus.Name,
					g.Name(), g.Word, p)
			}
		}
	}
	return true
}

// smallWrapping returns the limbs of a after the program p, which has no
// columns.
func (g Geometry) smallWrapping(p program, a []int64) []int64 {
	c := make([]int64, 2*g.Limbs)
	copy(c, a)
	g.runWrapping(p, c, nil, nil)
	return c[:g.Limbs]
}
