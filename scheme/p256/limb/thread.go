package limb

import (
	"fmt"
	"math/big"
)

// Thread is the arithmetic of the review thread that asked whether 9 limbs of
// 29 bits overflow after two additions. It took unsigned limbs of 2²⁵⁶ − 1,
// doubled twice, as 31- and 26-bit numbers, and computed
// c₈ = 7·(2³¹−1)² + 2·(2³¹−1)·(2²⁶−1).
type Thread struct {
	C8      *big.Int
	Low     *big.Int // c₈ modulo 2⁶⁴: the figure that the thread arrived at
	AsInt64 int64    // Low as an accumulator holds it
}

// ReviewThread recomputes the thread's figures.
func ReviewThread() Thread {
	limb := new(big.Int).SetInt64(1<<31 - 1)
	c8 := new(big.Int).Mul(limb, limb)
	c8.Mul(c8, big.NewInt(7))
	c8.Add(c8, new(big.Int).Mul(limb, big.NewInt(2*(1<<26-1))))
	low := new(big.Int).And(c8, new(big.Int).SetUint64(1<<64-1))
	return Thread{c8, low, int64(low.Uint64())}
}

// String returns the two lines that the command prints.
func (t Thread) String() string {
	if t.C8 == nil {
		return "thread: empty"
	}
	return fmt.Sprintf("thread: c8 = 0x%X, %d bits: does not fit 64\n"+
		"thread: 0x%X is c8 modulo 2^64, as int64 %d", t.C8, t.C8.BitLen(), t.Low, t.AsInt64)
}
