package credential

import (
	"slices"

	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Labels of the challenges.
const (
	labelPresentation = "signWithEidNymRhNym"
	labelSignature    = "sign"
	labelSignatureBBS = "nym-sig"
)

// challengeOf returns the challenge of a presentation for encoded commitments t,
// which a presentation on BLS12-381 contains.
func (k *Key) challengeOf(p *presentation.Presentation, t [5][]byte) group.Scalar {
	return k.withNonce(k.transcript(p, t), p.Nonce)
}

// transcript returns the bytes that are hashed for the challenge of a
// presentation: 759 on BN254, 1779 on BLS12-381.
func (k *Key) transcript(p *presentation.Presentation, t [5][]byte) []byte {
	b := []byte(labelPresentation)
	points := func(ps ...group.Point) { b = k.group.AppendPoints(b, nil, ps) }
	if k.bbs {
		points(p.ABar, p.APrime)
		b = append(append(b, k.raw[:k.group.PointLen()]...), t[0]...)
		points(p.B)
		b = append(append(b, k.raw...), t[1]...)
		for i, nym := range []group.Point{p.Nym, p.EID, p.RH} {
			points(nym)
			b = append(b, t[2+i]...)
		}
		return k.group.AppendScalar(b, k.AttributeScalar(nil)) // the empty message
	}
	b = slices.Concat(b, t[0], t[1], t[2])
	points(p.APrime, p.ABar, p.B, p.Nym, p.EID)
	b = append(b, t[3]...)
	points(p.RH)
	b = append(append(b, t[4]...), k.hash...)
	return append(b, make([]byte, presentation.Attributes)...) // 0: the attribute is hidden
}

// signatureChallenge returns the challenge of a signature of nym for the encoded
// commitment t.
func (k *Key) signatureChallenge(nym group.Point, t []byte, s *presentation.Signature,
	message []byte) group.Scalar {
	return k.withNonce(k.signatureTranscript(nym, t, message), s.Nonce)
}

// signatureTranscript returns the bytes that are hashed for the challenge of a
// signature.
func (k *Key) signatureTranscript(nym group.Point, t, message []byte) []byte {
	if k.bbs {
		b := k.group.AppendPoint([]byte(labelSignatureBBS), nym)
		return slices.Concat(b, k.raw[:2*k.group.PointLen()], t, message)
	}
	b := k.group.AppendPoint(append([]byte(labelSignature), t...), nym)
	return slices.Concat(b, k.hash, message)
}

// withNonce hashes the hash of b with a nonce.
func (k *Key) withNonce(b []byte, nonce group.Scalar) group.Scalar {
	first := k.group.AppendScalar(nil, k.AttributeScalar(b))
	return k.AttributeScalar(k.group.AppendScalar(first, nonce))
}
