package zn

import (
	"math/big"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/count/recode"
)

// machine executes operations of one group and counts them.
type machine struct {
	core   *core
	bucket count.Bucket
	counts count.Counts
	work   [3]count.Tally // by count.Layer
}

func (g *Group) machine(c *core) *machine {
	return &machine{core: c, bucket: g.bucket, counts: count.Counts{}}
}

// done records the counts and returns v.
func (m *machine) done(v *big.Int) *big.Int {
	for layer, t := range m.work {
		m.counts.AddTally(count.Layer(layer), m.core.name, t)
	}
	m.bucket.Merge(m.counts)
	return v
}

func (m *machine) add(l count.Layer, a, b *big.Int) *big.Int {
	m.work[l].Adds++
	v := new(big.Int).Add(a, b)
	return v.Mod(v, m.core.order)
}

func (m *machine) double(l count.Layer, a *big.Int) *big.Int {
	m.work[l].Doubles++
	v := new(big.Int).Lsh(a, 1)
	return v.Mod(v, m.core.order)
}

func (m *machine) neg(l count.Layer, a *big.Int) *big.Int {
	m.work[l].Negs++
	v := new(big.Int).Neg(a)
	return v.Mod(v, m.core.order)
}

// powers computes Π baseᵢ^expᵢ.
func (m *machine) powers(ts []term) *big.Int {
	e, alg := count.Of(count.MSM, len(ts)), m.core.alg.MultiExp
	if len(ts) == 1 {
		e, alg = count.One(count.ScalarMul), m.core.alg.Exp
	}
	e.Group = m.core.name
	m.counts[e]++
	if alg.Method == Pippenger {
		return m.buckets(ts, alg.Window)
	}
	return m.interleave(ts, alg)
}

// interleave scans all exponents from their top digit down, with common
// squarings (Möller, SAC 2001, section 3.2). With sliding windows the scan
// starts at the top bit, where the result is still neutral; the squarings there
// are counted, as in the published figures for the method.
func (m *machine) interleave(ts []term, alg Algorithm) *big.Int {
	digits := make([]recode.Digits, len(ts))
	powers := make([][]*big.Int, len(ts))
	top := 0
	for i, t := range ts {
		digits[i] = recodeFor(alg, t.exp)
		powers[i] = m.oddPowers(t.base, alg.Window)
		top = max(top, len(digits[i]))
	}
	result := new(big.Int)
	for pos := top - 1; pos >= 0; pos-- {
		if pos < top-1 {
			result = m.double(count.Inside, result)
		}
		for i := range ts {
			if d := digits[i].At(pos); d != 0 {
				result = m.add(count.Inside, result, m.oddPower(powers[i], d))
			}
		}
	}
	return result
}

func recodeFor(alg Algorithm, e *big.Int) recode.Digits {
	if alg.Method == WNAF {
		return recode.WNAF(e, alg.Window)
	}
	return recode.Sliding(e, alg.Window)
}

// oddPower returns the power for digit d. Negative powers are inverted on use
// and not kept.
func (m *machine) oddPower(odd []*big.Int, d int32) *big.Int {
	if d < 0 {
		return m.neg(count.Inside, odd[-d/2])
	}
	return odd[d/2]
}

// oddPowers returns x, x³, … x^(2ʷ-1). It computes and keeps missing ones.
func (m *machine) oddPowers(x *Element, w int) []*big.Int {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.sq == nil {
		x.sq = m.double(count.Precomputed, x.value)
		x.odd = []*big.Int{x.value}
	}
	for len(x.odd) < 1<<(w-1) {
		x.odd = append(x.odd, m.add(count.Precomputed, x.odd[len(x.odd)-1], x.sq))
	}
	return x.odd[:1<<(w-1)]
}

// buckets is Pippenger's method as in Bernstein, Doumen, Lange, Oosterwijk,
// "Faster batch forgery identification" (INDOCRYPT 2012), section 4: for each
// window of c bits, bases with the same digit are multiplied first, then Π Bₖᵏ
// is computed as a product of running products. Copying the first base of a
// bucket or of a running product is not an operation.
func (m *machine) buckets(ts []term, c int) *big.Int {
	digits := make([]recode.Digits, len(ts))
	bases := make([]*big.Int, len(ts))
	top := 0
	for i, t := range ts {
		bases[i], _ = t.base.look()
		if t.exp.Sign() < 0 {
			bases[i] = m.neg(count.Inside, bases[i])
		}
		digits[i] = recode.Fixed(new(big.Int).Abs(t.exp), c)
		top = max(top, len(digits[i]))
	}
	var result *big.Int
	for pos := (top - 1) / c * c; pos >= 0; pos -= c {
		for i := 0; i < c && result != nil; i++ {
			result = m.double(count.Inside, result)
		}
		result = m.accumulate(result, m.window(bases, digits, pos, c))
	}
	return result
}

// window returns Π baseᵢ^digitᵢ for the digits at pos, or nil if all are 0.
func (m *machine) window(bases []*big.Int, digits []recode.Digits, pos, c int) (sum *big.Int) {
	bucket := make([]*big.Int, 1<<c)
	for i, b := range bases {
		if d := digits[i].At(pos); d != 0 {
			bucket[d] = m.accumulate(bucket[d], b)
		}
	}
	var running *big.Int
	for k := len(bucket) - 1; k > 0; k-- {
		running = m.accumulate(running, bucket[k])
		sum = m.accumulate(sum, running)
	}
	return sum
}

// accumulate returns a·b, where nil is the neutral element and is free.
func (m *machine) accumulate(a, b *big.Int) *big.Int {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	return m.add(count.Inside, a, b)
}
