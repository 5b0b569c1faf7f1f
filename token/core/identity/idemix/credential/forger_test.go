package credential // the Forger, which tests inside and outside use

import (
	"crypto/sha256"
	"io"

	"golang.org/x/crypto/blake2b"

	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
)

// Forger makes owners of type 1 under the key of an issuer without a credential: all
// sums of their presentations and signatures are right, and only the pairing of a
// presentation is wrong. It is written from the equations with scalar multiplications
// alone, and uses no other part of this package.
type Forger struct {
	// Torsion adds a point of order three to each commitment, before the
	// challenge. Only on BLS12-381 is there one.
	Torsion bool
	// Negated negates each commitment, before the challenge.
	Negated bool

	scheme *presentation.Scheme
	group  group.Group
	key    *presentation.IssuerKey
	bbs    bool
	random io.Reader
}

// Forged is the inside of an identity of type 1 with a signature of its pseudonym.
type Forged struct{ Raw, Signature []byte }

// NewForger returns a Forger for an encoded issuer key on a curve by its identifier on
// the wire.
func NewForger(curve int, key []byte, random io.Reader) (*Forger, error) {
	scheme := presentation.SchemeOf(curve)
	parsed, err := scheme.IssuerKey(key)
	if err != nil {
		return nil, err
	}
	return &Forger{scheme: scheme, group: scheme.Group(), key: parsed, bbs: scheme == presentation.BLS12381,
		random: random}, nil
}

// Owner makes an owner who signs the message.
func (f *Forger) Owner(message []byte) (o Forged, err error) {
	d := &draft{Forger: f}
	d.commit()
	d.respond()
	if d.err != nil {
		return o, d.err
	}
	return Forged{Raw: d.identity(), Signature: d.sign(message)}, d.err
}

// secrets holds the secrets of a presentation, or the randomness of its
// commitments.
type secrets struct {
	e, r2, r3, s, key group.Scalar
	attributes        [presentation.Attributes]group.Scalar
	nym, eid, rh      group.Scalar
}

// draft is a presentation in the making. Names are as in package
// presentation.
type draft struct {
	*Forger
	err             error
	secret, random  secrets
	aPrime, aBar, b group.Point
	nymP, eidP, rhP group.Point
	t               [5][]byte // encoded
	challenge       group.Scalar
	nonce           group.Scalar
	response        secrets
}

func (d *draft) scalar() group.Scalar {
	var s [1]group.Scalar
	if err := group.Sample(d.group, d.Forger.random, s[:]); err != nil {
		d.err = err
	}
	return s[0]
}

func (d *draft) secrets() (s secrets) {
	for _, to := range []*group.Scalar{&s.e, &s.r2, &s.r3, &s.s, &s.key, &s.nym, &s.eid, &s.rh} {
		*to = d.scalar()
	}
	for i := range s.attributes {
		s.attributes[i] = d.scalar()
	}
	return s
}

// sum returns Σ sᵢ·Pᵢ.
func (d *draft) sum(terms ...term) (sum group.Point) {
	for _, t := range terms {
		sum = d.group.AddPoints(sum, group.MulPoint(d.group, t.p, t.s))
	}
	return sum
}

type term struct {
	s group.Scalar
	p group.Point
}

// shown is the sum over the secrets that B shows: s·h + key·k + Σ attributeᵢ·aᵢ.
func (d *draft) shown(x secrets) group.Point {
	sum := d.sum(term{x.s, d.key.H}, term{x.key, d.key.K})
	for i, a := range x.attributes {
		sum = d.group.AddPoints(sum, d.sum(term{a, d.key.Attributes[i]}))
	}
	return sum
}

