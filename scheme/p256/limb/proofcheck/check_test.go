package proofcheck_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/p256/limb/proofcheck"
)

// span is an interval of integers, with both ends.
type span struct{ lo, hi int64 }

func (x span) plus(y span) span { return span{x.lo + y.lo, x.hi + y.hi} }

func (x span) times(k int64) span { return span{min(k*x.lo, k*x.hi), max(k*x.lo, k*x.hi)} }

func (x span) union(y span) span { return span{min(x.lo, y.lo), max(x.hi, y.hi)} }

// image returns the lowest and the highest f(v) of all v in x, where f is monotone or
// has a period of at most 64, so that values near the ends of x are enough.
func (x span) image(f func(v int64) int64) span {
	y := span{f(x.lo), f(x.lo)}.union(span{f(x.hi), f(x.hi)})
	for v := x.lo; v <= min(x.hi, x.lo+64); v++ {
		y = y.union(span{f(v), f(v)})
	}
	return y
}

type step struct {
	Op  string
	I   int
	Set [][3]int64
}

// proof is a proof as in a file.
type proof struct {
	proofcheck.Claim
	Invariant          [][2]int64
	Product, Reduction []step
}

func (p *proof) check() error {
	raw, err := json.Marshal(p)
	if err != nil {
		return err
	}
	_, err = proofcheck.Check(raw)
	return err
}

func (p *proof) clone() *proof {
	raw, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	q := new(proof)
	if err := json.Unmarshal(raw, q); err != nil {
		panic(err)
	}
	return q
}

// toys are settings of small numbers. The moduli are 251 and 1021, which are prime.
var toys = []proofcheck.Claim{
	{ModulusBits: 8, Bits: 6, Limbs: 2, Word: 20, Passes: 2, Terms: [][2]int64{{5, 0}}},
	{ModulusBits: 8, Bits: 6, Limbs: 2, Word: 20, Passes: 2, ExtraTop: true,
		Terms: [][2]int64{{1, 2}, {1, 0}}},
	{ModulusBits: 10, Bits: 5, Limbs: 3, Word: 20, Passes: 3, Terms: [][2]int64{{-1, 0}, {1, 2}}},
	{ModulusBits: 13, Bits: 6, Limbs: 3, Word: 24, Passes: 3, MaxAdds: 1,
		Terms: [][2]int64{{1, 4}, {-1, 2}, {3, 1}}},
	// it reduces 0
	{ModulusBits: 13, Bits: 6, Limbs: 3, Word: 24, Passes: 3, ExtraTop: true,
		Terms: [][2]int64{{3, 1}, {1, 0}}},
}

// prover writes the tightest proof of a claim: the effect of each step on all values of
// an accumulator, one by one. It needs no rule of intervals.
type prover struct {
	proofcheck.Claim
	invariant []span
	c, x      []span
	peak      int64 // the largest absolute value, also of intermediate values
	fits      bool
}

func (p *prover) sees(x span) span {
	p.peak = max(p.peak, -x.lo, x.hi)
	p.fits = p.fits && x.lo >= -1<<(p.Word-1) && x.hi < 1<<(p.Word-1)
	return x
}

func (p *prover) do(op string, i int) step {
	changed := []int{i}
	v := p.c[i]
	switch op {
	case "col":
		var sum span
		for j := range i + 1 {
			size := p.x[j].hi * p.x[i-j].hi
			sum = sum.plus(span{-size, size})
		}
		p.c[i] = sum
	case "reduce": // 2^(b·i) = Σ coef·2^(b·i - ModulusBits + exp)
		p.c[i] = span{}
		for _, t := range p.Terms {
			at := p.Bits*i - p.ModulusBits + int(t[1])
			to, off := at/p.Bits, at%p.Bits
			low := v.image(func(v int64) int64 { return v & (1<<(p.Bits-off) - 1) })
			high := v.image(func(v int64) int64 { return v >> (p.Bits - off) })
			if off == 0 {
				p.c[to] = p.c[to].plus(v.times(t[0]))
				changed = append(changed, to)
				continue
			}
			p.c[to] = p.c[to].plus(low.times(t[0] << off))
			p.c[to+1] = p.c[to+1].plus(high.times(t[0]))
			changed = append(changed, to, to+1)
		}
	case "carry":
		half := int64(1) << (p.Bits - 1)
		p.sees(v.plus(span{half, half}))
		p.c[i] = v.image(func(v int64) int64 { return (v+half)&(2*half-1) - half })
		p.c[i+1] = p.c[i+1].plus(v.image(func(v int64) int64 { return (v + half) >> p.Bits }))
		changed = append(changed, i+1)
	}
	slices.Sort(changed)
	s := step{Op: op, I: i}
	for _, k := range slices.Compact(changed) {
		s.Set = append(s.Set, [3]int64{int64(k), p.c[k].lo, p.c[k].hi})
	}
	for _, v := range p.c {
		p.sees(v)
	}
	return s
}

