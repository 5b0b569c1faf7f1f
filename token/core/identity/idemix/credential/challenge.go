package credential

import (
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Labels of the challenges.
const (
	labelPresentation = "signWithEidNymRhNym"
	labelSignature    = "sign"
	labelSignatureBBS = "nym-sig"
)

// challengeOf returns the challenge of a presentation for commitments t, those in
// the presentation on BLS12-381.
func (k *Key) challengeOf(p *presentation.Presentation, t []group.Point) group.Scalar {
	b := []byte(labelPresentation)
	points := func(ps ...group.Point) { b = k.group.AppendPoints(b, nil, ps) }
	if k.bbs {
		n := k.group.PointLen()
		points(p.ABar, p.APrime)
		b = append(b, k.raw[:n]...)
		points(t[0], p.B)
		b = append(b, k.raw...)
		points(t[1], p.Nym, t[2], p.EID, t[3], p.RH, t[4])
		b = k.group.AppendScalar(b, k.toScalar(nil)) // the empty message
	} else {
		points(t[0], t[1], t[2], p.APrime, p.ABar, p.B, p.Nym, p.EID, t[3], p.RH, t[4])
		b = append(b, k.hash...)
		b = append(b, make([]byte, presentation.Attributes)...) // 0: the attribute is hidden
	}
	return k.withNonce(b, p.Nonce)
}

// signatureChallenge returns the challenge of a signature of nym for the
// commitment t.
func (k *Key) signatureChallenge(nym, t group.Point, s *presentation.Signature, message []byte) group.Scalar {
	var b []byte
	if k.bbs {
		b = k.group.AppendPoint([]byte(labelSignatureBBS), nym)
		b = append(b, k.raw[:2*k.group.PointLen()]...)
		b = k.group.AppendPoint(b, t)
	} else {
		b = k.group.AppendPoints([]byte(labelSignature), nil, []group.Point{t, nym})
		b = append(b, k.hash...)
	}
	return k.withNonce(append(b, message...), s.Nonce)
}

// withNonce hashes the hash of b with a nonce.
func (k *Key) withNonce(b []byte, nonce group.Scalar) group.Scalar {
	first := k.group.AppendScalar(nil, k.toScalar(b))
	return k.toScalar(k.group.AppendScalar(first, nonce))
}
