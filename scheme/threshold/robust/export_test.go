package robust

import (
	"io"

	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// SignWith returns the rerandomised R and the share for a given δ.
func SignWith(c Config, k secp.Key, pre *Presignature, tweak secp.Tweak, delta *secp.Scalar) (*secp.Point, *secp.Scalar) {
	return pre.share(c.IDs, k.ID, tweak, delta)
}

// CheckDegree checks points of all parties.
func CheckDegree(c Config, random io.Reader, points []*secp.Point) error {
	return (&presigner{Config: c, random: random}).checkDegree(points, stepNonce)
}
