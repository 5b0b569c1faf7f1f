// Code generated from bn254/invert.go by bls12381/generate. DO NOT EDIT.

package bls12381

import "github.com/consensys/gnark-crypto/ecc/bls12-381/fp"

// lanes is how many elements gnark-crypto multiplies at a time. It is slower for
// the elements that are left over.
const lanes = 8

// blocksOf returns how many blocks n places take.
func blocksOf(n int) int { return (n + lanes - 1) / lanes }

// serialLen is the largest number of products that are inverted one by one.
const serialLen = 2*lanes - 1

// inverter inverts vectors of at most batchLen coordinates with one inversion
// in the field.
type inverter struct {
	tree vector // products of the elements, pairwise, level by level
	temp vector
	used int // the longest vector since the last wipe
}

func newInverter() inverter {
	return inverter{tree: make(vector, 2*batchLen), temp: make(vector, batchLen)}
}

// invert replaces v by the inverses of its elements. If an element is zero, it
// returns false and v is unchanged. It is Montgomery's trick over a tree of
// products, so that every step multiplies vectors: element i of a level is the
// product of elements i and i+h of the level below, where h is about half the
// length of that level. Elements from 2h on move up unchanged.
func (s *inverter) invert(v vector) bool {
	s.used = max(s.used, len(v))
	var levels [16]vector
	depth := 0
	free := s.tree
	levels[0] = v
	for len(levels[depth]) > serialLen {
		below := levels[depth]
		h := halfLanes(len(below))
		above := free[:len(below)-h]
		free = free[len(above):]
		above[:h].mul(below[:h], below[h:2*h])
		copy(above[h:], below[2*h:])
		depth++
		levels[depth] = above
	}
	if !invertFew(levels[depth]) {
		return false
	}
	for ; depth > 0; depth-- {
		s.descend(levels[depth-1], levels[depth])
	}
	return true
}

// halfLanes returns half of n, rounded down to whole lanes.
func halfLanes(n int) int { return n / (2 * lanes) * lanes }

// descend replaces the elements of a level by their inverses, given the inverses
// of the level above.
func (s *inverter) descend(below, above vector) {
	h := halfLanes(len(below))
	t, low, high := s.temp[:h], below[:h], below[h:2*h]
	t.mul(above[:h], low)
	low.mul(above[:h], high)
	copy(high, t)
	copy(below[2*h:], above[h:])
}

// invertFew inverts the elements of v, at most serialLen. If one is zero, it
// returns false and v is unchanged.
func invertFew(v vector) bool {
	var before [serialLen]fp.Element
	product := fp.One()
	for i := range v {
		before[i] = product
		product.Mul(&product, &v[i])
	}
	if product.IsZero() {
		return false
	}
	invertElement(&product, &product)
	for i := len(v) - 1; i >= 0; i-- {
		e := v[i]
		v[i].Mul(&product, &before[i])
		product.Mul(&product, &e)
	}
	return true
}

// wipe clears the memory that was used.
func (s *inverter) wipe() {
	clear(s.temp[:s.used])
	clear(s.tree[:2*s.used]) // levels of whole lanes may be longer than v
	s.used = 0
}