// run executes a program on values within the invariant, added adds times.
func (p *prover) run(adds int, product bool) (steps []step) {
	n := p.Limbs
	p.c, p.x = make([]span, 2*n), make([]span, 2*n)
	for i, v := range p.invariant {
		size := max(-v.lo, v.hi) << adds
		p.x[i] = span{-size, size}
	}
	if product {
		for k := range 2*n - 1 {
			steps = append(steps, p.do("col", k))
		}
		for i := 2*n - 2; i >= n; i-- {
			steps = append(steps, p.do("reduce", i))
		}
	} else {
		copy(p.c, p.x)
	}
	for range p.Passes {
		steps = append(steps, p.do("carry", n-2), p.do("carry", n-1), p.do("reduce", n))
		if p.ExtraTop {
			steps = append(steps, p.do("carry", n-1), p.do("reduce", n))
		}
		for i := range n - 1 {
			steps = append(steps, p.do("carry", i))
		}
	}
	return steps
}

// prove returns the tightest proof of a claim, and whether all values fit a word.
func prove(t *testing.T, claim proofcheck.Claim) (*proof, bool) {
	t.Helper()
	p := &prover{Claim: claim}
	for i := range p.Limbs {
		decoded := span{-1 << (p.Bits - 1), 1<<(p.Bits-1) - 1}
		if i == p.Limbs-1 {
			decoded = span{0, 1 << (p.ModulusBits - p.Bits*(p.Limbs-1))}
		}
		p.invariant = append(p.invariant, decoded)
	}
	for range 20 {
		p.fits, p.peak = true, 0
		was := slices.Clone(p.invariant)
		done := &proof{Claim: claim}
		for _, v := range p.invariant {
			done.Invariant = append(done.Invariant, [2]int64{v.lo, v.hi})
		}
		done.Product = p.run(claim.MaxAdds, true)
		for i := range was {
			p.invariant[i] = was[i].union(p.c[i])
		}
		p.invariant, was = was, p.invariant
		done.Reduction = p.run(claim.Word/2-claim.Bits+1, false)
		for i := range was {
			was[i] = was[i].union(p.c[i])
		}
		p.invariant, was = was, p.invariant
		if slices.Equal(p.invariant, was) {
			return done, p.fits
		}
	}
	t.Fatalf("no invariant: %+v", claim)
	return nil, false
}

// TestTightProofs: the checker accepts the tightest proof of each toy, and no proof with
// one bound tighter by one. So each rule for intervals gives exactly the values that a
// step can have.
func TestTightProofs(t *testing.T) {
	for _, claim := range toys {
		p, fits := prove(t, claim)
		require.True(t, fits)
		require.NoError(t, p.check(), "%+v", claim)
		tighter := func(at func(p *proof) *int64, by int64, reason string) {
			t.Helper()
			q := p.clone()
			*at(q) += by
			require.ErrorContains(t, q.check(), reason, "%+v", claim)
		}
		for _, program := range []func(p *proof) []step{
			func(p *proof) []step { return p.Product }, func(p *proof) []step { return p.Reduction },
		} {
			for i, s := range program(p) {
				for k, set := range s.Set {
					reason := fmt.Sprintf("%s %d: accumulator %d can leave its interval", s.Op, s.I, set[0])
					tighter(func(p *proof) *int64 { return &program(p)[i].Set[k][1] }, 1, reason)
					tighter(func(p *proof) *int64 { return &program(p)[i].Set[k][2] }, -1, reason)
				}
			}
		}
		for i := range p.Invariant {
			tighter(func(p *proof) *int64 { return &p.Invariant[i][0] }, 1, "proofcheck: ")
			tighter(func(p *proof) *int64 { return &p.Invariant[i][1] }, -1, "proofcheck: ")
		}
	}
}

