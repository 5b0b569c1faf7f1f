//go:build !purego

package bn254

import (
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
	"github.com/stretchr/testify/require"
)

// needLanes skips a test of the vector kernel on processors without it.
func needLanes(t testing.TB) {
	if !hasLanes {
		t.Skip("this processor has no AVX-512 IFMA")
	}
}

// coordinateMultiple is 2^laneShift: coordinates in lanes are at most this
// multiple of p.
const coordinateMultiple = 1 << laneShift

// laneInt is e + k·p, an integer as kernels take it: in limbs, not reduced.
func laneInt(e *fp.Element, k uint64) (limbs [laneLimbs]uint64) {
	var words [fp.Limbs + 1]uint64
	var carry uint64
	for i := range fp.Limbs {
		high, low := bits.Mul64(k, fieldP[i])
		low, c := bits.Add64(low, e[i], 0)
		low, d := bits.Add64(low, carry, 0)
		words[i], carry = low, high+c+d
	}
	words[fp.Limbs] = carry
	for i := range limbs {
		bit := i * limbBits
		limbs[i] = words[bit/64] >> (bit % 64)
		if bit%64 > 64-limbBits && bit/64 < fp.Limbs {
			limbs[i] |= words[bit/64+1] << (64 - bit%64)
		}
		limbs[i] &= limbMask
	}
	return limbs
}

