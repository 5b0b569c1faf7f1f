// Package otecdsa is ECDSA on secp256k1 from multiplication triples that are made
// with oblivious transfer, for f malicious parties of N = f+1, as parties of
// package engine.
//
// Two triples take nine rounds. Each pair of parties multiplies by base oblivious
// transfer, its extension and the check of it; proofs of a logarithm and of equal
// logarithms go along.
//
// The protocol is section 4.3 of docs/spec/threshold.md. A benchmark, not a wallet:
// keys come from a dealer, time varies with secrets, memory is not wiped.
package otecdsa

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
	IDs         []uint32 // sorted; all of them are needed
	Coordinator uint32
	Codec       codec.Codec
}

// The errors of the checks.
var (
	ErrReused = secp.ErrReused
	// ErrTripleReused says that a triple would make a second presignature.
	ErrTripleReused = errors.New("multiplication triple makes one presignature")

	ErrShares = errors.New("shares do not add up to their commitment")
	ErrHash   = secp.ErrHash
)

// Triple is a share of a multiplication triple: a, b, c with ab = c for the shared
// values, and the public points A = a·G, B = b·G, C = c·G of the shared values.
type Triple struct {
	A, B, C *secp.Point
	a, b, c *secp.Scalar
	// publicShares returns a_j·G, b_j·G and c_j·G of party j, to find a wrong share.
	publicShares func(id uint32) (a, b, c *secp.Point)
	used         bool
}

// Copy returns a triple for another run of the same presigning: a benchmark makes
// the same presignature with it again. It must not make another one.
func (t *Triple) Copy() *Triple {
	u := *t
	u.used = false
	return &u
}

// Format implements fmt.Formatter for every verb and shows no secret.
func (t Triple) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, "multiplication triple") }

// encode returns the triple with its secrets.
func (t *Triple) encode() []byte {
	return slices.Concat(t.A.Encode(), t.B.Encode(), t.C.Encode(), secp.Encode(t.a), secp.Encode(t.b),
		secp.Encode(t.c))
}

// DealTriple makes the shares of a triple for parties 1 … n with polynomials of the
// given degree, for set-up.
func DealTriple(random io.Reader, n, degree int) ([]*Triple, error) {
	var p [3]secp.Polynomial
	for i := range p {
		var err error
		p[i], err = secp.NewPolynomial(random, degree, i == 2)
		if err != nil {
			return nil, err
		}
	}
	return dealt(p, n), nil
}

// dealt returns the shares of a triple; the constant term of the third polynomial
// is set to the product.
func dealt(p [3]secp.Polynomial, n int) []*Triple {
	p[2][0] = secp.Mul(p[0][0], p[1][0])
	triples := make([]*Triple, n)
	for i := range triples {
		id := uint32(i + 1)
		triples[i] = &Triple{
			A: secp.Base(p[0][0]), B: secp.Base(p[1][0]), C: secp.Base(p[2][0]),
			a: p[0].At(id), b: p[1].At(id), c: p[2].At(id),
			publicShares: func(id uint32) (a, b, c *secp.Point) {
				return secp.Base(p[0].At(id)), secp.Base(p[1].At(id)), secp.Base(p[2].At(id))
			},
		}
	}
	return triples
}

// Presignature is the output of presigning of one party.
type Presignature struct {
	R        *secp.Point
	k, sigma *secp.Scalar
	used     bool
	// publicShares returns k_j·G and σ_j·G of party j, to find a wrong share.
	publicShares func(id uint32) (k, sigma *secp.Point)
}

// Format implements fmt.Formatter for every verb and shows no secret.
func (Presignature) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, "OT ECDSA presignature") }

// Copy returns a presignature for another run of the same signature: a benchmark
// signs the same message with it again. It must not sign another message.
func (p *Presignature) Copy() *Presignature {
	q := *p
	q.used = false
	return &q
}

const (
	stepE      = "e"
	stepOpened = "alpha, beta"
)

var (
	shapeE      = codec.Plain(secp.ScalarLen)
	shapeOpened = codec.Plain(secp.ScalarLen, secp.ScalarLen)
)

// presigner is one party.
type presigner struct {
	Config
	key           secp.Key
	first, second *Triple // (a, b, c) and (k, d, e)
	keep          func(*Presignature)
	lambda        *secp.Scalar
	e             *secp.Scalar // own share of e, then the sum
	alpha, beta   *secp.Scalar
	received      map[uint32][]*secp.Scalar // in this round
	result        []byte
}

