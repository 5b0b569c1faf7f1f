package csp

import (
	"crypto/sha256"
	"hash"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// transcript is a hash chain with a state S of 32 bytes (specification,
// section 8.1):
//
//	absorb(d)   S ← SHA-256(S ‖ d)
//	squeeze()   c = HashToZr(DER OCTET STRING of S); absorb(Z(c))
//
// so a challenge binds everything absorbed before it. Items have fixed lengths
// and a fixed order, so framing is not needed.
type transcript struct {
	g    group.Group
	hash hash.Hash
	buf  []byte // two bytes of DER, S, and then the absorbed bytes
	sum  [sha256.Size]byte
}

// stateAt is the offset of S in the buffer.
const stateAt = 2

func newTranscript(g group.Group) *transcript {
	t := &transcript{g: g, hash: sha256.New(),
		buf: make([]byte, stateAt+sha256.Size, stateAt+sha256.Size+max(g.PointLen(), group.ScalarLen))}
	t.buf[0], t.buf[1] = 0x04, sha256.Size
	return t
}

// domain is hashed into the initial state.
const domain = "CSP-RangeProof-v1"

// parameters starts a transcript with all public values and returns its state,
// the header (specification, section 3.5).
func (t *transcript) parameters(c Config) [sha256.Size]byte {
	t.start(sha256.Sum256([]byte(domain)))
	for _, list := range [][]group.Point{{c.G0, c.G1, c.H}, c.Left, c.Right} {
		for _, p := range list {
			t.point(p)
		}
	}
	t.absorb(append(t.buf, byte(c.Bits)))
	return [sha256.Size]byte(t.state())
}

// knowledge starts the outer transcript and returns e, for the Schnorr proof of
// an opening of V.
func (t *transcript) knowledge(header [sha256.Size]byte, v, a group.Point) (e group.Scalar) {
	t.start(header)
	t.point(v)
	t.point(a)
	return t.squeeze()
}

// commitment returns η, which combines Pc and V, and c, the evaluation point of
// the polynomials.
func (t *transcript) commitment(pc group.Point) (eta, c group.Scalar) {
	t.point(pc)
	eta = t.squeeze()
	return eta, t.squeeze()
}

// evaluation returns φ, which combines the claims about a(c) and b(c).
func (t *transcript) evaluation(u group.Scalar) (phi group.Scalar) {
	t.scalar(u)
	return t.squeeze()
}

// mask returns ρ, which hides the witness behind s.
func (t *transcript) mask(sc group.Point, sigma group.Scalar) (rho group.Scalar) {
	t.point(sc)
	t.scalar(sigma)
	return t.squeeze()
}

// argument starts the inner transcript from the header. It contains the
// messages of the outer transcript only through W, f and λ′.
func (t *transcript) argument(header [sha256.Size]byte, w group.Point, f []group.Scalar,
	lambda group.Scalar) {
	t.start(header)
	t.point(w)
	zeros := 0 // the padding
	for zeros < len(f) && f[len(f)-zeros-1] == (group.Scalar{}) {
		zeros++
	}
	for i := range len(f) - zeros {
		t.scalar(f[i])
	}
	t.scalars(group.Scalar{}, zeros)
	t.scalar(lambda)
}

// round returns cⱼ, the folding challenge.
func (t *transcript) round(m message) group.Scalar {
	t.point(m.lc)
	t.point(m.rc)
	t.scalar(m.l)
	t.scalar(m.r)
	return t.squeeze()
}

// message is the prover's message in one round.
type message struct {
	lc, rc group.Point
	l, r   group.Scalar
}

func (t *transcript) start(s [sha256.Size]byte) { copy(t.state(), s[:]) }

func (t *transcript) state() []byte { return t.buf[stateAt : stateAt+sha256.Size] }

func (t *transcript) point(p group.Point) { t.absorb(t.g.AppendPoint(t.buf, p)) }

func (t *transcript) scalar(s group.Scalar) { t.scalars(s, 1) }

// scalars absorbs s n times.
func (t *transcript) scalars(s group.Scalar, n int) {
	b := t.g.AppendScalar(t.buf, s)
	for range n {
		t.absorb(b)
	}
}

// absorb hashes the buffer, where the item follows the state.
func (t *transcript) absorb(b []byte) { t.digest(t.state(), b[stateAt:]) }

// digest sets dst to the digest of b. One hash.Hash for all digests takes a fifth
// less time than sha256.Sum256.
func (t *transcript) digest(dst, b []byte) {
	t.hash.Reset()
	_, _ = t.hash.Write(b) // never fails
	t.hash.Sum(dst[:0])
}

func (t *transcript) squeeze() group.Scalar {
	t.digest(t.sum[:], t.buf)
	c := t.g.Reduce(t.sum[:])
	t.scalar(c)
	return c
}
