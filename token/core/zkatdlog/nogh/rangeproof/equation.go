package rangeproof

import "github.com/zkatbench/zkatbench/token/crypto/group"

// Equation is the one sum that a verification ends with: of multiples of the
// points of a table, and of points of statements and proofs. It is scratch
// memory and holds nothing secret.
type Equation struct {
	Fixed   []group.Scalar // of the points of the table, all of them
	points  []group.Point
	scalars []group.Scalar
	row     [1]group.Row
	sum     [1]group.Point
}

// Reset makes the sum empty.
func (e *Equation) Reset() {
	clear(e.Fixed)
	e.points, e.scalars = e.points[:0], e.scalars[:0]
}

// Term adds s·p.
func (e *Equation) Term(p group.Point, s group.Scalar) {
	e.points = append(e.points, p)
	e.scalars = append(e.scalars, s)
}

// Vanishes reports whether the sum is the identity.
func (e *Equation) Vanishes(g group.Group, t group.Table) bool {
	g = group.Phase(g, "equation")
	e.row[0] = group.Row{Scalars: e.Fixed}
	g.FixedMSM(e.sum[:], t, e.row[:])
	return g.IsIdentity(g.AddPoints(e.sum[0], g.MSM(e.points, e.scalars)))
}
