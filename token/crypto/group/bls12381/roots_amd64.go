//go:build !purego

package bls12381

import "github.com/consensys/gnark-crypto/ecc/bls12-381/fp"

// laneOut is 1 in the form of words: a product with it leaves the form of lanes.
var laneOut = func() []uint64 {
	one := fp.One()
	return reducedLanes(&one)
}()

// rootsInLanes computes square roots in lanes, and returns how many. Eight in lanes
// take less time than one alone.
func (ws *workspace) rootsInLanes(roots, as []fp.Element) int {
	if _, ok := ws.acc.points.(*lanePoints); !ok {
		return 0
	}
	for i := 0; i < len(as); i += lanes {
		rootsOfBlock(roots[i:min(i+lanes, len(as))], as[i:])
	}
	return len(as)
}

// rootsOfBlock computes up to eight square roots.
func rootsOfBlock(roots, as []fp.Element) {
	var odd [1 << (rootWindow - 1)][blockWords]uint64
	for i := range roots {
		setLane(odd[0][:], lanes, i, &as[i])
	}
	multiplyBlock(odd[0][:], laneOnes[:blockWords]) // below 2p
	square := odd[0]
	multiplyBlock(square[:], odd[0][:])
	for i := 1; i < len(odd); i++ {
		odd[i] = odd[i-1]
		multiplyBlock(odd[i][:], square[:])
	}
	x := odd[rootPowers[0].odd]
	for _, step := range rootPowers[1:] {
		for range step.squarings {
			multiplyBlock(x[:], x[:])
		}
		if step.odd >= 0 {
			multiplyBlock(x[:], odd[step.odd][:])
		}
	}
	multiplyBlock(x[:], laneOut)
	for i := range roots {
		roots[i] = fromLane(&x, i)
	}
}
