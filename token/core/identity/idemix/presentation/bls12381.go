package presentation

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/bls12381"
)

// newBLS12381 returns the BBS+ scheme.
//
// ProofG1(n) is a compressed commitment T, the number n in four bytes and n
// responses. A presentation is the message { main = 1, nonce = 2, pseudonym = 3,
// ProofG1(2) of it = 4, E = 5, ProofG1(2) = 6, position = 7, R = 8, ProofG1(2) =
// 9, position = 10, epoch key = 11, its signature = 12, epoch = 13,
// non-revocation proof = 14 } and main the bytes 0, 5, 0 (five messages, all
// hidden), A′, Ā and D compressed, the length of the first of ProofG1(2) and
// ProofG1(7), and both. A signature of a pseudonym is { ProofG1(2) = 1, nonce =
// 2 }.
func newBLS12381(g *bls12381.Group) *Scheme {
	b := bbs{Group: g, generator: g.GeneratorG2()}
	return &Scheme{
		group:        g,
		issuerKey:    func(b []byte) (*IssuerKey, error) { return bbsIssuerKey(g, b) },
		decodePoints: decodeAll(g),
		presentation: b.presentation,
		signature: func(r *reader, s *Signature) {
			proof := exact(&r.Message, 1, "proof", proofLen(2))
			b.proof(r, "proof", proof, &s.Commitment, &s.Blinding, &s.SecretKey)
			r.scalar(2, "nonce", &s.Nonce)
		},
	}
}

type bbs struct {
	*bls12381.Group
	generator []byte
}

// proofLen is the length of ProofG1(n).
func proofLen(n int) int { return bls12381.CompressedLen + 4 + n*group.ScalarLen }

// messages are the header of main: the secret key and four attributes, all
// hidden.
var messages = []byte{0, 1 + Attributes, 0}

// presentation reads the fields of a presentation in their order, and checks that repeated
// values are equal.
func (b bbs) presentation(r *reader, id *Identity) {
	p := &id.Presentation
	// The secret key, the enrolment identifier and the revocation handle have a
	// response in the proof of the credential and another in the proof of a pseudonym.
	var again Responses
	b.main(r, r.Present(1, "main"), p)
	r.scalar(2, "nonce", &p.Nonce)
	r.same("pseudonym", b.point(r, 3, "pseudonym", &p.Nym), id.Nym)
	b.proof(r, "proof of the pseudonym", r.Present(4, "proof of the pseudonym"),
		&p.Commitments[2], &p.Responses.Nym, &again.SecretKey)

	id.EID = b.point(r, 5, "pseudonym of the enrolment identifier", &p.EID)
	b.proof(r, "proof of the enrolment identifier", r.Present(6, "proof of the enrolment identifier"),
		&p.Commitments[3], &p.Responses.EID, &again.Attributes[EnrollmentID])
	b.position(r, 7, "position of the enrolment identifier", EnrollmentID)

	b.point(r, 8, "pseudonym of the revocation handle", &p.RH)
	b.proof(r, "proof of the revocation handle", r.Present(9, "proof of the revocation handle"),
		&p.Commitments[4], &p.Responses.RH, &again.Attributes[RevocationHandle])
	b.position(r, 10, "position of the revocation handle", RevocationHandle)

	r.same("epoch key", exact(&r.Message, 11, "epoch key", len(b.generator)), b.generator)
	epochSignature(r, 12)
	exact(&r.Message, 14, "non-revocation proof", 0) // the epoch, field 13, is absent
	r.equal("response of the secret key", &p.SecretKey, &again.SecretKey)
	for _, i := range []int{EnrollmentID, RevocationHandle} {
		r.equal(fmt.Sprintf("response of attribute %d", i), &p.Attributes[i], &again.Attributes[i])
	}
}

// main reads the proof of the credential.
func (b bbs) main(r *reader, raw []byte, p *Presentation) {
	in := parts{r: r, field: "main", rest: raw}
	r.same("numbers of messages", in.cut(len(messages)), messages)
	r.laterPoint("A'", in.cut(bls12381.CompressedLen), &p.APrime)
	r.laterPoint("Abar", in.cut(bls12381.CompressedLen), &p.ABar)
	r.laterPoint("D", in.cut(bls12381.CompressedLen), &p.B)
	in.number(proofLen(2))
	b.proof(r, "proof of e", in.cut(proofLen(2)), &p.Commitments[0], &p.E, &p.R2)
	a := &p.Responses.Attributes
	b.proof(r, "proof of the attributes", in.cut(proofLen(3+Attributes)),
		&p.Commitments[1], &p.R3, &p.S, &p.SecretKey, &a[0], &a[1], &a[2], &a[3])
	in.done()
}

// proof reads ProofG1 of a commitment and exactly so many responses.
func (b bbs) proof(r *reader, field string, raw []byte, commitment *[]byte, responses ...*group.Scalar) {
	in := parts{r: r, field: field, rest: raw}
	r.laterCommitment("commitment in the "+field, in.cut(bls12381.CompressedLen), commitment)
	in.number(len(responses))
	for i, to := range responses {
		r.laterScalar(fmt.Sprintf("response %d in the %s", i, field), in.cut(group.ScalarLen), to)
	}
	in.done()
}

// point reads a bytes field with an uncompressed point.
func (b bbs) point(r *reader, n protowire.Number, field string, to *group.Point) []byte {
	raw := exact(&r.Message, n, field, b.PointLen())
	r.laterPoint(field, raw, to)
	return raw
}

// position reads the position of an attribute's response in the proof of the
// attributes, which the credential format fixes: the responses of D, h and the
// secret key stand before the attributes.
func (b bbs) position(r *reader, n protowire.Number, field string, attribute uint64) {
	const first = 3
	if r.Uint(n, field, 1<<31) != first+attribute {
		r.Fail(field, ErrDiffers)
	}
}