// TestInvariantsAreTakenByTheirLargerEnd: with an invariant that reaches further up than
// down, limbs are larger, and the bounds of the product do not hold.
func TestInvariantsAreTakenByTheirLargerEnd(t *testing.T) {
	for _, claim := range toys {
		p, _ := prove(t, claim)
		for i := range p.Invariant {
			size := max(-p.Invariant[i][0], p.Invariant[i][1])
			for at, end := range []int64{-size - 1, size + 1} {
				q := p.clone()
				q.Invariant[i][at] = end
				require.ErrorContains(t, q.check(), "can leave its interval", "limb %d", i)
			}
		}
	}
}

// TestWordsAreLargeEnough: with more and more additions, a proof is accepted exactly as
// long as all values fit a word.
func TestWordsAreLargeEnough(t *testing.T) {
	for _, claim := range toys {
		last := true
		for word := claim.Word + 2; word >= 2*claim.Bits; word-- {
			for claim.MaxAdds = range 4 {
				claim.Word = word
				p, fits := prove(t, claim)
				if last = fits; fits {
					require.NoError(t, p.check(), "%+v", claim)
					continue
				}
				require.ErrorContains(t, p.check(), "an accumulator can overflow", "%+v", claim)
			}
		}
		require.False(t, last)
	}
}

// TestEndsOfAWord: the interval of each accumulator may reach both ends of a word in each
// step, and not leave it. At the end no accumulator leaves the invariant, not even by one.
func TestEndsOfAWord(t *testing.T) {
	for _, claim := range toys {
		p, _ := prove(t, claim)
		end, last := int64(1)<<(claim.Word-1), len(p.Reduction)-1
		wider := func(at, i int, low, high int64) error {
			q := p.clone()
			q.Reduction[at].Set = append(q.Reduction[at].Set, [3]int64{int64(i), low, high})
			return q.check()
		}
		for i := range 2 * claim.Limbs {
			var v [2]int64 // of the upper half
			if i < claim.Limbs {
				v = p.Invariant[i]
			}
			leaves := fmt.Sprintf("limb %d of the result can leave the invariant", i)
			require.ErrorContains(t, wider(last, i, v[0]-1, v[1]), leaves)
			require.ErrorContains(t, wider(last, i, v[0], v[1]+1), leaves)
			require.ErrorContains(t, wider(last, i, -end, end-1), leaves)
			for at := range p.Reduction {
				require.ErrorContains(t, wider(at, i, -end-1, end-1), "can overflow")
				require.ErrorContains(t, wider(at, i, -end, end), "can overflow")
			}
		}
	}
}

// TestProgramsAreWhole: a proof with a step less, a step twice, or another step is not
// about the program.
func TestProgramsAreWhole(t *testing.T) {
	const reason = "not the steps of the program"
	for _, claim := range toys {
		p, _ := prove(t, claim)
		for _, program := range []func(p *proof) *[]step{
			func(p *proof) *[]step { return &p.Product }, func(p *proof) *[]step { return &p.Reduction },
		} {
			for i := range *program(p) {
				for _, change := range []func(steps []step) []step{
					func(steps []step) []step { return slices.Delete(steps, i, i+1) },
					func(steps []step) []step { return slices.Insert(steps, i, steps[i]) },
					func(steps []step) []step { steps[i].I++; return steps },
					func(steps []step) []step { steps[i].Op += "x"; return steps },
				} {
					q := p.clone()
					*program(q) = change(*program(q))
					require.ErrorContains(t, q.check(), reason)
				}
			}
		}
		q := p.clone()
		q.Passes--
		require.Error(t, q.check(), "a pass less")
		q = p.clone()
		q.ExtraTop = !q.ExtraTop
		require.ErrorContains(t, q.check(), reason)
		for _, at := range []int64{-1, int64(2 * p.Limbs), 1 << 40} {
			q = p.clone()
			q.Product[0].Set = append(q.Product[0].Set, [3]int64{at, 0, 0})
			require.ErrorContains(t, q.check(), "can leave its interval")
		}
	}
}

