// Code generated from bn254/lanes_parts_amd64_test.go by bls12381/generate. DO NOT EDIT.

//go:build !purego

package bls12381

import (
	"math/big"
	"math/rand/v2"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/stretchr/testify/require"
)

// intOfWords returns the integer in words.
func intOfWords(words []uint64) *big.Int {
	v := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(words[i]))
	}
	return v
}

// laneValue returns the integer in one lane of a block.
func laneValue(block []uint64, lane int) *big.Int {
	v := new(big.Int)
	for limb := laneLimbs - 1; limb >= 0; limb-- {
		v.Lsh(v, limbBits).Add(v, new(big.Int).SetUint64(block[limb*lanes+lane]))
	}
	return v
}

// TestLanesOfBlocks writes other integers to each lane and reads them again.
func TestLanesOfBlocks(t *testing.T) {
	edges := edgeElements()
	p := fp.Modulus()
	for first := range edges {
		var block [blockWords]uint64
		for lane := range lanes {
			setLane(block[:], lanes, lane, &edges[(first+lane)%len(edges)])
		}
		var other [blockWords]uint64
		for lane := range lanes {
			e := edges[(first+lane)%len(edges)]
			v := intOfWords(e[:])
			require.Zero(t, laneValue(block[:], lane).Cmp(new(big.Int).Lsh(v, laneShift)), "lane %d", lane)
			for more := range uint64(2) {
				setBlock(other[:], lane, laneInt(&e, more))
				want := new(big.Int).Mul(p, new(big.Int).SetUint64(more))
				require.Zero(t, laneValue(other[:], lane).Cmp(want.Add(want, v)))
				require.Equal(t, e, fromLane(&other, lane), "lane %d, %d·p more", lane, more)
			}
		}
		e := edges[first]
		same := reducedLanes(&e)
		for lane := range lanes {
			require.Zero(t, laneValue(same, lane).Cmp(intOfWords(e[:])))
		}
	}
	var p2 fp.Element = fieldP
	var block [blockWords]uint64
	setBlock(block[:], 2, laneInt(&p2, 0))
	require.True(t, fromLane(&block, 2) == fp.Element{})
	for i, n := range []int{0, 1, lanes - 1, lanes, lanes + 1, batchLen, lanePlaces} {
		require.Equal(t, []int{0, 1, 1, 1, 2, batchLen / lanes, lanePlaces / lanes}[i], blocksOf(n))
		require.Equal(t, []int{0, lanes, lanes, lanes, 2 * lanes, batchLen, lanePlaces}[i], roundUp(n))
	}
	require.Equal(t, lanePlaces, roundUp(lanePlaces+1))
}

// TestLanesInverted inverts two blocks of different numbers, and finds a zero in each lane.
func TestLanesInverted(t *testing.T) {
	needLanes(t)
	rnd := rand.New(rand.NewPCG(51, 52))
	var es [chains * lanes]fp.Element
	for i := range es {
		es[i] = randomElement(rnd)
	}
	put := func() []uint64 {
		p := make([]uint64, chains*blockWords)
		for i := range es {
			setBlock(p[i/lanes*blockWords:], i%lanes, laneInt(&es[i], 1))
		}
		return p
	}
	p, own := put(), put()
	require.True(t, new(laneScratch).invertProducts(p))
	for block := range chains {
		multiplyBlock(own[block*blockWords:], p[block*blockWords:])
	}
	one := laneValue(laneOnes, 0)
	for i := range es {
		product := laneValue(own[i/lanes*blockWords:], i%lanes)
		require.Zero(t, product.Mod(product, fp.Modulus()).Cmp(one), "element %d", i)
	}
	for i := range es {
		before := es[i]
		es[i].SetZero()
		require.False(t, new(laneScratch).invertProducts(put()), "element %d", i)
		es[i] = before
	}
	require.Len(t, laneOnes, chains*blockWords)
	r := new(big.Int).Lsh(big.NewInt(1), limbBits*laneLimbs)
	require.Zero(t, one.Cmp(r.Mod(r, fp.Modulus())))
	src, dst := put()[:blockWords], make([]uint64, blockWords)
	for _, distance := range []int{1, 2, 4} {
		exchangeLanes(dst, src, distance)
		for lane := range lanes {
			require.Zero(t, laneValue(dst, lane).Cmp(laneValue(src, lane^distance)))
		}
	}
}

// TestOddMultiplesInLanes: place m·n+i holds (2m+1)·P for the point in place i, for every
// length of the last block, with memory for one vector of Jacobian points.
func TestOddMultiplesInLanes(t *testing.T) {
	needLanes(t)
	all := hashed(multiplesLen)
	for _, n := range []int{1, 2, 7, 8, 9, 15, multiplesLen} {
		ws := newWorkspace(true)
		l := ws.acc.points.(*lanePoints)
		for i := range n {
			l.load(i, all[i])
		}
		require.True(t, l.oddMultiples(n))
		got := ws.storePartial(n * strausPlaces)
		for i := range n {
			want, twice := all[i], *new(curve.G1Affine).Double(&all[i])
			for m := range strausPlaces {
				require.Equal(t, want, got[m*n+i], "%d·P for place %d of %d", 2*m+1, i, n)
				want.Add(&want, &twice)
			}
		}
		require.Equal(t, n*strausPlaces, l.used)
		require.Len(t, l.scratch.jac, 1)
	}
}

// TestSumsWithoutSlope: addSlopes leaves all points as they are if the slope of one place is undefined.
func TestSumsWithoutSlope(t *testing.T) {
	needLanes(t)
	const n = 19
	ps := hashed(2 * n)
	for place := range n {
		ws := newWorkspace(true)
		a, b := ws.acc.points.(*lanePoints), ws.in.points.(*lanePoints)
		for i := range n {
			a.load(i, ps[i])
			b.load(i, ps[n+i])
		}
		b.load(place, ps[place])
		require.False(t, a.addSlopes(0, b, 0, n))
		require.Equal(t, ps[:n], ws.storePartial(n))
		b.load(place, ps[n+place])
		require.True(t, a.addSlopes(0, b, 0, n))
		for i, p := range ws.storePartial(n) {
			require.Equal(t, *new(curve.G1Affine).Add(&ps[i], &ps[n+i]), p)
		}
	}
}

// TestApart: operands of kernels may not have a place in common.
func TestApart(t *testing.T) {
	a, b := new(lanePoints), new(lanePoints)
	for j := range 12 {
		a.demandApart(4, b, j, 4)
		overlap := func() { a.demandApart(4, a, j, 4) }
		if 0 < j && j < 8 {
			require.Panics(t, overlap, "%d", j)
		} else {
			require.NotPanics(t, overlap, "%d", j)
		}
	}
}
