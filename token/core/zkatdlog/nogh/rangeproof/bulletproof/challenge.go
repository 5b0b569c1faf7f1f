package bulletproof

import (
	"encoding/binary"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	v1 "github.com/zkatbench/zkatbench/token/crypto/transcript"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// transcript computes the challenges of one proof after the other.
type transcript struct {
	*v1.V1
	prefix     []byte // of a point in LP
	lp, der, z []byte
}

func newTranscript(g group.Group, bits int) *transcript {
	return &transcript{V1: v1.NewV1(g, (2*bits+8)*(4+g.PointLen())+64), prefix: lengthPrefix(g)}
}

// Each function here is the only place that lists the inputs of a challenge.

// challengeYZ returns y = H(C, D, V) and z = H(y).
func challengeYZ(tr *v1.V1, c, d, v group.Point) (y, z group.Scalar) {
	tr.Point(c)
	tr.Point(d)
	tr.Point(v)
	y = tr.Challenge()
	tr.Scalar(y)
	return y, tr.Challenge()
}

// challengePair returns x = H(T₁, T₂), or xⱼ = H(Lⱼ, Rⱼ) of a round.
func challengePair(tr *v1.V1, a, b group.Point) group.Scalar {
	tr.Point(a)
	tr.Point(b)
	return tr.Challenge()
}

// challengeX0 returns x₀ = H(DER(LP(H′, G, Q, K), "||", t̂)): the right, primed
// generators come first. static is LP(G, Q).
func challengeX0(tr *transcript, g group.Group, primed []group.Point, static []byte, k group.Point,
	that group.Scalar) group.Scalar {
	tr.lp = g.AppendPoints(tr.lp[:0], tr.prefix, primed)
	tr.lp = append(tr.lp, static...)
	tr.lp = g.AppendPoint(append(tr.lp, tr.prefix...), k)
	tr.z = g.AppendScalar(tr.z[:0], that)
	tr.der = wire.AppendOctetList(tr.der[:0], tr.lp, separator, tr.z)
	tr.Raw(tr.der)
	return tr.Challenge()
}

var separator = []byte("||")

// lengthPrefix is the length of a point as LP writes it.
func lengthPrefix(g group.Group) []byte {
	return binary.LittleEndian.AppendUint32(nil, uint32(g.PointLen()))
}