// TestSettingsInRange: each number of a setting is accepted from its lowest value to its highest.
func TestSettingsInRange(t *testing.T) {
	valid := func() *proof {
		return &proof{Claim: proofcheck.Claim{ModulusBits: 30, Bits: 20, Limbs: 2, Word: 64, Passes: 1,
			Terms: [][2]int64{{1, 0}}}, Invariant: make([][2]int64, 2)}
	}
	limbs := func(p *proof, n, top int) {
		p.Limbs, p.ModulusBits, p.Invariant = n, p.Bits*(n-1)+top, make([][2]int64, n)
	}
	for name, c := range map[string]struct {
		low, high int
		set       func(p *proof, v int)
	}{
		"word":        {40, 64, func(p *proof, v int) { p.Word = v }},
		"limbs":       {2, 64, func(p *proof, v int) { limbs(p, v, 10); p.Terms = nil }},
		"top":         {0, 16, func(p *proof, v int) { limbs(p, 3, v) }},
		"passes":      {1, 4, func(p *proof, v int) { p.Passes = v }},
		"additions":   {0, 32, func(p *proof, v int) { p.MaxAdds = v }},
		"invariant":   {2, 2, func(p *proof, v int) { p.Invariant = make([][2]int64, v) }},
		"coefficient": {-1 << 20, 1<<20 - 1, func(p *proof, v int) { p.Terms[0][0] = int64(v) }},
		"exponent":    {0, 10, func(p *proof, v int) { p.Terms[0][1] = int64(v) }},
		"a second exponent": {0, 10,
			func(p *proof, v int) { p.Terms = append(p.Terms, [2]int64{1, int64(v)}) }},
		"bits": {4, 32, func(p *proof, v int) { p.Bits = v; limbs(p, 2, 0); p.Terms = nil }},
	} {
		for v, reason := range map[int]string{
			c.low - 1: "the setting is out of range", c.low: "the invariant does not hold limb 0",
			c.high: "the invariant does not hold limb 0", c.high + 1: "the setting is out of range",
		} {
			t.Run(fmt.Sprintf("%s/%d", name, v), func(t *testing.T) {
				p := valid()
				c.set(p, v)
				require.ErrorContains(t, p.check(), reason)
			})
		}
	}
}

// TestProofsAreJSON: a proof with a field of another type is refused, also if the field
// is there a second time.
func TestProofsAreJSON(t *testing.T) {
	p, _ := prove(t, toys[0])
	raw, err := json.Marshal(p)
	require.NoError(t, err)
	for _, wrong := range []string{"{", string(raw) + "}", `{"Word":"many",` + string(raw[1:])} {
		_, err := proofcheck.Check([]byte(wrong))
		require.Error(t, err, wrong)
	}
	claim, err := proofcheck.Check(raw)
	require.NoError(t, err)
	require.Equal(t, toys[0], claim)
}

// TestTheInvariantHoldsDecodedValues: the invariant must hold all limbs of a decoded
// value, exactly.
func TestTheInvariantHoldsDecodedValues(t *testing.T) {
	for _, claim := range toys {
		half, n := int64(1)<<(claim.Bits-1), claim.Limbs
		decoded := slices.Repeat([][2]int64{{-half, half - 1}}, n)
		decoded[n-1] = [2]int64{0, 1 << (claim.ModulusBits - claim.Bits*(n-1))}
		p := &proof{Claim: claim, Invariant: decoded}
		require.ErrorContains(t, p.check(), "not the steps")
		for i := range n {
			for at, by := range []int64{1, -1} {
				q := p.clone()
				q.Invariant[i][at] += by
				require.ErrorContains(t, q.check(), fmt.Sprintf("the invariant does not hold limb %d ", i))
			}
		}
	}
}
