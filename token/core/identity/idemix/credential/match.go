package credential

import (
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Opening is an enrolment identifier and a revocation handle with the blindings of
// their pseudonyms.
type Opening struct {
	EnrollmentID, RevocationHandle []byte
	EIDBlinding, RHBlinding        group.Scalar
}

// Opens reports for each presentation whether its opening opens both pseudonyms, with
// one sum over the table of k. The pseudonym of a value of an attribute is
// H(value)·a + ρ·h.
func (k *Key) Opens(ps []*presentation.Presentation, openings []Opening) []bool {
	rows := make([]group.Row, 0, 2*len(ps))
	add := func(position int32, value []byte, rho group.Scalar) {
		rows = append(rows,
			group.Row{Index: []int32{blinding, attribute + position},
				Scalars: []group.Scalar{rho, k.AttributeScalar(value)}})
	}
	for _, o := range openings {
		add(presentation.EnrollmentID, o.EnrollmentID, o.EIDBlinding)
		add(presentation.RevocationHandle, o.RevocationHandle, o.RHBlinding)
	}
	sums, opened := make([]group.Point, len(rows)), make([]bool, len(ps))
	k.group.FixedMSM(sums, k.bases, rows)
	for i, p := range ps {
		opened[i] = k.group.Equal(p.EID, sums[2*i]) && k.group.Equal(p.RH, sums[2*i+1])
	}
	return opened
}
