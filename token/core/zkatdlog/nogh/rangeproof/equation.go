package rangeproof

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// Equation is the sum at the end of a verification: of multiples of the points of
// a table, and of points of statements and proofs.
type Equation struct {
	Fixed   []group.Scalar // of the points of the table, all of them
	points  []group.Point
	scalars []group.Scalar
	row     []group.Row // the only one, of Fixed
	memory  *round.Memory
}

// Format implements fmt.Formatter for every verb and does not show the memory, which
// provers use too.
func (Equation) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "equation of range proofs") }

// NewEquation returns the empty sum in m, for a table of fixed points and at most
// terms others.
func NewEquation(m *round.Memory, fixed, terms int) Equation {
	e := Equation{
		Fixed: m.Scalars(fixed), points: m.Points(terms)[:0], scalars: m.Scalars(terms)[:0],
		row: m.Rows(1), memory: m,
	}
	e.row[0].Scalars = e.Fixed
	return e
}

// Term adds s·p.
func (e *Equation) Term(p group.Point, s group.Scalar) {
	e.points = append(e.points, p)
	e.scalars = append(e.scalars, s)
}

// Vanishes reports whether the sum is the identity.
func (e *Equation) Vanishes(g group.Group, t group.Table) bool {
	g = group.Phase(g, "equation")
	sums, others := e.memory.Points(2), e.memory.Terms(1)
	others[0] = group.Terms{Points: e.points, Scalars: e.scalars}
	g.FixedMSM(sums[:1], t, e.row)
	g.MSMs(sums[1:], others)
	return group.IsIdentity(g.AddPoints(sums[0], sums[1]))
}

// Weights draws the coefficients by which a verifier adds many equations
// into one. They come from a hash of all statements and proofs, so a prover
// must fix every proof before it learns any weight. If an equation is false,
// the sum then holds with probability at most 2⁻¹²⁸ a try (the small-exponents
// test of Bellare, Garay and Rabin, EUROCRYPT '98).
type Weights struct {
	g     group.Group
	buf   []byte
	seed  [sha256.Size + 8]byte
	draws uint64
}

// weightLen is the length of a weight in bytes. Shorter scalars make the
// multiplication of the points that carry only a weight cheaper.
const weightLen = 16

// NewWeights returns Weights over g that absorb into buf first.
func NewWeights(g group.Group, buf []byte) Weights { return Weights{g: g, buf: buf} }

// Scalar absorbs s.
func (w *Weights) Scalar(s group.Scalar) { w.buf = w.g.AppendScalar(w.buf, s) }

// Scalars absorbs each of ss.
func (w *Weights) Scalars(ss []group.Scalar) {
	for i := range ss {
		w.Scalar(ss[i])
	}
}

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
