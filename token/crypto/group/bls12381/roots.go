package bls12381

import (
	"math/big"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
)

// squareRoots returns aᵢ^((p+1)/4), which is a square root of aᵢ if it has one,
// since p is 3 modulo 4.
func (ws *workspace) squareRoots(as []fp.Element) []fp.Element {
	roots := make([]fp.Element, len(as))
	done := ws.rootsInLanes(roots, as)
	for i := done; i < len(as); i++ {
		roots[i].Sqrt(&as[i]) // stays 0 if a is not a square
	}
	return roots
}

// power is one step of an exponentiation: a number of squarings, and then a
// multiplication by the odd power 2·odd + 1, or not at all if odd is negative.
type power struct{ squarings, odd int }

// rootWindow is the width of the windows of an exponent in bits.
const rootWindow = 5

// rootPowers are the steps of a^((p+1)/4), from the highest bit on. The first has
// no squarings.
var rootPowers = func() []power {
	e := fp.Modulus()
	return windows(e.Rsh(e.Add(e, big.NewInt(1)), 2))
}()

// windows returns the steps of the sliding windows of e > 0.
func windows(e *big.Int) (steps []power) {
	squarings := 0
	for top := e.BitLen() - 1; top >= 0; {
		if e.Bit(top) == 0 {
			squarings++
			top--
			continue
		}
		low := max(top-rootWindow+1, 0)
		for e.Bit(low) == 0 {
			low++
		}
		digit := 0
		for bit := top; bit >= low; bit-- {
			digit = 2*digit + int(e.Bit(bit))
		}
		squarings += top - low + 1
		if len(steps) == 0 {
			squarings = 0 // of 1
		}
		steps = append(steps, power{squarings, digit / 2})
		squarings, top = 0, low-1
	}
	if squarings > 0 {
		steps = append(steps, power{squarings, -1})
	}
	return steps
}