// commit chooses A′ and all secrets. B and Ā follow from r₃·B = g₁ + s·h + key·k +
// Σ attributeᵢ·aᵢ and Ā - B = e·A′ + r₂·h.
func (d *draft) commit() {
	g, k := d.group, d.key
	d.secret, d.random, d.nonce = d.secrets(), d.secrets(), d.scalar()
	x, y := &d.secret, &d.random
	d.aPrime = group.MulPoint(g, g.Generator(), d.scalar())
	d.b = group.MulPoint(g, g.AddPoints(g.Generator(), d.shown(*x)), g.Inv(x.r3))
	d.aBar = g.AddPoints(d.b, d.sum(term{x.e, d.aPrime}, term{x.r2, k.H}))
	nym := func(z *secrets) [3]group.Point {
		return [3]group.Point{
			d.sum(term{z.key, k.K}, term{z.nym, k.H}),
			d.sum(term{z.attributes[presentation.EnrollmentID], k.Attributes[presentation.EnrollmentID]},
				term{z.eid, k.H}),
			d.sum(term{z.attributes[presentation.RevocationHandle],
				k.Attributes[presentation.RevocationHandle]}, term{z.rh, k.H}),
		}
	}
	of := nym(x)
	d.nymP, d.eidP, d.rhP = of[0], of[1], of[2]
	committed := nym(y)
	d.t[0] = d.encode(d.sum(term{y.e, d.aPrime}, term{y.r2, k.H}))
	d.t[1] = d.encode(g.AddPoints(d.sum(term{y.r3, d.b}), d.shown(*y)))
	for i, p := range committed {
		d.t[2+i] = d.encode(p)
	}
	d.challenge = d.hashed(d.hash(d.transcript()), d.nonce)
}

// encode encodes a commitment, changed as Torsion and Negated say.
func (d *draft) encode(p group.Point) []byte {
	if d.Negated {
		p = d.group.SubPoints(group.Point{}, p)
	}
	if !d.Torsion {
		return d.group.AppendPoint(nil, p)
	}
	three := make([]byte, d.group.PointLen()) // (0, 2)
	three[len(three)-1] = 2
	q, err := d.group.DecodeCurvePoint(three)
	if err != nil {
		d.err = err
	}
	return group.AppendCurvePoint(d.group, nil, grouptest.AddCurvePoints(d.group, group.OnCurve(p), q))
}

// respond answers the challenge c. On BN254 a response is random + c·secret, on
// BLS12-381 random - c·secret. The response of r₃ has the other sign of its secret.
func (d *draft) respond() {
	x, y := &d.secret, &d.random
	answer := func(random, secret group.Scalar) group.Scalar { return d.answer(d.challenge, random, secret) }
	d.response = secrets{
		e: answer(y.e, x.e), r2: answer(y.r2, x.r2), r3: answer(y.r3, d.group.Neg(x.r3)), s: answer(y.s, x.s),
		key: answer(y.key, x.key),
		nym: answer(y.nym, x.nym), eid: answer(y.eid, x.eid), rh: answer(y.rh, x.rh),
	}
	for i := range x.attributes {
		d.response.attributes[i] = answer(y.attributes[i], x.attributes[i])
	}
}

func (d *draft) answer(c, random, secret group.Scalar) group.Scalar {
	if d.bbs {
		c = d.group.Neg(c)
	}
	return d.group.Add(random, d.group.Mul(c, secret))
}

// sign signs a message for the pseudonym and returns the encoded signature.
func (d *draft) sign(message []byte) []byte {
	key, nym, nonce := d.scalar(), d.scalar(), d.scalar()
	t := d.encode(d.sum(term{key, d.key.K}, term{nym, d.key.H}))
	c := d.hashed(d.hash(d.signTranscript(t, message)), nonce)
	return d.signature(t, c, d.answer(c, key, d.secret.key), d.answer(c, nym, d.secret.nym), nonce)
}

// hash is the hash to scalars of the scheme.
func (d *draft) hash(b []byte) group.Scalar {
	if d.bbs {
		digest := blake2b.Sum384(b)
		return d.group.Reduce(digest[:])
	}
	digest := sha256.Sum256(b)
	return d.group.Reduce(digest[:])
}

// hashed is the hash of two scalars.
func (d *draft) hashed(a, b group.Scalar) group.Scalar {
	return d.hash(d.group.AppendScalar(d.group.AppendScalar(nil, a), b))
}
