package limb

import (
	"fmt"
	"math/big"
)

// A Geometry says how field elements are held: Limbs signed limbs of Bits bits,
// worth Σ lᵢ·2^(Bits·i). The same element has several representations.
type Geometry struct {
	Modulus Modulus
	Bits    int
	Limbs   int
	// Word is the number of bits of an accumulator: 64, or fewer in tests that
	// try all inputs.
	Word int
}

// spareBits is how many bits all limbs together must have beyond the modulus.
const spareBits = 4

// maxLimbs bounds the work of an analysis.
const maxLimbs = 64

// NewGeometry returns the geometry of 64-bit accumulators, or an error that
// says which of the numbers cannot be.
func NewGeometry(m Modulus, bits, limbs int) (Geometry, error) {
	g := Geometry{Modulus: m, Bits: bits, Limbs: limbs, Word: 64}
	return g, g.validate()
}

// LeastLimbs is the least allowed number of limbs of a size for m.
func LeastLimbs(m Modulus, bits int) int { return max(2, (m.Bits+spareBits+bits-1)/bits) }

func (g Geometry) validate() error {
	if err := g.Modulus.validate(); err != nil {
		return err
	}
	if g.Bits < 2 || g.Bits > g.Word/2 {
		return fmt.Errorf("limbs of %d bits: from 2 to %d are allowed", g.Bits, g.Word/2)
	}
	if least := LeastLimbs(g.Modulus, g.Bits); g.Limbs < least || g.Limbs > maxLimbs {
		return fmt.Errorf("%d limbs of %d bits: %s needs at least %d, and at most %d are analysed", g.Limbs,
			g.Bits, g.Modulus.Name, least, maxLimbs)
	}
	if g.topShift() < 0 {
		return fmt.Errorf("%d limbs of %d bits: one limb fewer holds %s already", g.Limbs, g.Bits,
			g.Modulus.Name)
	}
	for _, t := range g.Modulus.Terms {
		if g.Modulus.Bits-t.Exp < g.Bits {
			return fmt.Errorf("limbs of %d bits are longer than the gap below the leading term of %s", g.Bits,
				g.Modulus.Name)
		}
	}
	return nil
}

func (g Geometry) String() string { return fmt.Sprintf("%d limbs of %d bits", g.Limbs, g.Bits) }

// Name is the short name, 9x29.
func (g Geometry) Name() string { return fmt.Sprintf("%dx%d", g.Limbs, g.Bits) }

// maxSum is the largest addition count that an operand of an addition may have.
func (g Geometry) maxSum() int { return g.Word/2 - g.Bits }

// topShift is the position of bit Modulus.Bits inside the top limb.
func (g Geometry) topShift() int { return g.Modulus.Bits - g.Bits*(g.Limbs-1) }

// decode returns the limbs of v, which must be from 0 to 2^Modulus.Bits − 1:
// v is cut into non-negative limbs, and then a rounding carry runs from limb 0
// to limb n−2. So |lᵢ| ≤ 2^(b−1) below the top limb.
func (g Geometry) decode(v *big.Int) []int64 {
	l := g.cut(v)
	for i := range g.Limbs - 1 {
		t := (l[i] + 1<<(g.Bits-1)) >> g.Bits
		l[i] -= t << g.Bits
		l[i+1] += t
	}
	return l
}

// cut returns v ≥ 0 as limbs from 0 to 2^b − 1.
func (g Geometry) cut(v *big.Int) []int64 {
	l := make([]int64, g.Limbs)
	mask := big.NewInt(1<<g.Bits - 1)
	rest := new(big.Int).Set(v)
	for i := range l {
		l[i] = new(big.Int).And(rest, mask).Int64()
		rest.Rsh(rest, uint(g.Bits))
	}
	return l
}

// Value returns Σ lᵢ·2^(b·i), not reduced.
func (g Geometry) Value(l []int64) *big.Int {
	v := new(big.Int)
	for i := len(l) - 1; i >= 0; i-- {
		v.Lsh(v, uint(g.Bits))
		v.Add(v, big.NewInt(l[i]))
	}
	return v
}
