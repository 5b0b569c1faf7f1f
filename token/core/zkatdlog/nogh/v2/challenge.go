package v2

import (
	"encoding/binary"
	"slices"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
)

// domain separates the challenges of this protocol from other hashes to the
// field.
const domain = "zkatdlog-nogh-v2/challenge"

// challenges are all challenges of a proof.
type challenges struct {
	e                           group.Scalar
	chi, zeta, lambda, y, omega group.Scalar
	x                           group.Scalar
}

// The functions below are the only places that define the inputs of each
// challenge (section 5). Points are absorbed as encoded in the proof.

// begin absorbs the parameters and the statement.
func (p *Params) begin(tr *transcript.Chain, st *Statement) {
	g := p.group
	tr.Reset()
	b := append(tr.Begin("zkatdlog-nogh-v2/statement"), p.digest[:]...)
	b = append(b, byte(st.Kind), asByte(st.PublicType))
	b = binary.BigEndian.AppendUint16(b, uint16(p.bits))
	b = binary.BigEndian.AppendUint16(b, uint16(len(st.Inputs)))
	b = binary.BigEndian.AppendUint16(b, uint16(len(st.Outputs)))
	b = binary.BigEndian.AppendUint64(b, st.PublicValue)
	b = g.AppendScalar(b, st.Type)
	b = binary.BigEndian.AppendUint32(b, uint32(len(st.Context)))
	b = append(b, st.Context...)
	for i := range st.Inputs {
		b = group.AppendCurvePoint(g, b, st.Inputs[i])
	}
	tr.End(g.AppendPoints(b, nil, st.Outputs))
}

func asByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// afterDigits absorbs M, D₁ … D_k and sets e.
func (c *challenges) afterDigits(g group.Group, tr *transcript.Chain, points []byte) {
	tr.Link("zkatdlog-nogh-v2/digits", points)
	var dst [1]group.Scalar
	tr.Challenges(g, dst[:], domain)
	c.e = dst[0]
}

// afterReciprocals absorbs R₁ … R_k and sets χ, ζ, λ, y, ω.
func (c *challenges) afterReciprocals(g group.Group, tr *transcript.Chain, points []byte) {
	tr.Link("zkatdlog-nogh-v2/reciprocals", points)
	var dst [5]group.Scalar
	tr.Challenges(g, dst[:], domain)
	c.chi, c.zeta, c.lambda = dst[0], dst[1], dst[2]
	c.y, c.omega = dst[3], dst[4]
}

// afterMasks absorbs S and Q and sets x.
func (c *challenges) afterMasks(g group.Group, tr *transcript.Chain, points []byte) {
	tr.Link("zkatdlog-nogh-v2/masks", points)
	var dst [1]group.Scalar
	tr.Challenges(g, dst[:], domain)
	c.x = dst[0]
}

// afterResponses absorbs the responses, on which the weights of batches depend.
func afterResponses(tr *transcript.Chain, responses []byte) {
	tr.Link("zkatdlog-nogh-v2/responses", responses)
}

// exceptional reports whether the protocol is undefined for c.
func (c *challenges) exceptional(g group.Group) bool {
	var zero group.Scalar
	if slices.Contains([]group.Scalar{c.chi, c.zeta, c.lambda, c.y, c.omega, c.x}, zero) {
		return true
	}
	return exceptionalPole(g, c.e)
}

// exceptionalPole reports whether e + δ = 0 for a digit δ, so that its
// reciprocal does not exist.
func exceptionalPole(g group.Group, e group.Scalar) bool {
	one := g.Uint64(1)
	for range group.DigitBase {
		if e == (group.Scalar{}) {
			return true
		}
		e = g.Add(e, one)
	}
	return false
}
