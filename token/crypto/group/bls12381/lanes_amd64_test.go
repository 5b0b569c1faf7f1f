// Code generated from bn254/lanes_amd64_test.go by bls12381/generate. DO NOT EDIT.

//go:build !purego

package bls12381 // the parts of additions in lanes are private: the time of a sum does not show theirs

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/stretchr/testify/require"
)

// needLanes skips a test of the vector kernel on processors without it.
func needLanes(t testing.TB) {
	if !hasLanes {
		t.Skip("this processor has no AVX-512 IFMA")
	}
}

// randomElement returns words below p, from a seeded source.
func randomElement(rnd *rand.Rand) (e fp.Element) {
	for i := range e {
		e[i] = rnd.Uint64()
	}
	e[fp.Limbs-1] %= fieldP[fp.Limbs-1]
	return e
}

// edgeElements returns 0, 1, p - 1, single bits and runs of ones, as words.
func edgeElements() (es []fp.Element) {
	modulus := fp.Modulus()
	add := func(v *big.Int) {
		var e fp.Element
		setLimbs(e[:], new(big.Int).Mod(v, modulus))
		es = append(es, e)
	}
	for _, v := range []int64{0, 1, 2, -1, -2} {
		add(big.NewInt(v))
	}
	for bit := 0; bit < modulus.BitLen(); bit += 13 {
		power := new(big.Int).Lsh(big.NewInt(1), uint(bit))
		add(power)
		add(new(big.Int).Sub(power, big.NewInt(1)))
	}
	for limb := range laneLimbs - 1 {
		ones := new(big.Int).Lsh(big.NewInt(limbMask), uint(limb*limbBits))
		add(ones)
		add(ones.Neg(ones))
	}
	return es
}

// TestOperandsOfKernelsAreApart: in one memory they have no place in common.
func TestOperandsOfKernelsAreApart(t *testing.T) {
	needLanes(t)
	ws := newForTest().take()
	defer ws.put()
	l, in := ws.acc.points.(*lanePoints), ws.in.points.(*lanePoints)
	require.NotPanics(t, func() { l.demandApart(0, l, 8, 8) })
	require.NotPanics(t, func() { l.demandApart(8, l, 0, 8) })
	require.NotPanics(t, func() { l.demandApart(0, in, 0, 8) })
	require.Panics(t, func() { l.demandApart(0, l, 7, 8) })
	require.Panics(t, func() { l.demandApart(7, l, 0, 8) })
}

// BenchmarkLanes measures parts of an addition, in ns an element: on vectors of
// 1024 places, and for additions also on short ones, where the inversion counts.
func BenchmarkLanes(b *testing.B) {
	needLanes(b)
	ps := hashed(64)
	refs, others := make([]uint32, batchLen), make([]uint32, batchLen)
	for i := range refs {
		refs[i], others[i] = uint32(i*13%len(ps))<<1, uint32(i%32)<<1
	}
	for kernel, g := range map[string]*Group{"vector": newForTest(), "portable": newForTest().Portable()} {
		measure := func(part string, n int, do func()) {
			b.Run("kernel="+kernel+"/part="+part, func(b *testing.B) {
				for b.Loop() {
					do()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/element")
			})
		}
		ws := g.take()
		load := func(n int) (acc, in batch) {
			ws.reset()
			for i := range n {
				ws.acc.load(i, ps[i%32])
				ws.in.load(i, ps[32+i%32])
			}
			return ws.acc.cut(0, n), ws.in.cut(0, n)
		}
		acc, _ := load(batchLen)
		measure("gather", batchLen, func() { acc.gather(entries{points: ps}, refs) })
		measure("store", batchLen, func() { acc.store(make([]curve.G1Affine, batchLen)) })
		for _, n := range []int{16, 64, 256, batchLen} {
			acc, in := load(n)
			measure(fmt.Sprintf("sum/places=%d", n), n, func() {
				in.gather(entries{points: ps[32:]}, others[:n]) // the portable kernel overwrites it
				acc.add(in)
			})
		}
		chain, isVector := ws.acc.points.(*lanePoints)
		if !isVector {
			continue
		}
		load(batchLen)
		measure("multiply", batchLen, func() {
			laneMultiply(&laneArgs{d: &chain.x[0], p: &chain.y[0], n: batchLen})
		})
		for _, n := range []int{8, 32, 256} {
			acc, in := load(n)
			chain.begin(n)
			measure(fmt.Sprintf("chain/places=%d", n), n, func() { chain.extend(in.points, 0, n) })
			acc, in = load(n)
			j := chain.scratch.jacobian(0)
			j.setAffine(acc.points.(*lanePoints), n)
			measure(fmt.Sprintf("double/places=%d", n), n, func() { j.double(n, 1) })
			measure(fmt.Sprintf("mixed/places=%d", n), n, func() { j.addAffine(in.points.(*lanePoints), n) })
		}
		ws.put()
	}
}
