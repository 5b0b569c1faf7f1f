//go:build !purego

package bn254 // the parts of additions in lanes are private: the time of a sum does not show theirs

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
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

// BenchmarkLanes measures parts of an addition, in ns an element: on vectors of
// 1024 places, and for additions also on short ones, where the inversion counts.
func BenchmarkLanes(b *testing.B) {
	needLanes(b)
	ps := hashed(64)
	refs, others := make([]uint32, batchLen), make([]uint32, batchLen)
	for i := range refs {
		refs[i], others[i] = uint32(i*13%len(ps))<<1, uint32(i%32)<<1
	}
	block := make([]uint64, 2*batchLen*laneLimbs)
	for i := range block {
		block[i] = uint64(i) * 0x9e3779b97f4a7c15 & limbMask >> 8
	}
	d, p := block[:len(block)/2], block[len(block)/2:]
	sums := make([]curve.G1Affine, batchLen)
	for name, portable := range map[string]bool{"kernel=vector": false, "kernel=portable": true} {
		g := newForTest()
		if portable {
			g = g.Portable()
		}
		ws := g.take()
		acc, in := ws.acc.cut(0, batchLen), ws.in.cut(0, batchLen)
		perElement := func(name string, n int, do func()) {
			b.Run(name, func(b *testing.B) {
				for b.Loop() {
					do()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/element")
			})
		}
		if !portable {
			perElement(name+"/part=multiply", batchLen, func() {
				laneMultiply(&laneArgs{d: &d[0], p: &p[0], n: batchLen})
			})
		}
		perElement(name+"/part=gather", batchLen, func() { acc.gather(entries{points: ps}, refs) })
		perElement(name+"/part=store", batchLen, func() { acc.store(sums) })
		for _, n := range []int{16, 64, 256, batchLen} {
			a, c := acc.cut(0, n), in.cut(0, n)
			ws.reset()
			for i := range n {
				a.load(i, ps[i%32])
			}
			perElement(fmt.Sprintf("%s/part=sum/places=%d", name, n), n, func() {
				c.gather(entries{points: ps[32:]}, others[:n]) // the portable kernel overwrites it
				a.add(c)
			})
		}
		if !portable {
			for _, n := range []int{8, 32, 256} {
				ws.reset()
				for i := range n {
					ws.acc.load(i, ps[i%32])
					ws.in.load(i, ps[32+i%32])
				}
				chain := ws.acc.points.(*lanePoints)
				chain.begin(n)
				perElement(fmt.Sprintf("%s/part=chain/places=%d", name, n), n, func() {
					chain.extend(ws.in.points, 0, n)
				})
				j := chain.scratch.jacobian(0)
				for i := range n {
					chain.load(i, ps[i%32])
				}
				j.setAffine(chain, n)
				perElement(fmt.Sprintf("%s/part=double/places=%d", name, n), n, func() { j.double(n, 1) })
				perElement(fmt.Sprintf("%s/part=mixed/places=%d", name, n), n, func() {
					j.addAffine(ws.in.points.(*lanePoints), n)
				})
			}
		}
		ws.put()
	}
}
