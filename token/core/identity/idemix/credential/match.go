package credential

import (
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Pseudonym returns the pseudonym H(value)·a + ρ·h of a value of the attribute at
// a position, the enrolment identifier or the revocation handle.
func (k *Key) Pseudonym(position int, value []byte, rho group.Scalar) group.Point {
	var sum [1]group.Point
	row := group.Row{Index: []int32{blinding, int32(attribute + position)}, Scalars: []group.Scalar{rho, k.AttributeScalar(value)}}
	k.group.FixedMSM(sum[:], k.bases, []group.Row{row})
	return sum[0]
}

// Opening is an enrolment identifier and a revocation handle with the blindings of
// their pseudonyms.
type Opening struct {
	EnrollmentID, RevocationHandle []byte
	EIDBlinding, RHBlinding        group.Scalar
}

// Opens reports whether o opens the two pseudonyms of a presentation.
func (k *Key) Opens(p *presentation.Presentation, o Opening) bool {
	return k.group.Equal(p.EID, k.Pseudonym(presentation.EnrollmentID, o.EnrollmentID, o.EIDBlinding)) &&
		k.group.Equal(p.RH, k.Pseudonym(presentation.RevocationHandle, o.RevocationHandle, o.RHBlinding))
}