func setBlock(block []uint64, lane int, limbs [laneLimbs]uint64) {
	for i, v := range limbs {
		block[i*lanes+lane] = v
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

// operand is an integer e + k·p.
type operand struct {
	e fp.Element
	k uint64
}

// requireProducts compares the kernel's products with gnark-crypto's, which are
// a·b/2^(64·words): a factor of 2^laneShift more.
func requireProducts(t *testing.T, as, bs []operand) {
	t.Helper()
	const at = 64 // blocks at a time
	d, p := make([]uint64, at*blockWords), make([]uint64, at*blockWords)
	for len(as) > 0 {
		n := min(at*lanes, len(as))
		for i := range n {
			setBlock(d[i/lanes*blockWords:], i%lanes, laneInt(&as[i].e, as[i].k))
			setBlock(p[i/lanes*blockWords:], i%lanes, laneInt(&bs[i].e, bs[i].k))
		}
		laneMultiply(&laneArgs{d: &d[0], p: &p[0], n: n})
		for i := range n {
			got := fromLane((*[blockWords]uint64)(d[i/lanes*blockWords:]), i%lanes)
			got.Mul(&got, &inverseToLanes)
			var want fp.Element
			want.Mul(&as[i].e, &bs[i].e)
			if got != want {
				t.Fatalf("%x + %d·p times %x + %d·p is %x and not %x", as[i].e, as[i].k, bs[i].e, bs[i].k, got, want)
			}
		}
		as, bs = as[n:], bs[n:]
	}
}

func TestLaneProductsOfEdges(t *testing.T) {
	needLanes(t)
	var as, bs []operand
	edges := edgeElements()
	for _, a := range edges {
		for _, b := range edges {
			for _, k := range []operand{{k: 0}, {k: coordinateMultiple - 1}, {k: 1}} {
				as, bs = append(as, operand{a, k.k}), append(bs, operand{b, k.k & 1})
			}
		}
	}
	requireProducts(t, as, bs)
}

// TestLaneProducts multiplies 10⁶ pairs.
func TestLaneProducts(t *testing.T) {
	needLanes(t)
	const pairs, part = 1_000_000, 10_000
	rnd := rand.New(rand.NewPCG(5, 6))
	as, bs := make([]operand, part), make([]operand, part)
	for range pairs / part {
		for i := range as {
			as[i] = operand{randomElement(rnd), rnd.Uint64N(coordinateMultiple)}
			bs[i] = operand{randomElement(rnd), rnd.Uint64N(2)}
		}
		requireProducts(t, as, bs)
	}
}

// TestLaneCoordinates loads points with each sign and stores them again, one by
// one and together, for every length of the last block.
func TestLaneCoordinates(t *testing.T) {
	needLanes(t)
	edges := edgeElements()
	ps := make([]curve.G1Affine, 0, len(edges))
	for i, e := range edges {
		ps = append(ps, curve.G1Affine{X: e, Y: edges[len(edges)-1-i]})
	}
	ws := newForTest().take()
	defer ws.put()
	for n := 1; n <= len(ps); n += 1 + n/20*6 {
		got, want := make([]curve.G1Affine, n), make([]curve.G1Affine, n)
		refs := make([]uint32, n)
		for i := range n {
			ws.acc.load(i, ps[i])
			want[i] = ps[i]
		}
		ws.acc.cut(0, n).store(got)
		require.Equal(t, want, got)
		for i := range n {
			refs[i] = uint32((i*7)%n)<<1 | uint32(i&1)
			want[i] = ps[refs[i]>>1]
			if refs[i]&1 == 1 {
				want[i].Neg(&want[i])
			}
		}
		in := ws.in.cut(5, 5+n)
		in.gather(entries{points: ps}, refs)
		in.store(got)
		require.Equal(t, want, got)
		in.endomorphism()
		in.store(got)
		for i := range want {
			want[i].X.Mul(&want[i].X, &glv.beta)
		}
		require.Equal(t, want, got)
	}
}

// TestLaneSums compares sums and doublings with gnark-crypto's, on operands that
// are results of earlier ones and not reduced, in batches of all lengths.
func TestLaneSums(t *testing.T) {
	needLanes(t)
	const rounds = 6
	ps := hashed(2 * 300)
	for n := 1; n <= 300; n += 1 + n/20*17 {
		ws := newForTest().take()
		acc := ws.acc.cut(1, 1+n)
		want, got := make([]curve.G1Jac, n), make([]curve.G1Affine, n)
		for i := range n {
			acc.load(i, ps[i])
			want[i].FromAffine(&ps[i])
		}
		for round := range rounds {
			sums := n * round / rounds
			in := ws.in.cut(2, 2+n)
			for i := range n {
				in.load(i, ps[300+i])
				if i < sums {
					want[i].AddMixed(&ps[300+i])
				} else {
					want[i].DoubleAssign()
				}
			}
			acc.addOrDouble(in, sums)
		}
		acc.store(got)
		for i := range want {
			var p curve.G1Affine
			require.Equal(t, *p.FromJacobian(&want[i]), got[i], "place %d of %d", i, n)
		}
		ws.put()
	}
}

// FuzzLaneProducts feeds both multiplications with one pair of integers.
func FuzzLaneProducts(f *testing.F) {
	needLanes(f)
	f.Add([]byte{1}, []byte{2}, uint64(3), uint64(1))
	f.Fuzz(func(t *testing.T, a, b []byte, j, k uint64) {
		var x, y fp.Element
		setLimbs(x[:], new(big.Int).Mod(new(big.Int).SetBytes(a), fp.Modulus()))
		setLimbs(y[:], new(big.Int).Mod(new(big.Int).SetBytes(b), fp.Modulus()))
		requireProducts(t, []operand{{x, j % coordinateMultiple}}, []operand{{y, k % 2}})
	})
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
			perElement(name+"/part=multiply", batchLen, func() { laneMultiply(&laneArgs{d: &d[0], p: &p[0], n: batchLen}) })
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
				perElement(fmt.Sprintf("%s/part=chain/places=%d", name, n), n, func() { chain.extend(ws.in.points, 0, n) })
				j := chain.scratch.jacobian(0)
				for i := range n {
					chain.load(i, ps[i%32])
				}
				j.setAffine(chain, n)
				perElement(fmt.Sprintf("%s/part=double/places=%d", name, n), n, func() { j.double(n, 1) })
				perElement(fmt.Sprintf("%s/part=mixed/places=%d", name, n), n, func() { j.addAffine(ws.in.points.(*lanePoints), n) })
			}
		}
		ws.put()
	}
}