// NewPresigner returns a party that makes a presignature from two triples in two
// rounds. keep receives it when the party is done. The output is R and the secret
// shares of k and kx. A triple makes one presignature: NewPresigner takes both
// triples, and returns ErrTripleReused if one of them was taken before.
func NewPresigner(c Config, k secp.Key, first, second *Triple, keep func(*Presignature)) (engine.Party,
	error) {
	if first == second || first.used || second.used {
		return nil, ErrTripleReused
	}
	first.used, second.used = true, true
	p := &presigner{Config: c, key: k, first: first, second: second, keep: keep}
	return &engine.Machine{Self: k.ID, Result: func() []byte { return p.result }, Rounds: []engine.Round{
		{Work: p.sendE},
		{Expect: engine.From(c.IDs, k.ID, stepE), Work: p.open},
		{Expect: engine.From(c.IDs, k.ID, stepOpened), Work: p.finish},
	}}, nil
}

// sendE sends e'_i = λ_i·e_i.
func (p *presigner) sendE(engine.Inbox) ([]engine.Message, error) {
	p.lambda = secp.Lambda(p.IDs, 0)[slices.Index(p.IDs, p.key.ID)]
	p.e = secp.Mul(p.lambda, p.second.c)
	return []engine.Message{{Step: stepE, Body: p.Codec.Pack(shapeE, secp.Encode(p.e))}}, nil
}

// sum adds the scalars of a message that the others sent to the own ones.
func (p *presigner) sum(in engine.Inbox, step string, shape codec.Shape, own ...*secp.Scalar) error {
	p.received = map[uint32][]*secp.Scalar{}
	for _, id := range secp.Others(p.IDs, p.key.ID) {
		err := in.Read(id, step, p.Codec.Decoder(shape, func(fields [][]byte) (err error) {
			p.received[id], err = decodeScalars(fields)
			return err
		}))
		if err != nil {
			return err
		}
		for i, v := range p.received[id] {
			own[i].Add(v)
		}
	}
	return nil
}

// wrong returns the error of a sum that does not fit: it names the first party with a
// message other than λ_j·p for the points p that expected returns.
func (p *presigner) wrong(step string, expected func(id uint32) []*secp.Point) error {
	for _, id := range secp.Others(p.IDs, p.key.ID) {
		lambda := secp.Lambda(p.IDs, 0)[slices.Index(p.IDs, id)]
		for i, point := range expected(id) {
			if !secp.Base(p.received[id][i]).Equal(point.Times(lambda)) {
				return &engine.Fault{From: id, Step: step, Err: secp.ErrShare}
			}
		}
	}
	return ErrShares
}

// open checks that Σ e'·G = E and sends α_i = λ_i(k_i + a_i), β_i = λ_i(x_i + b_i).
func (p *presigner) open(in engine.Inbox) ([]engine.Message, error) {
	if err := p.sum(in, stepE, shapeE, p.e); err != nil {
		return nil, err
	}
	if !secp.Base(p.e).Equal(p.second.C) || p.e.IsZero() {
		return nil, p.wrong(stepE, func(id uint32) []*secp.Point {
			_, _, e := p.second.publicShares(id)
			return []*secp.Point{e}
		})
	}
	p.alpha = secp.Mul(p.lambda, secp.Add(p.second.a, p.first.a))
	p.beta = secp.Mul(p.lambda, secp.Add(p.key.Secret(), p.first.b))
	body := p.Codec.Pack(shapeOpened, secp.Encode(p.alpha), secp.Encode(p.beta))
	return []engine.Message{{Step: stepOpened, Body: body}}, nil
}

