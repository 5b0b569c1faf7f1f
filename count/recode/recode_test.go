package recode

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

func value(d Digits) *big.Int {
	v := new(big.Int)
	for i := len(d) - 1; i >= 0; i-- {
		v.Lsh(v, 1)
		v.Add(v, big.NewInt(int64(d[i])))
	}
	return v
}

func samples() []*big.Int {
	rng := rand.New(rand.NewPCG(1, 2))
	es := []*big.Int{big.NewInt(0), big.NewInt(1), big.NewInt(-1), big.NewInt(10)}
	for range 200 {
		e := new(big.Int).SetUint64(rng.Uint64() >> rng.UintN(64))
		e.Mul(e, new(big.Int).SetUint64(rng.Uint64()))
		if rng.UintN(4) == 0 {
			e.Neg(e)
		}
		es = append(es, e)
	}
	return es
}

func TestDigitsHaveTheValue(t *testing.T) {
	for _, e := range samples() {
		for w := 1; w <= 8; w++ {
			require.Zero(t, e.Cmp(value(WNAF(e, w))), "wNAF %v w=%d", e, w)
			require.Zero(t, e.Cmp(value(Sliding(e, w))), "sliding %v w=%d", e, w)
			require.Zero(t, e.Cmp(value(Fixed(e, w))), "fixed %v w=%d", e, w)
		}
	}
}

// requireApart checks that nonzero digits are odd and at least gap positions
// apart.
func requireApart(t *testing.T, d Digits, w, gap int) {
	last := -gap
	for i, v := range d {
		if v == 0 {
			continue
		}
		require.True(t, v&1 == 1 && v < 1<<w && v > -1<<w, "digit %d", v)
		require.GreaterOrEqual(t, i-last, gap)
		last = i
	}
}

func TestShape(t *testing.T) {
	for _, e := range samples() {
		for w := 1; w <= 8; w++ {
			requireApart(t, WNAF(e, w), w, w+1)
			requireApart(t, Sliding(e, w), w, w)
			for i, v := range Fixed(e, w) {
				require.True(t, v == 0 || i%w == 0)
			}
		}
	}
}

func TestWeight(t *testing.T) {
	n, neg := WNAF(big.NewInt(7), 1).Weight() // 8 - 1
	require.Equal(t, []uint64{2, 1}, []uint64{n, neg})
}
