package main

import (
	"fmt"
	"math/big"
	"slices"
)

// interpreter is a machine that computes one element. It keeps an interval for
// every value, and panics if an interval does not fit 64 bits, if a value is
// outside of its interval, if a factor is not below 2⁵², or if a value of which
// only 52 bits are defined is used for anything but a factor.
type interpreter struct {
	memory map[string][]*interval // limbs
}

// interval is a value and all values that it might have had. Values that may be
// negative are signed integers of 64 bits.
type interval struct {
	value, low, high *big.Int // low ≤ value < high
	modulo           bool     // bits from 52 on are undefined
}

func (i *interpreter) new(value, low, high *big.Int) *interval {
	v := &interval{value: new(big.Int).Set(value), low: new(big.Int).Set(low), high: new(big.Int).Set(high)}
	v.check()
	return v
}

func (v *interval) check() {
	if v.value.Cmp(v.low) < 0 || v.value.Cmp(v.high) >= 0 {
		panic(fmt.Sprintf("%x is not in %x … %x", v.value, v.low, v.high))
	}
	if v.low.Sign() < 0 {
		if v.low.Cmp(new(big.Int).Neg(pow2(63))) < 0 || v.high.Cmp(pow2(63)) > 0 {
			panic(fmt.Sprintf("signed %x … %x may overflow", v.low, v.high))
		}
	} else if v.high.Cmp(pow2(64)) > 0 {
		panic(fmt.Sprintf("%x … %x may overflow", v.low, v.high))
	}
}

func (v *interval) factor() {
	if v.low.Sign() < 0 || v.high.Cmp(pow2(limbBits)) > 0 {
		panic(fmt.Sprintf("factor %x … %x is not a limb", v.low, v.high))
	}
}

// whole returns v as a value with all bits defined.
func whole(v vec) *interval {
	x := v.(*interval)
	if x.modulo {
		panic("a value modulo 2⁵² is not a factor")
	}
	return x
}

func (i *interpreter) load(m memory, limb int) vec {
	if m.constant != nil {
		return i.constant(m.constant[limb])
	}
	return i.clone(i.memory[m.name][limb])
}

func (i *interpreter) into(v vec, value func() vec) { *v.(*interval) = *i.clone(value()).(*interval) }

func (i *interpreter) rounds(n int, _ []memory, round func(int)) { unrolled(n, round) }

func (i *interpreter) store(m memory, limb int, v vec) {
	for len(i.memory[m.name]) <= limb {
		i.memory[m.name] = append(i.memory[m.name], nil)
	}
	i.memory[m.name][limb] = i.clone(v).(*interval)
}

func (i *interpreter) zero() vec { return i.exactly(new(big.Int)) }

func (i *interpreter) constant(c int64) vec { return i.exactly(big.NewInt(c)) }

// exactly returns a value common to all operands.
func (i *interpreter) exactly(v *big.Int) *interval {
	return i.new(v, v, new(big.Int).Add(v, big.NewInt(1)))
}

func (i *interpreter) clone(v vec) vec {
	x := v.(*interval)
	w := i.new(x.value, x.low, x.high)
	w.modulo = x.modulo
	return w
}

func (i *interpreter) modulo(v vec) vec {
	x := v.(*interval)
	w := i.new(new(big.Int).And(x.value, big.NewInt(mask52)), new(big.Int), pow2(limbBits))
	w.modulo = true
	return w
}

func (i *interpreter) limits(v vec, bits int) {
	if x := whole(v); x.low.Cmp(new(big.Int).Neg(pow2(bits))) < 0 || x.high.Cmp(pow2(bits)) > 0 {
		panic(fmt.Sprintf("%x … %x takes more than %d bits", x.low, x.high, bits))
	}
}

// accumulate adds a value below high.
func accumulate(acc vec, value, high *big.Int) {
	x := whole(acc)
	x.value.Add(x.value, value)
	x.high.Add(x.high, high)
	x.check()
}

func product(a, b vec) *big.Int {
	x, y := a.(*interval), b.(*interval)
	x.factor()
	y.factor()
	return new(big.Int).Mul(x.value, y.value)
}

func (i *interpreter) mulLow(acc, a, b vec) {
	v := product(a, b)
	accumulate(acc, v.And(v, big.NewInt(mask52)), big.NewInt(mask52))
}

func (i *interpreter) mulHigh(acc, a, b vec) {
	v := product(a, b)
	accumulate(acc, v.Rsh(v, limbBits), big.NewInt(mask52))
}