// finish checks that α·G = K + A and β·G = X + B, and makes R = e⁻¹·D and
// σ_i = α·x_i - β·a_i + c_i, a share of kx.
func (p *presigner) finish(in engine.Inbox) ([]engine.Message, error) {
	if err := p.sum(in, stepOpened, shapeOpened, p.alpha, p.beta); err != nil {
		return nil, err
	}
	if !secp.Base(p.alpha).Equal(p.second.A.Plus(p.first.A)) ||
		!secp.Base(p.beta).Equal(p.key.Public.Plus(p.first.B)) {
		return nil, p.wrong(stepOpened, func(id uint32) []*secp.Point {
			a, b, _ := p.first.publicShares(id)
			k, _, _ := p.second.publicShares(id)
			return []*secp.Point{k.Plus(a), p.key.PublicShare(id).Plus(b)}
		})
	}
	sigma := secp.Sub(secp.Mul(p.alpha, p.key.Secret()), secp.Mul(p.beta, p.first.a))
	pre := &Presignature{
		R: p.second.B.Times(secp.Inv(p.e)), k: p.second.a, sigma: secp.Add(sigma, p.first.c),
		publicShares: func(id uint32) (k, sigma *secp.Point) {
			a, _, c := p.first.publicShares(id)
			k, _, _ = p.second.publicShares(id)
			return k, p.key.PublicShare(id).Times(p.alpha).Minus(a.Times(p.beta)).Plus(c)
		},
	}
	p.result = slices.Concat(pre.R.Encode(), secp.Encode(pre.k), secp.Encode(pre.sigma))
	p.keep(pre)
	return nil, nil
}

// NewSigner returns a party that signs in one round: shares to the coordinator. The
// output of the coordinator is R ‖ s. The output of another party is its share.
func NewSigner(c Config, k secp.Key, pre *Presignature, tweak secp.Tweak) (engine.Party, error) {
	if pre == nil {
		return nil, secp.ErrIncomplete
	}
	return secp.Session{
		IDs: c.IDs, Coordinator: c.Coordinator, Codec: c.Codec, Key: k, Tweak: tweak, Nonce: pre.R,
		Used: &pre.used,
		Share: func(delta *secp.Scalar) (*secp.Point, *secp.Scalar) {
			return pre.share(c.IDs, k.ID, tweak, delta)
		},
		PublicShare: func(id uint32, r *secp.Point, delta *secp.Scalar) *secp.Point {
			return pre.publicShare(c.IDs, id, tweak, r, delta)
		},
	}.Party()
}

// share returns the rerandomised R ← δR and the share s_i = λ_i(h·k + x(R)·σ) with
// k ← k/δ and σ ← (σ + ε·k)/δ, where the latter has the k before.
func (p *Presignature) share(ids []uint32, id uint32, tweak secp.Tweak, delta *secp.Scalar) (*secp.Point,
	*secp.Scalar) {
	r, inverse := p.R.Times(delta), secp.Inv(delta)
	k := secp.Mul(p.k, inverse)
	sigma := secp.Mul(secp.Add(p.sigma, secp.Mul(tweak.Epsilon, p.k)), inverse)
	lambda := secp.Lambda(ids, 0)[slices.Index(ids, id)]
	return r, secp.Mul(lambda, secp.Add(secp.Mul(tweak.Hash, k), secp.Mul(r.X(), sigma)))
}

// publicShare returns s_j·G of party j, as share computes s_j.
func (p *Presignature) publicShare(ids []uint32, id uint32, tweak secp.Tweak, r *secp.Point,
	delta *secp.Scalar) *secp.Point {
	k, sigma := p.publicShares(id)
	sum := k.Times(tweak.Hash).Plus(sigma.Plus(k.Times(tweak.Epsilon)).Times(r.X()))
	return sum.Times(secp.Mul(secp.Inv(delta), secp.Lambda(ids, 0)[slices.Index(ids, id)]))
}

// ErrTriple reports shares that do not form a triple.
var ErrTriple = errors.New("shares do not form a multiplication triple")

// VerifyTriple interpolates the shares of all parties 1 … n and checks ab = c and
// A, B, C. It sees all secrets, so it is for tests and recordings.
func VerifyTriple(shares []*Triple) error {
	if len(shares) == 0 {
		return ErrTriple
	}
	lambda := secp.Lambda(secp.IDs(len(shares)), 0)
	var values [3]*secp.Scalar
	for i, field := range []func(*Triple) *secp.Scalar{
		func(t *Triple) *secp.Scalar { return t.a }, func(t *Triple) *secp.Scalar {
			return t.b
		}, func(t *Triple) *secp.Scalar { return t.c },
	} {
		values[i] = new(secp.Scalar)
		for k, t := range shares {
			values[i].Add(secp.Mul(lambda[k], field(t)))
		}
	}
	points := [3]*secp.Point{shares[0].A, shares[0].B, shares[0].C}
	for i, v := range values {
		if !secp.Base(v).Equal(points[i]) {
			return ErrTriple
		}
	}
	if !values[2].Equals(secp.Mul(values[0], values[1])) {
		return ErrTriple
	}
	return nil
}
