// Package robust is Robust ECDSA on secp256k1 for t malicious parties of N = 2t+1,
// as parties of package engine.
//
//	robust.go    configuration, presignatures, signing
//	presign.go   presigning in three rounds
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

// Config is what all parties of a run agree on.
type Config struct {
	MaxMalicious int      // t
	IDs          []uint32 // 2t+1, sorted
	Coordinator  uint32
	Codec        codec.Codec
}

// The errors of a configuration and of the checks.
var (
	ErrParties      = errors.New("parties must be 2t+1")
	ErrHash         = errors.New("hash of the message must not be 0")
	ErrReused       = errors.New("presignature signs once")
	ErrDegree       = errors.New("point is not on a polynomial of degree t")
	ErrInconsistent = errors.New("W(0) is not w·G")
)

// Check returns ErrParties unless there are 2t+1 parties.
func (c Config) Check() error {
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

// String and GoString show no secret.
func (p *Presignature) String() string   { return "Robust ECDSA presignature" }
func (p *Presignature) GoString() string { return p.String() }

// Format implements fmt.Formatter.
func (p *Presignature) Format(s fmt.State, _ rune) { io.WriteString(s, p.String()) }

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
	stepShare   = "share"
)

var (
	shapeShares  = codec.Plain(32, 32, 32, 32, 32)
	shapeNonce   = codec.Plain(secp.PointLen, secp.ScalarLen)
	shapeProduct = codec.Plain(secp.PointLen)
	shapeShare   = codec.Plain(secp.ScalarLen)
)

// signer is a party that signs with a presignature.
type signer struct {
	Config
	key    secp.Key
	tweak  secp.Tweak
	pre    *Presignature
	r      *secp.Point // R, rerandomised
	share  *secp.Scalar
	result []byte
}

// NewSigner returns a party that signs in one round: shares to the coordinator. The
// output of the coordinator is R ‖ s, that of others their share.
func NewSigner(c Config, k secp.Key, pre *Presignature, tweak secp.Tweak) (engine.Party, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if tweak.Hash.IsZero() {
		return nil, ErrHash
	}
	s := &signer{Config: c, key: k, pre: pre, tweak: tweak}
	m := &engine.Machine{Self: k.ID, Result: func() []byte { return s.result }}
	if k.ID == c.Coordinator {
		m.Rounds = []engine.Round{
			{Work: func(engine.Inbox) ([]engine.Message, error) { return nil, s.sign() }},
			{Expect: engine.From(c.IDs, k.ID, stepShare), Work: s.finish},
		}
		return m, nil
	}
	m.Rounds = []engine.Round{{Work: func(engine.Inbox) ([]engine.Message, error) {
		if err := s.sign(); err != nil {
			return nil, err
		}
		body := c.Codec.Pack(shapeShare, s.result)
		return []engine.Message{{To: c.Coordinator, Step: stepShare, Body: body}}, nil
	}}}
	return m, nil
}

// sign computes the share: R ← δR, α ← α/δ, β ← (β + cε)/δ,
// s_i = λ_i·(α·h + β·x(R) + e).
func (s *signer) sign() error {
	if s.pre.used {
		return ErrReused
	}
	s.pre.used = true
	delta, err := s.tweak.Delta(s.pre.R)
	if err != nil {
		return err
	}
	s.signWith(delta)
	return nil
}

func (s *signer) signWith(delta *secp.Scalar) {
	s.r = s.pre.R.Times(delta)
	inverse := secp.Inv(delta)
	alpha := secp.Mul(s.pre.alpha, inverse)
	beta := secp.Mul(secp.Add(s.pre.beta, secp.Mul(s.pre.c, s.tweak.Epsilon)), inverse)
	sum := secp.Add(secp.Mul(alpha, s.tweak.Hash), secp.Mul(beta, s.r.X()))
	lambda := secp.Lambda(s.IDs, 0)[slices.Index(s.IDs, s.key.ID)]
	s.share = secp.Mul(lambda, secp.Add(sum, s.pre.e))
	s.result = secp.Encode(s.share)
}

// finish adds up the shares and verifies the signature.
func (s *signer) finish(in engine.Inbox) (_ []engine.Message, err error) {
	shares := []*secp.Scalar{s.share}
	for _, id := range s.IDs {
		if id == s.key.ID {
			continue
		}
		fields, err := s.Codec.Unpack(shapeShare, in.Body(id, stepShare))
		var share *secp.Scalar
		if err == nil {
			share, err = secp.DecodeScalar(fields[0])
		}
		if err != nil {
			return nil, &engine.Fault{From: id, Step: stepShare, Err: err}
		}
		shares = append(shares, share)
	}
	s.result, err = s.tweak.Finish(s.r, shares)
	return nil, err
}
