package rangeproof

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Weights draws the coefficients with which a verifier adds many equations
// into one. They come from a hash of all statements and proofs, so a prover
// must fix every proof before it learns any weight; a sum of equations of
// which one is false then holds with probability at most 2⁻¹²⁸ a try (the
// small-exponents test of Bellare, Garay and Rabin, EUROCRYPT '98).
type Weights struct {
	g     group.Group
	buf   []byte
	seed  [sha256.Size + 8]byte
	draws uint64
}

// weightLen is the length of a weight in bytes. Shorter scalars make the
// multiplication of the points that carry nothing but a weight cheaper.
const weightLen = 16

// NewWeights returns Weights over g that expects size bytes.
func NewWeights(g group.Group, size int) *Weights {
	return &Weights{g: g, buf: make([]byte, 0, size)}
}

// Reset forgets everything absorbed.
func (w *Weights) Reset() { w.buf, w.draws = w.buf[:0], 0 }

// Scalar absorbs s.
func (w *Weights) Scalar(s group.Scalar) { w.buf = w.g.AppendScalar(w.buf, s) }

// Scalars absorbs each of ss.
func (w *Weights) Scalars(ss []group.Scalar) {
	for i := range ss {
		w.Scalar(ss[i])
	}
}

// Point absorbs p.
func (w *Weights) Point(p group.Point) { w.buf = w.g.AppendPoint(w.buf, p) }

// Seal ends absorbing; Next may be called from here on.
func (w *Weights) Seal() {
	sum := sha256.Sum256(w.buf)
	copy(w.seed[:], sum[:])
}

// Next returns the next weight, below 2¹²⁸.
func (w *Weights) Next() group.Scalar {
	binary.LittleEndian.PutUint64(w.seed[sha256.Size:], w.draws)
	w.draws++
	sum := sha256.Sum256(w.seed[:])
	w.buf = append(w.buf[:0], sum[:weightLen]...)
	return w.g.Reduce(w.buf)
}

// VerifyBatch runs holds, which checks many items in one equation, and if it
// does not hold finds the first wrong item by bisection: ⌈log₂ n⌉ more calls.
// Statements and proofs of all items are checked again for each half, with
// fresh weights.
func VerifyBatch(items []Item, holds func([]Item) bool) error {
	if len(items) == 0 || holds(items) {
		return nil
	}
	return &RejectedError{Index: firstWrong(items, holds)}
}

// firstWrong returns the least index of a wrong item in items, which do not
// hold together.
func firstWrong(items []Item, holds func([]Item) bool) int {
	if len(items) == 1 {
		return 0
	}
	half := len(items) / 2
	if !holds(items[:half]) {
		return firstWrong(items[:half], holds)
	}
	return half + firstWrong(items[half:], holds)
}
