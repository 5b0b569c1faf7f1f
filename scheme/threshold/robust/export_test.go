package robust

import (
	"slices"

	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// SignWith returns the rerandomised R and the share for a given δ.
func SignWith(c Config, k secp.Key, pre *Presignature, tweak secp.Tweak, delta *secp.Scalar) (*secp.Point,
	*secp.Scalar) {
	return pre.share(c.IDs, k.ID, tweak, delta)
}

// CheckDegree checks points of all parties.
func CheckDegree(c Config, points []*secp.Point) error {
	return (&presigner{Config: c}).checkDegree(points, stepNonce)
}

// Encode returns R, α, β, c and e.
func (p *Presignature) Encode() []byte {
	return slices.Concat(p.R.Encode(), secp.Encode(p.alpha), secp.Encode(p.beta), secp.Encode(p.c),
		secp.Encode(p.e))
}
