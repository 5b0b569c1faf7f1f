package credential

import (
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// sums collects sums over the bases and over points of presentations. They are
// computed together: sum i is fixed[i] - variable[i].
type sums struct {
	key      *Key
	fixed    []group.Row
	variable []group.Terms
}

func (s *sums) add(fixed group.Row, points []group.Point, scalars []group.Scalar) {
	s.fixed = append(s.fixed, fixed)
	s.variable = append(s.variable, group.Terms{Points: points, Scalars: scalars})
}

// presentation adds t₁ … t₅ of p for the challenge ĉ. difference is Ā - B.
func (s *sums) presentation(p *presentation.Presentation, difference group.Point, c group.Scalar) {
	g, r := s.key.group, &p.Responses
	s.add(group.Row{First: blinding, Scalars: []group.Scalar{r.R2}},
		[]group.Point{p.APrime, difference}, []group.Scalar{g.Neg(r.E), c})
	s.add(group.Row{First: generator,
		Scalars: append([]group.Scalar{c, r.S, r.SecretKey}, r.Attributes[:]...)},
		[]group.Point{p.B}, []group.Scalar{g.Neg(r.R3)})
	s.pseudonym(p.Nym, r.Nym, r.SecretKey, c)
	s.attribute(presentation.EnrollmentID, p.EID, r.EID, r, c)
	s.attribute(presentation.RevocationHandle, p.RH, r.RH, r, c)
}

// pseudonym adds t₃, or the sum of a signature: secret·k + blinding·h - ĉ·nym.
func (s *sums) pseudonym(nym group.Point, rho, secret, c group.Scalar) {
	s.add(group.Row{First: blinding, Scalars: []group.Scalar{rho, secret}}, []group.Point{nym},
		[]group.Scalar{c})
}

// attribute adds t₄ or t₅.
func (s *sums) attribute(i int, nym group.Point, rho group.Scalar, r *presentation.Responses,
	c group.Scalar) {
	s.add(group.Row{Index: []int32{blinding, int32(attribute + i)},
		Scalars: []group.Scalar{rho, r.Attributes[i]}},
		[]group.Point{nym}, []group.Scalar{c})
}

// compute returns the encodings of all sums.
func (s *sums) compute() [][]byte {
	g := s.key.group
	fixed, variable := make([]group.Point, len(s.fixed)), make([]group.Point, len(s.fixed))
	g.FixedMSM(fixed, s.key.bases, s.fixed)
	g.MSMs(variable, s.variable)
	g.SubPointVec(fixed, fixed, variable)
	all, n := g.AppendPoints(nil, nil, fixed), g.PointLen()
	encoded := make([][]byte, len(fixed))
	for i := range encoded {
		encoded[i] = all[n*i : n*i+n : n*i+n]
	}
	return encoded
}
