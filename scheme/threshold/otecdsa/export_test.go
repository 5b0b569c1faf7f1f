package otecdsa

import "github.com/zkatbench/zkatbench/scheme/threshold/secp"

// Dealt makes the shares of a triple from polynomials.
var Dealt = dealt

// SignWith returns the rerandomised R and the share for a given δ.
func SignWith(c Config, k secp.Key, pre *Presignature, tweak secp.Tweak, delta *secp.Scalar) (*secp.Point, *secp.Scalar) {
	return pre.share(c.IDs, k.ID, tweak, delta)
}

// Shares returns the secret shares of a triple.
func (t *Triple) Shares() (a, b, c *secp.Scalar) { return t.a, t.b, t.c }

// Sigma returns the share of kx.
func (p *Presignature) Sigma() *secp.Scalar { return p.sigma }
