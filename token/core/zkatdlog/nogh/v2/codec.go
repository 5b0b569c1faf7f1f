package v2

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// version is the first byte of a proof.
const version = 2

const messageName = "v2 proof"

// A proof is (section 9)
//
//	02 ‖ M ‖ D₁ … D_k ‖ R₁ … R_k ‖ S ‖ Q ‖ w₀ … w₁₅ ‖ l₁ … l_{4k+1} ‖ z_v ‖ z_h ‖ [z_t] ‖ q_v ‖ q_r
//
// with uncompressed points and 32-byte scalars; z_t is absent if the type is
// public. The statement determines the length.

func (l layout) proofLen(g group.Group) int {
	return 1 + l.points()*g.PointLen() + l.scalars(responseParts)*group.ScalarLen
}

// Proof is a decoded proof.
type Proof struct {
	points    []group.CurvePoint // in the order of messages
	responses named              // as on the wire
}

// Decode decodes a proof about st without verifying it. Errors are
// ErrStatement, and *wire.DecodeError for the first defect of the bytes.
func (p *Params) Decode(st *Statement, b []byte) (*Proof, error) {
	if err := p.check(st); err != nil {
		return nil, err
	}
	proof := &Proof{}
	return proof, proof.decode(p.group, p.layoutOf(st), b)
}

// Encode returns the bytes of a proof.
func (proof *Proof) Encode(g group.Group) []byte {
	b := append(make([]byte, 0, proof.responses.proofLen(g)), version)
	for i := range proof.points {
		b = group.AppendCurvePoint(g, b, proof.points[i])
	}
	for _, s := range proof.responses.all {
		b = g.AppendScalar(b, s)
	}
	return b
}

// decode decodes b into the memory of proof. It checks the length before any
// computation.
func (proof *Proof) decode(g group.Group, l layout, b []byte) error {
	if len(b) != l.proofLen(g) {
		return &wire.DecodeError{What: messageName, Field: "", Offset: -1, Err: wire.ErrLength}
	}
	if b[0] != version {
		return &wire.DecodeError{What: messageName, Field: "version", Err: wire.ErrMalformed}
	}
	proof.points = resize(proof.points, l.points())
	proof.responses = named{l, responseParts, resize(proof.responses.all, l.scalars(responseParts))}
	at := 1
	for i := range proof.points {
		point, err := g.DecodeCurvePoint(b[at : at+g.PointLen()])
		if err == nil && point == (group.CurvePoint{}) {
			err = group.ErrIdentity
		}
		if err != nil {
			return &wire.DecodeError{What: messageName, Field: l.pointName(i), Offset: at, Err: err}
		}
		proof.points[i] = point
		at += g.PointLen()
	}
	for i := range proof.responses.all {
		s, err := g.DecodeScalar(b[at : at+group.ScalarLen])
		if err != nil {
			return &wire.DecodeError{What: messageName, Field: fmt.Sprintf("response %d", i), Offset: at,
				Err: err}
		}
		proof.responses.all[i] = s
		at += group.ScalarLen
	}
	return nil
}

// pointName returns the name of a point for errors.
func (l layout) pointName(i int) string {
	for _, m := range messages {
		n := l.count(m.size)
		if i < n && m.size == one {
			return m.name
		}
		if i < n {
			return fmt.Sprint(m.name, i+1)
		}
		i -= n
	}
	return ""
}

// resize returns s with length n, in new memory if its capacity is too small.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
