package robust

import "github.com/zkatbench/zkatbench/scheme/threshold/secp"

// SignWith returns the rerandomised R and the share for a given δ.
func SignWith(c Config, k secp.Key, pre *Presignature, tweak secp.Tweak, delta *secp.Scalar) (*secp.Point, *secp.Scalar) {
	s := &signer{Config: c, key: k, pre: pre, tweak: tweak}
	s.signWith(delta)
	return s.r, s.share
}
