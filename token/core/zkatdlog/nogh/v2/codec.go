package v2

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// version is the first byte of a proof.
const version = 2

const what = "v2 proof"

// A proof is (section 9)
//
//	02 ‖ M ‖ D₁ … D_k ‖ R₁ … R_k ‖ S ‖ Q ‖ w₀ … w₁₅ ‖ l₁ … l_{4k+1} ‖ z_v ‖ z_h ‖ [z_t] ‖ q_v ‖ q_r
//
// with uncompressed points and 32-byte scalars; z_t is absent if the type is
// public. The statement determines the length.

func (l layout) proofLen(g group.Group, publicType bool) int {
	return 1 + l.points()*g.PointLen() + l.responses(publicType)*group.ScalarLen
}

// Indices of the points of a proof.
const atM = 0

func (l layout) atD(block int) int { return 1 + block }
func (l layout) atR(block int) int { return 1 + l.blocks + block }
func (l layout) atS() int          { return 1 + 2*l.blocks }
func (l layout) atQ() int          { return 2 + 2*l.blocks }

// Proof is a decoded proof.
type Proof struct {
	layout     layout
	publicType bool
	points     []group.CurvePoint // M, D₁ … D_k, R₁ … R_k, S, Q
	responses  []group.Scalar     // as on the wire
}

// Decode decodes a proof about st without verifying it. Errors are
// ErrStatement, and *wire.DecodeError for the first defect of the bytes.
func (p *Params) Decode(st *Statement, b []byte) (*Proof, error) {
	if err := p.check(st); err != nil {
		return nil, err
	}
	proof := &Proof{}
	return proof, proof.decode(p.group, p.layoutOf(len(st.Inputs), len(st.Outputs)), st.PublicType, b)
}

// Encode returns the bytes of a proof.
func (proof *Proof) Encode(g group.Group) []byte {
	b := append(make([]byte, 0, proof.layout.proofLen(g, proof.publicType)), version)
	for i := range proof.points {
		b = group.AppendCurvePoint(g, b, proof.points[i])
	}
	for _, s := range proof.responses {
		b = g.AppendScalar(b, s)
	}
	return b
}

// decode decodes b into the memory of proof. It checks the length before any
// computation.
func (proof *Proof) decode(g group.Group, l layout, publicType bool, b []byte) error {
	if len(b) != l.proofLen(g, publicType) {
		return &wire.DecodeError{What: what, Field: "", Offset: -1, Err: wire.ErrLength}
	}
	if b[0] != version {
		return &wire.DecodeError{What: what, Field: "version", Err: wire.ErrMalformed}
	}
	proof.layout, proof.publicType = l, publicType
	proof.points = resize(proof.points, l.points())
	proof.responses = resize(proof.responses, l.responses(publicType))
	at := 1
	for i := range proof.points {
		point, err := g.DecodeCurvePoint(b[at : at+g.PointLen()])
		if err == nil && point == (group.CurvePoint{}) {
			err = group.ErrIdentity
		}
		if err != nil {
			return &wire.DecodeError{What: what, Field: l.pointName(i), Offset: at, Err: err}
		}
		proof.points[i] = point
		at += g.PointLen()
	}
	for i := range proof.responses {
		s, err := g.DecodeScalar(b[at : at+group.ScalarLen])
		if err != nil {
			return &wire.DecodeError{What: what, Field: fmt.Sprintf("response %d", i), Offset: at, Err: err}
		}
		proof.responses[i] = s
		at += group.ScalarLen
	}
	return nil
}

// pointName returns the name of a point for errors.
func (l layout) pointName(i int) string {
	switch {
	case i == atM:
		return "M"
	case i < l.atR(0):
		return fmt.Sprintf("D%d", i)
	case i < l.atS():
		return fmt.Sprintf("R%d", i-l.blocks)
	case i == l.atS():
		return "S"
	}
	return "Q"
}

// segments divides the bytes of a proof into the parts that the transcript
// absorbs.
func (l layout) segments(g group.Group, b []byte) (digits, reciprocals, masks, responses []byte) {
	n := g.PointLen()
	cut := func(points int) (part []byte) {
		part, b = b[:points*n], b[points*n:]
		return part
	}
	b = b[1:]
	digits, reciprocals, masks = cut(1+l.blocks), cut(l.blocks), cut(2)
	return digits, reciprocals, masks, b
}

// The responses by name.
func (proof *Proof) w() []group.Scalar { return proof.responses[:slots] }

// l returns l₁ … l_{4k+1}.
func (proof *Proof) l() []group.Scalar {
	return proof.responses[slots : slots+proof.layout.errors()-1]
}

// z returns z_v, z_h, [z_t], q_v, q_r.
func (proof *Proof) z() []group.Scalar {
	return proof.responses[slots+proof.layout.errors()-1:]
}

// resize returns s with length n, in new memory if its capacity is too small.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
