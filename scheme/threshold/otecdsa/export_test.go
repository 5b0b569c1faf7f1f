package otecdsa

import "github.com/zkatbench/zkatbench/scheme/threshold/secp"

// Dealt makes the shares of a triple from polynomials.
var Dealt = dealt

// SignWith returns the rerandomised R and the share for a given δ.
func SignWith(c Config, k secp.Key, pre *Presignature, tweak secp.Tweak, delta *secp.Scalar) (*secp.Point,
	*secp.Scalar) {
	return pre.share(c.IDs, k.ID, tweak, delta)
}

// Sigma returns the share of kx.
func (p *Presignature) Sigma() *secp.Scalar { return p.sigma }

// ErrChoice reports the point Y in a base oblivious transfer.
var ErrChoice = errChoice
