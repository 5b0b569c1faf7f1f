package bulletproof

import (
	"encoding/binary"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Each function here is the one place that says what a challenge depends on.

// challengeYZ returns y = H(C, D, V) and z = H(y).
func challengeYZ(tr *transcript.V1, c, d, v group.Point) (y, z group.Scalar) {
	tr.Point(c)
	tr.Point(d)
	tr.Point(v)
	y = tr.Challenge()
	tr.Scalar(y)
	return y, tr.Challenge()
}

// challengePair returns x = H(T₁, T₂), or xⱼ = H(Lⱼ, Rⱼ) of a round.
func challengePair(tr *transcript.V1, a, b group.Point) group.Scalar {
	tr.Point(a)
	tr.Point(b)
	return tr.Challenge()
}

// challengeX0 returns x₀ = H(DER(LP(H′, G, Q, K), "||", t̂)): the right, primed
// generators come first. static is LP(G, Q).
func challengeX0(ws *workspace, g group.Group, static []byte, k group.Point, that group.Scalar) group.Scalar {
	ws.lp = g.AppendPoints(ws.lp[:0], ws.prefix, ws.primed)
	ws.lp = append(ws.lp, static...)
	ws.lp = g.AppendPoint(append(ws.lp, ws.prefix...), k)
	ws.z = g.AppendScalar(ws.z[:0], that)
	ws.der = wire.AppendOctetList(ws.der[:0], ws.lp, separator, ws.z)
	ws.tr.Raw(ws.der)
	return ws.tr.Challenge()
}

var separator = []byte("||")

// lengthPrefix is the length of a point as LP writes it.
func lengthPrefix(g group.Group) []byte {
	return binary.LittleEndian.AppendUint32(nil, uint32(g.PointLen()))
}