func (i *interpreter) quotient(v vec, c uint64) vec {
	x := new(big.Int).And(whole(v).value, big.NewInt(mask52))
	x.Mul(x, new(big.Int).SetUint64(c))
	return i.new(x.And(x, big.NewInt(mask52)), new(big.Int), pow2(limbBits))
}

func (i *interpreter) add(acc, v vec) {
	x, y := whole(acc), whole(v)
	x.value.Add(x.value, y.value)
	x.low.Add(x.low, y.low)
	x.high.Add(x.high, y.high).Sub(x.high, big.NewInt(1))
	x.check()
}

func (i *interpreter) sub(acc, v vec) {
	x, y := whole(acc), whole(v)
	x.value.Sub(x.value, y.value)
	x.low.Sub(x.low, y.high).Add(x.low, big.NewInt(1))
	x.high.Sub(x.high, y.low)
	x.check()
}

func (i *interpreter) addConst(acc vec, c uint64) {
	x, d := whole(acc), big.NewInt(int64(c))
	x.value.Add(x.value, d)
	x.low.Add(x.low, d)
	x.high.Add(x.high, d)
	x.check()
}

func (i *interpreter) shiftLeft(v vec, n int) vec {
	x := whole(v)
	shift := func(y *big.Int) *big.Int { return new(big.Int).Lsh(y, uint(n)) }
	if x.low.Sign() < 0 || shift(x.high).Cmp(pow2(63)) <= 0 {
		return i.new(shift(x.value), shift(x.low), shift(x.high))
	}
	lost := shift(x.value)
	return i.new(lost.And(lost, new(big.Int).SetUint64(1<<64-1)), new(big.Int), pow2(64))
}

func (i *interpreter) shiftRight(v vec, n int) vec {
	if whole(v).low.Sign() < 0 {
		panic("logical shift of a negative number")
	}
	return i.shifted(v, n)
}

func (i *interpreter) shiftSigned(v vec, n int) vec {
	if whole(v).high.Cmp(pow2(63)) > 0 {
		panic("arithmetic shift of an unsigned number")
	}
	return i.shifted(v, n)
}

func (i *interpreter) shifted(v vec, n int) vec {
	x := whole(v)
	shift := func(y *big.Int) *big.Int { return new(big.Int).Rsh(y, uint(n)) }
	return i.new(shift(x.value), shift(x.low), new(big.Int).Add(shift(x.high), big.NewInt(1)))
}

func (i *interpreter) or(acc, v vec) {
	x, y := whole(acc), whole(v)
	if new(big.Int).And(x.value, y.value).Sign() != 0 {
		panic("common bits")
	}
	x.value.Or(x.value, y.value)
	x.low.SetInt64(0)
	x.high = pow2(max(x.high.BitLen(), y.high.BitLen()))
	if x.high.Cmp(pow2(64)) > 0 {
		x.high = pow2(64)
	}
}

func (i *interpreter) andConst(acc vec, c uint64) {
	x := acc.(*interval)
	x.modulo = x.modulo && c > mask52
	whole(x).value.And(x.value, new(big.Int).SetUint64(c))
	x.low.SetInt64(0)
	x.high.Add(new(big.Int).SetUint64(c), big.NewInt(1))
}

func (i *interpreter) lookUp(index vec, table [lanes]int64) vec {
	k := new(big.Int).And(whole(index).value, big.NewInt(lanes-1)).Uint64()
	low, high := slices.Min(table[:]), slices.Max(table[:])
	return i.new(big.NewInt(table[k]), big.NewInt(low), new(big.Int).Add(big.NewInt(high), big.NewInt(1)))
}

func (i *interpreter) selectIf(mask, yes, no vec) vec {
	m, y, n := whole(mask), whole(yes), whole(no)
	low, high := new(big.Int).Set(y.low), new(big.Int).Set(y.high)
	if n.low.Cmp(low) < 0 {
		low.Set(n.low)
	}
	if n.high.Cmp(high) > 0 {
		high.Set(n.high)
	}
	switch m.value.Int64() {
	case 0:
		return i.new(n.value, low, high)
	case -1:
		return i.new(y.value, low, high)
	}
	panic("a mask is neither all ones nor zero")
}

func (i *interpreter) subFrom(acc, v vec) {
	i.into(acc, func() vec {
		w := i.clone(v)
		i.sub(w, acc)
		return w
	})
}

func (i *interpreter) pad(_, _ vec) {}

func (i *interpreter) claim(v vec, low, high *big.Int) {
	x := whole(v)
	x.low.Set(low)
	x.high.Set(high)
	x.check()
}

func (i *interpreter) remark(string, ...any) {}
