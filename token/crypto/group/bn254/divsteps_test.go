package bn254 // invertElement is private: no operation returns an inverse of the base field

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
)

// elementOfWords returns the element with the words of v mod p.
func elementOfWords(v *big.Int) (e fp.Element) {
	words := new(big.Int).Mod(v, fp.Modulus())
	for i := range e {
		e[i] = new(big.Int).Rsh(words, uint(64*i)).Uint64()
	}
	return e
}

// edgesToInvert returns numbers around 0, p, p/2 and powers of two.
func edgesToInvert() (vs []*big.Int) {
	one, p := big.NewInt(1), fp.Modulus()
	centers := []*big.Int{new(big.Int), p, new(big.Int).Rsh(p, 1)}
	for bit := range uint(64*fp.Limbs + 1) {
		centers = append(centers, new(big.Int).Lsh(one, bit))
	}
	for _, v := range centers {
		for d := int64(-2); d <= 2; d++ {
			vs = append(vs, new(big.Int).Add(v, big.NewInt(d)))
		}
	}
	return vs
}

// TestInvertElement compares with gnark-crypto. An edge is tried as the element
// and as its words.
func TestInvertElement(t *testing.T) {
	check := func(x fp.Element) {
		var got, want fp.Element
		want.Inverse(&x)
		invertElement(&got, &x)
		if got != want {
			require.Equal(t, want, got, "inverse of %s", x.String())
		}
		same := x
		invertElement(&same, &same)
		require.True(t, same == want, "in place: inverse of %s", x.String())
	}
	for _, v := range edgesToInvert() {
		check(elementOfWords(v))
		var e fp.Element
		check(*e.SetBigInt(v))
	}
	rnd := rand.New(rand.NewPCG(2019, 266))
	words := make([]byte, 8*fp.Limbs)
	for range nightly.Pick(5_000, 50_000, 1_000_000) {
		for i := range words {
			words[i] = byte(rnd.Uint32())
		}
		check(elementOfWords(new(big.Int).SetBytes(words)))
	}
}

// TestReduceMultiples adds and subtracts up to 10p, the bound of applyModP.
func TestReduceMultiples(t *testing.T) {
	for _, v := range edgesToInvert() {
		words := elementOfWords(v)
		up := limbsOf((*[fp.Limbs]uint64)(&words))
		down := up
		for range 10 {
			require.True(t, up.reduce() == words)
			require.True(t, down.reduce() == words)
			up, down = up.times(1, 1), down.times(1, -1)
		}
	}
}

// TestInvertElementAllocatesNothing keeps secret numbers off the heap.
func TestInvertElementAllocatesNothing(t *testing.T) {
	x := fp.NewElement(5)
	require.Zero(t, testing.AllocsPerRun(10, func() { invertElement(&x, &x) }))
}

func BenchmarkInvertElement(b *testing.B) {
	rnd := rand.New(rand.NewPCG(2019, 267))
	var xs [256]fp.Element
	for i := range xs {
		xs[i].SetUint64(rnd.Uint64())
		xs[i].Exp(xs[i], big.NewInt(7))
	}
	var z fp.Element
	b.Run("ours", func(b *testing.B) {
		for i := range b.N {
			invertElement(&z, &xs[i%len(xs)])
		}
	})
	b.Run("gnark", func(b *testing.B) {
		for i := range b.N {
			z.Inverse(&xs[i%len(xs)])
		}
	})
}
