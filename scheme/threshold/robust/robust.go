// Package robust is Robust ECDSA on secp256k1 for t malicious parties of N = 2t+1,
// as parties of package engine.
//
// Presigning (scheme of the specification docs/spec/threshold.md, section 4.2):
// parties share random k and a, publish R_i = k·G and w_i = a·k + b, and W_i = a·R.
// They check that all points lie on polynomials of degree t in the exponent, and
// that W(0) = w·G. A presignature signs once.
//
// A benchmark, not a wallet: keys come from a dealer, time varies with secrets,
// memory is not wiped.
package robust

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// Config is common to all parties of a run.
type Config struct {
	MaxMalicious int      // t
	IDs          []uint32 // 2t+1, sorted
	Coordinator  uint32
	Codec        codec.Codec
}

// The errors of a configuration and of the checks.
var (
	ErrParties      = errors.New("parties must be 2t+1")
	ErrHash         = secp.ErrHash
	ErrReused       = secp.ErrReused
	ErrDegree       = errors.New("point is not on a polynomial of degree t")
	ErrInconsistent = errors.New("W(0) is not w·G")
)

// check returns ErrParties unless there are 2t+1 parties.
func (c Config) check() error {
	if c.MaxMalicious < 1 || len(c.IDs) != 2*c.MaxMalicious+1 {
		return fmt.Errorf("%w: %d parties for t = %d", ErrParties, len(c.IDs), c.MaxMalicious)
	}
	return nil
}

// Presignature is the output of presigning of one party.
type Presignature struct {
	R                 *secp.Point
	alpha, beta, c, e *secp.Scalar
	used              bool
}

// Format implements fmt.Formatter for every verb and shows no secret.
func (Presignature) Format(s fmt.State, _ rune) {
	_, _ = io.WriteString(s, "Robust ECDSA presignature")
}

// Copy returns a presignature for another run of the same signature: a benchmark
// signs the same message with it again. It must not sign another message.
func (p *Presignature) Copy() *Presignature {
	q := *p
	q.used = false
	return &q
}

const (
	stepShares  = "shares"
	stepNonce   = "R, w"
	stepProduct = "W"
)

var (
	shapeShares  = codec.Plain(32, 32, 32, 32, 32)
	shapeNonce   = codec.Plain(secp.PointLen, secp.ScalarLen)
	shapeProduct = codec.Plain(secp.PointLen)
)

// NewSigner returns a party that signs in one round: shares to the coordinator. The
// output of the coordinator is R ‖ s. The output of another party is its share.
func NewSigner(c Config, k secp.Key, pre *Presignature, tweak secp.Tweak) (engine.Party, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if pre == nil {
		return nil, secp.ErrIncomplete
	}
	return secp.Session{
		IDs: c.IDs, Coordinator: c.Coordinator, Codec: c.Codec, Key: k, Tweak: tweak, Nonce: pre.R,
		Used: &pre.used,
		Share: func(delta *secp.Scalar) (*secp.Point, *secp.Scalar) {
			return pre.share(c.IDs, k.ID, tweak, delta)
		},
	}.Party()
}

// share returns the rerandomised R ← δR and the share s_i = λ_i·(α·h + β·x(R) + e)
// with α ← α/δ, β ← (β + cε)/δ.
func (p *Presignature) share(ids []uint32, id uint32, tweak secp.Tweak, delta *secp.Scalar) (*secp.Point,
	*secp.Scalar) {
	r, inverse := p.R.Times(delta), secp.Inv(delta)
	alpha := secp.Mul(p.alpha, inverse)
	beta := secp.Mul(secp.Add(p.beta, secp.Mul(p.c, tweak.Epsilon)), inverse)
	sum := secp.Add(secp.Mul(alpha, tweak.Hash), secp.Mul(beta, r.X()))
	lambda := secp.Lambda(ids, 0)[slices.Index(ids, id)]
	return r, secp.Mul(lambda, secp.Add(sum, p.e))
}
