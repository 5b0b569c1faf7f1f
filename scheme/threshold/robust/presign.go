package robust

import (
	"io"
	"slices"

	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// The secrets that a party shares: k and a with polynomials of degree t; b, d and e
// with polynomials of degree 2t and constant term 0.
const (
	ofK = iota
	ofA
	ofB
	ofD
	ofE
	shared
)

// presigner is one party.
type presigner struct {
	Config
	key    secp.Key
	random io.Reader
	keep   func(*Presignature)

	polynomials [shared]secp.Polynomial
	sums        [shared]*secp.Scalar // this party's shares of the sums
	nonces      []*secp.Point        // R_i by position
	masked      []*secp.Scalar       // w_i by position
	product     *secp.Point          // W_i of this party
	r           *secp.Point
	w           *secp.Scalar
	result      []byte
}

// NewPresigner returns a party that makes a presignature in three rounds. keep
// receives it when the party is done. The output is R and the four secret shares.
func NewPresigner(c Config, k secp.Key, random io.Reader, keep func(*Presignature)) (engine.Party, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	p := &presigner{Config: c, key: k, random: random, keep: keep}
	return &engine.Machine{Self: k.ID, Result: func() []byte { return p.result }, Rounds: []engine.Round{
		{Work: p.deal},
		{Expect: engine.From(c.IDs, k.ID, stepShares), Work: p.publish},
		{Expect: engine.From(c.IDs, k.ID, stepNonce), Work: p.multiply},
		{Expect: engine.From(c.IDs, k.ID, stepProduct), Work: p.finish},
	}}, nil
}

// deal draws the polynomials and sends each party its five values.
func (p *presigner) deal(engine.Inbox) (out []engine.Message, err error) {
	t := p.MaxMalicious
	for i, degree := range [shared]int{t, t, 2 * t, 2 * t, 2 * t} {
		p.polynomials[i], err = secp.NewPolynomial(p.random, degree, i >= ofB)
		if err != nil {
			return nil, err
		}
		p.sums[i] = p.polynomials[i].At(p.key.ID)
	}
	for _, id := range secp.Others(p.IDs, p.key.ID) {
		var fields [][]byte
		for _, polynomial := range p.polynomials {
			fields = append(fields, secp.Encode(polynomial.At(id)))
		}
		out = append(out,
			engine.Message{To: id, Step: stepShares, Body: p.Codec.Pack(shapeShares, fields...)})
	}
	return out, nil
}

// publish adds up the shares and sends R_i = k·G and w_i = a·k + b.
func (p *presigner) publish(in engine.Inbox) ([]engine.Message, error) {
	for _, id := range secp.Others(p.IDs, p.key.ID) {
		err := in.Read(id, stepShares, p.Codec.Decoder(shapeShares, func(fields [][]byte) error {
			for i, f := range fields {
				v, err := secp.DecodeScalar(f)
				if err != nil {
					return err
				}
				p.sums[i] = secp.Add(p.sums[i], v)
			}
			return nil
		}))
		if err != nil {
			return nil, err
		}
	}
	own := slices.Index(p.IDs, p.key.ID)
	p.nonces, p.masked = make([]*secp.Point, len(p.IDs)), make([]*secp.Scalar, len(p.IDs))
	p.nonces[own] = secp.Base(p.sums[ofK])
	p.masked[own] = secp.Add(secp.Mul(p.sums[ofA], p.sums[ofK]), p.sums[ofB])
	if p.nonces[own].IsIdentity() {
		return nil, secp.ErrZero
	}
	body := p.Codec.Pack(shapeNonce, p.nonces[own].Encode(), secp.Encode(p.masked[own]))
	return []engine.Message{{Step: stepNonce, Body: body}}, nil
}

// multiply checks the degree of the nonces, and sends W_i = a·R.
func (p *presigner) multiply(in engine.Inbox) ([]engine.Message, error) {
	for i, id := range p.IDs {
		if id == p.key.ID {
			continue
		}
		err := in.Read(id, stepNonce, p.Codec.Decoder(shapeNonce, func(f [][]byte) (err error) {
			p.nonces[i], err = secp.DecodePoint(f[0])
			if err == nil {
				p.masked[i], err = secp.DecodeScalar(f[1])
			}
			return err
		}))
		if err != nil {
			return nil, err
		}
	}
	if err := p.checkDegree(p.nonces, stepNonce); err != nil {
		return nil, err
	}
	base := p.MaxMalicious + 1
	p.r = secp.Sum(p.nonces[:base], secp.Lambda(p.IDs[:base], 0))
	p.w = secp.Interpolate(secp.Lambda(p.IDs, 0), p.masked)
	if p.r.IsIdentity() || p.w.IsZero() {
		return nil, secp.ErrZero
	}
	p.product = p.r.Times(p.sums[ofA])
	if p.product.IsIdentity() {
		return nil, secp.ErrZero
	}
	return []engine.Message{{Step: stepProduct, Body: p.Codec.Pack(shapeProduct, p.product.Encode())}}, nil
}

// checkDegree checks that the points of all parties lie on a polynomial of degree t
// in the exponent: interpolation from the first t+1 gives each other one.
func (p *presigner) checkDegree(points []*secp.Point, step string) error {
	base := p.MaxMalicious + 1
	for i := base; i < len(points); i++ {
		if !secp.Sum(points[:base], secp.Lambda(p.IDs[:base], p.IDs[i])).Equal(points[i]) {
			return &engine.Fault{From: p.IDs[i], Step: step, Err: ErrDegree}
		}
	}
	return nil
}

// finish checks the products and makes the presignature: c = a/w, α = c + d,
// β = c·x.
func (p *presigner) finish(in engine.Inbox) ([]engine.Message, error) {
	products := make([]*secp.Point, len(p.IDs))
	for i, id := range p.IDs {
		if id == p.key.ID {
			products[i] = p.product
			continue
		}
		err := in.Read(id, stepProduct, p.Codec.Decoder(shapeProduct, func(f [][]byte) (err error) {
			products[i], err = secp.DecodePoint(f[0])
			return err
		}))
		if err != nil {
			return nil, err
		}
	}
	if err := p.checkDegree(products, stepProduct); err != nil {
		return nil, err
	}
	base := p.MaxMalicious + 1
	if !secp.Sum(products[:base], secp.Lambda(p.IDs[:base], 0)).Equal(secp.Base(p.w)) {
		return nil, ErrInconsistent
	}
	c := secp.Mul(p.sums[ofA], secp.Inv(p.w))
	pre := &Presignature{
		R: p.r, c: c, alpha: secp.Add(c, p.sums[ofD]), beta: secp.Mul(c, p.key.Secret()), e: p.sums[ofE],
	}
	p.result = slices.Concat(pre.R.Encode(), secp.Encode(pre.alpha), secp.Encode(pre.beta),
		secp.Encode(pre.c), secp.Encode(pre.e))
	p.keep(pre)
	return nil, nil
}
