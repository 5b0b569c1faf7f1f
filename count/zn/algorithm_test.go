package zn_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/count/zn"
	"github.com/zkatbench/zkatbench/internal/nightly"
)

// digits holds digit i at position i: e = Σ digits[i]·2ⁱ.
type digits []int64

// oddDigits returns the digits of WNAF and Sliding, by their definition.
func oddDigits(a zn.Algorithm, e *big.Int) (all digits) {
	bits := map[zn.Method]int{zn.WNAF: a.Window + 1, zn.Sliding: a.Window}[a.Method]
	rest, sign := new(big.Int).Abs(e), int64(e.Sign())
	for ; rest.Sign() > 0; rest.Rsh(rest, 1) {
		var digit int64
		if rest.Bit(0) == 1 {
			digit = new(big.Int).And(rest, big.NewInt(1<<bits-1)).Int64()
			if digit >= 1<<a.Window {
				digit -= 1 << bits
			}
			rest.Sub(rest, big.NewInt(digit))
		}
		all = append(all, sign*digit)
	}
	for a.Method == zn.Sliding && len(all) < e.BitLen() {
		all = append(all, 0)
	}
	return all
}

// fixedDigits returns the digits of |e| in base 2^bits.
func fixedDigits(e *big.Int, bits int) (all digits) {
	for rest := new(big.Int).Abs(e); rest.Sign() > 0; rest.Rsh(rest, uint(bits)) {
		all = append(all, new(big.Int).And(rest, big.NewInt(1<<bits-1)).Int64())
	}
	return all
}

// executor computes sums of multiples of integers and counts its operations. nil is
// zero, the neutral element.
type executor struct {
	neutral           zn.Neutral
	work, precomputed count.Tally
}

// add returns a + b. It counts if neither is zero, and always with Counted.
func (x *executor) add(a, b *big.Int) *big.Int {
	if x.neutral == zn.Counted || a != nil && b != nil {
		x.work.Adds++
	}
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return new(big.Int).Add(a, b)
}

// double returns 2a, and counts like add.
func (x *executor) double(a *big.Int) *big.Int {
	if x.neutral == zn.Counted || a != nil {
		x.work.Doubles++
	}
	if a == nil {
		return nil
	}
	return new(big.Int).Lsh(a, 1)
}

func (x *executor) neg(a *big.Int) *big.Int { x.work.Negs++; return new(big.Int).Neg(a) }

// interleave starts at the top position. With Established the first squaring of zero
// does not count, the others and the first addition do.
func (x *executor) interleave(a zn.Algorithm, bases, exps []*big.Int) *big.Int {
	all, odd, top := make([]digits, len(exps)), make([][]*big.Int, len(exps)), 0
	for i, e := range exps {
		all[i] = oddDigits(a, e)
		top = max(top, len(all[i]))
		x.precomputed.Doubles++
		odd[i] = []*big.Int{bases[i]}
		for twice := new(big.Int).Lsh(bases[i], 1); len(odd[i]) < 1<<(a.Window-1); x.precomputed.Adds++ {
			odd[i] = append(odd[i], new(big.Int).Add(odd[i][len(odd[i])-1], twice))
		}
	}
	var result *big.Int
	for at := top - 1; at >= 0; at-- {
		if result == nil && x.neutral == zn.Established && at < top-1 {
			x.work.Doubles++
		}
		result = x.double(result)
		for i, d := range all {
			if at >= len(d) || d[at] == 0 {
				continue
			}
			power := odd[i][max(d[at], -d[at])/2]
			if d[at] < 0 {
				power = x.neg(power)
			}
			if result == nil && x.neutral == zn.Established {
				x.work.Adds++
			}
			result = x.add(result, power)
		}
	}
	return result
}

func (x *executor) buckets(a zn.Algorithm, bases, exps []*big.Int) (result *big.Int) {
	all, signed, top := make([]digits, len(exps)), make([]*big.Int, len(exps)), 0
	for i, e := range exps {
		all[i], signed[i] = fixedDigits(e, a.Window), bases[i]
		top = max(top, len(all[i]))
		if e.Sign() < 0 {
			signed[i] = x.neg(bases[i])
		}
	}
	for at := top - 1; at >= 0; at-- {
		for range a.Window {
			result = x.double(result)
		}
		bucket := make([]*big.Int, 1<<a.Window)
		for i, d := range all {
			if at < len(d) && d[at] > 0 {
				bucket[d[at]] = x.add(bucket[d[at]], signed[i])
			}
		}
		var running, sum *big.Int
		for k := len(bucket) - 1; k > 0; k-- {
			running = x.add(running, bucket[k])
			sum = x.add(sum, running)
		}
		result = x.add(result, sum)
	}
	return result
}

// TestCostIsTheWorkOfAnExecution executes each algorithm on integers: the sum is right,
// and has as many operations as Cost says, by each convention.
func TestCostIsTheWorkOfAnExecution(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func() *big.Int {
		e := new(big.Int).SetUint64(rng.Uint64()>>rng.UintN(64) | 1)
		e.Mul(e, new(big.Int).SetUint64(rng.Uint64()|1))
		e.Lsh(e, rng.UintN(8))
		if rng.UintN(4) == 0 {
			e.Neg(e)
		}
		return e
	}
	for which := range 3 * int(zn.Pippenger+1) * 9 * nightly.Pick(12, 40, 40) {
		neutral, method := zn.Neutral(which%3), zn.Method(which/3%int(zn.Pippenger+1))
		a, n := zn.Algorithm{Method: method, Window: 1 + which/9%9}, 1+which/81
		exps, bases, want := make([]*big.Int, n), make([]*big.Int, n), new(big.Int)
		for i := range n {
			exps[i], bases[i] = random(), random()
			if n > 2 && i == 1 {
				exps[i] = new(big.Int) // has no digits
			}
			want.Add(want, new(big.Int).Mul(exps[i], bases[i]))
		}
		x := executor{neutral: neutral}
		run := map[zn.Method]func(zn.Algorithm, []*big.Int, []*big.Int) *big.Int{
			zn.WNAF: x.interleave, zn.Sliding: x.interleave, zn.Pippenger: x.buckets,
		}[method]
		require.Zero(t, want.Cmp(run(a, bases, exps)), "%v %d", a, n)
		cost := zn.Algorithms{Exp: a, MultiExp: a, Neutral: neutral}.Cost("G2", exps)
		require.Equal(t, x.work, cost.Layer(count.Inside), "%v %d %d", a, n, neutral)
		require.Equal(t, x.precomputed, cost.Layer(count.Precomputed), "%v %d", a, n)
		require.Equal(t, cost, cost.In("G2"))
	}
	for neutral := zn.Established; neutral <= zn.Free; neutral++ {
		sliding, pippenger := zn.Same(zn.Sliding, 4), zn.Same(zn.Pippenger, 4)
		sliding.Neutral, pippenger.Neutral = neutral, neutral
		require.Zero(t, pippenger.Cost("", []*big.Int{new(big.Int), new(big.Int)}).Total())
		require.Zero(t, sliding.Cost("", []*big.Int{new(big.Int)}).Layer(count.Inside))
	}
}

func TestNonZeroDigits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		e := new(big.Int).SetUint64(rng.Uint64())
		for window := 1; window <= 8; window++ {
			var nonZero uint64
			for _, d := range fixedDigits(e, window) {
				nonZero += uint64(min(d, 1))
			}
			require.Equal(t, nonZero, zn.NonZero(e, window))
		}
	}
	require.EqualValues(t, 2, zn.NonZero(big.NewInt(-0x100ff), 8))
}
