package presentation

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// newBN254 returns the "dlog" scheme.
//
// A presentation is the message { A′ = 1, Ā = 2, B′ = 3, c = 4, responses = 5 …
// 10, nonce = 11, pseudonym = 12, its response = 13, epoch key = 14, its
// signature = 15, epoch = 16, non-revocation proof = 17, E with its response =
// 18, R with its response = 19 }, with points as messages { X = 1, Y = 2 }. A
// signature of a pseudonym is { c = 1, responses = 2, 3, nonce = 4 }.
func newBN254(g *bn254.Group) *Scheme {
	generator := g.GeneratorG2()
	return &Scheme{
		group:        g,
		issuerKey:    func(b []byte) (*IssuerKey, error) { return dlogIssuerKey(g, generator, b) },
		decodePoints: strict(g),
		presentation: func(r *reader, id *Identity) {
			dlogPresentation(r, generator, id)
		},
		signature: func(r *reader, s *Signature) {
			r.scalar(1, "challenge", &s.Challenge)
			r.scalar(2, "response of the secret key", &s.SecretKey)
			r.scalar(3, "response of the blinding", &s.Blinding)
			r.scalar(4, "nonce", &s.Nonce)
		},
	}
}

// dlogPresentation reads the fields of a presentation in their order, and checks its pseudonym
// and its epoch key.
func dlogPresentation(r *reader, generator []byte, id *Identity) {
	p := &id.Presentation
	coordinates(r, &r.Message, 1, "A'", &p.APrime)
	coordinates(r, &r.Message, 2, "Abar", &p.ABar)
	coordinates(r, &r.Message, 3, "B'", &p.B)
	r.scalar(4, "challenge", &p.Challenge)
	r.scalar(5, "response of the secret key", &p.SecretKey)
	r.scalar(6, "response of e", &p.E)
	r.scalar(7, "response of r2", &p.R2)
	r.scalar(8, "response of r3", &p.R3)
	r.scalar(9, "response of s'", &p.S)
	for i := range p.Attributes {
		r.scalar(10, fmt.Sprintf("response of attribute %d", i), &p.Attributes[i])
	}
	r.scalar(11, "nonce", &p.Nonce)
	r.same("pseudonym", coordinates(r, &r.Message, 12, "pseudonym", &p.Nym), id.Nym)
	r.scalar(13, "response of the pseudonym", &p.Responses.Nym)
	key := r.Sub(14, "epoch key")
	var raw []byte
	for n := range protowire.Number(4) {
		raw = append(raw, exact(&key, n+1, "coordinate", len(generator)/4)...)
	}
	if key.Done() == nil {
		r.same("epoch key", raw, generator)
	}
	epochSignature(r, 15)
	exact(&r.Message, 17, "non-revocation proof", 0) // the epoch, field 16, is absent
	id.EID = attributeNym(r, 18, "enrolment identifier", &p.EID, &p.Responses.EID)
	attributeNym(r, 19, "revocation handle", &p.RH, &p.Responses.RH)
}

// coordinates reads a point from the message { X = 1, Y = 2 }, and returns
// its uncompressed form.
func coordinates(r *reader, m *wire.Message, n protowire.Number, field string, to *group.Point) []byte {
	sub, half := m.Sub(n, field), r.group.PointLen()/2
	raw := append(append([]byte(nil), exact(&sub, 1, "X", half)...), exact(&sub, 2, "Y", half)...)
	sub.Done()
	r.laterPoint(field, raw, to)
	return raw
}

// attributeNym reads the pseudonym of an attribute, { point = 1, response = 2 },
// and returns the uncompressed form of the point.
func attributeNym(r *reader, n protowire.Number, field string, to *group.Point,
	response *group.Scalar) []byte {
	sub := r.Sub(n, field)
	raw := coordinates(r, &sub, 1, "pseudonym", to)
	r.laterScalar("response of the "+field, exact(&sub, 2, "response", group.ScalarLen), response)
	sub.Done()
	return raw
}

// epochSignature reads the signature of the epoch's key, of any content.
func epochSignature(r *reader, n protowire.Number) {
	const field = "signature of the epoch key"
	switch b := r.Present(n, field); {
	case len(b) == 0:
		r.Fail(field, wire.ErrMissing)
	case len(b) > maxEpochSignature:
		r.Fail(field, wire.ErrTooLarge)
	}
}
