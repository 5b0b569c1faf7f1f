package limb

import "math/big"

// An interval is all integers from lo to hi. Bounds are never changed after
// they are set, so intervals can share them.
type interval struct{ lo, hi *big.Int }

func newInterval(lo, hi int64) interval { return interval{big.NewInt(lo), big.NewInt(hi)} }

func (x interval) equal(y interval) bool { return x.lo.Cmp(y.lo) == 0 && x.hi.Cmp(y.hi) == 0 }

func (x interval) contains(y interval) bool { return x.lo.Cmp(y.lo) <= 0 && x.hi.Cmp(y.hi) >= 0 }

func (x interval) union(y interval) interval {
	if y.lo.Cmp(x.lo) < 0 {
		x.lo = y.lo
	}
	if y.hi.Cmp(x.hi) > 0 {
		x.hi = y.hi
	}
	return x
}

// size returns the largest absolute value in x.
func (x interval) size() *big.Int {
	if x.lo.CmpAbs(x.hi) > 0 {
		return new(big.Int).Abs(x.lo)
	}
	return new(big.Int).Abs(x.hi)
}

func (x interval) add(y interval) interval {
	return interval{new(big.Int).Add(x.lo, y.lo), new(big.Int).Add(x.hi, y.hi)}
}

func (x interval) mul(y interval) interval {
	first := new(big.Int).Mul(x.lo, y.lo)
	z := interval{first, first}
	for _, p := range []*big.Int{
		new(big.Int).Mul(x.lo, y.hi), new(big.Int).Mul(x.hi, y.lo), new(big.Int).Mul(x.hi, y.hi),
	} {
		z = z.union(interval{p, p})
	}
	return z
}

// times returns x multiplied by a constant.
func (x interval) times(k int64) interval { return x.mul(newInterval(k, k)) }

func (x interval) shiftLeft(n uint) interval {
	return interval{new(big.Int).Lsh(x.lo, n), new(big.Int).Lsh(x.hi, n)}
}

// shiftRight rounds down, as shifts of signed words do.
func (x interval) shiftRight(n uint) interval {
	return interval{new(big.Int).Rsh(x.lo, n), new(big.Int).Rsh(x.hi, n)}
}

// low returns an interval for v mod 2^n, v from x: the exact one if all of x
// has the same quotient, and all remainders otherwise.
func (x interval) low(n uint) interval {
	q := x.shiftRight(n)
	if q.lo.Cmp(q.hi) != 0 {
		return interval{new(big.Int), big.NewInt(1<<n - 1)}
	}
	base := new(big.Int).Lsh(q.lo, n)
	return interval{new(big.Int).Sub(x.lo, base), new(big.Int).Sub(x.hi, base)}
}

// symmetric returns the smallest interval from −m to m that holds x·2^n.
func (x interval) symmetric(n int) interval {
	m := new(big.Int).Lsh(x.size(), uint(n))
	return interval{new(big.Int).Neg(m), m}
}
