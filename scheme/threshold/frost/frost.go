// Package frost is FROST(Ed25519, SHA-512) of RFC 9591 as parties of package
// engine.
//
// Letters as in the RFC: d, e nonces, D, E their commitments, ρ binding
// factors, R the group commitment, k the challenge, λ interpolation coefficients, s
// key shares. A benchmark, not a wallet: keys come from a dealer, time varies with
// secrets, memory is not wiped.
package frost

import (
	"bytes"
	"cmp"
	"crypto/ed25519"
	"crypto/sha512"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"filippo.io/edwards25519"

	"github.com/zkatbench/zkatbench/scheme/threshold/ops"
)

// ErrRandom says that the source of randomness failed.
var ErrRandom = errors.New("frost: source of randomness failed")

// ErrKey says that a key was not made by a dealer.
var ErrKey = errors.New("frost: key is empty")

// ErrSignature says that shares do not add up to a signature.
var ErrSignature = errors.New("shares do not add up to a signature")

// ErrShare says that a share does not fit the commitments and the key of its signer.
var ErrShare = errors.New("share does not verify")

// Key is the share of one party.
type Key struct {
	ID     uint32
	Public []byte // the group's key, 32 bytes
	secret *edwards25519.Scalar
	shares map[uint32]*edwards25519.Point // s·B of each party
}

// Format implements fmt.Formatter for every verb and shows no secret.
func (k Key) Format(s fmt.State, _ rune) { fmt.Fprintf(s, "FROST key of party %d", k.ID) }

// Deal makes the keys of parties 1 … n with a polynomial of the given degree. The
// dealer knows all keys, so this is for set-up only.
func Deal(random io.Reader, n, degree int) ([]Key, error) {
	coefficients := make([]*edwards25519.Scalar, degree+1)
	for i := range coefficients {
		var err error
		coefficients[i], err = uniform(random)
		if err != nil {
			return nil, err
		}
	}
	return dealt(coefficients, n), nil
}

func dealt(coefficients []*edwards25519.Scalar, n int) []Key {
	public := base(coefficients[0]).Bytes()
	keys := make([]Key, n)
	shares := make(map[uint32]*edwards25519.Point, n)
	for i := range keys {
		id := uint32(i + 1)
		share := edwards25519.NewScalar()
		for _, c := range slices.Backward(coefficients) {
			share.MultiplyAdd(share, scalarOf(id), c)
		}
		keys[i] = Key{ID: id, Public: public, secret: share, shares: shares}
		shares[id] = base(share)
	}
	return keys
}

func uniform(random io.Reader) (*edwards25519.Scalar, error) {
	var wide [64]byte
	if _, err := io.ReadFull(random, wide[:]); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRandom, err)
	}
	return reduce(wide[:]), nil
}

// reduce returns 64 little-endian bytes modulo ℓ.
func reduce(wide []byte) *edwards25519.Scalar {
	s, _ := edwards25519.NewScalar().SetUniformBytes(wide) // refuses other lengths only
	return s
}

// scalarOf returns an identifier as a scalar.
func scalarOf(id uint32) *edwards25519.Scalar {
	var wide [64]byte
	binary.LittleEndian.PutUint32(wide[:], id)
	return reduce(wide[:])
}

// context separates the hashes of the suite.
const context = "FROST-ED25519-SHA512-v1"

// hash is SHA-512 of the parts, one after the other.
func hash(parts ...[]byte) []byte {
	h := sha512.Sum512(bytes.Join(parts, nil))
	return h[:]
}

// The hashes of RFC 9591, section 6.1. H2 is without prefix, as in Ed25519.
func h1(m []byte) *edwards25519.Scalar { return reduce(hash([]byte(context+"rho"), m)) }
func h2(m []byte) *edwards25519.Scalar { return reduce(hash(m)) }
func h3(m []byte) *edwards25519.Scalar { return reduce(hash([]byte(context+"nonce"), m)) }
func h4(m []byte) []byte               { return hash([]byte(context+"msg"), m) }
func h5(m []byte) []byte               { return hash([]byte(context+"com"), m) }

// Nonces are a pair of nonces with their commitments. They sign once.
type Nonces struct {
	d, e *edwards25519.Scalar
	Pair pair
	used bool
}

// Format implements fmt.Formatter for every verb and shows no secret.
func (Nonces) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, "FROST nonces") }

// ErrReused says that nonces would sign a second time.
var ErrReused = errors.New("nonces sign once")

// pair is the commitments of one party.
type pair struct {
	ID   uint32
	D, E *edwards25519.Point
	// encoded are the encodings of D and E, which cost an inversion each.
	encoded [2][]byte
}

// newPair returns the pair of two points.
func newPair(id uint32, d, e *edwards25519.Point) pair {
	return pair{ID: id, D: d, E: e, encoded: [2][]byte{d.Bytes(), e.Bytes()}}
}

// commit draws a pair of nonces (RFC 9591, section 5.1).
func commit(k Key, random io.Reader) (*Nonces, error) {
	if k.secret == nil {
		return nil, ErrKey
	}
	var draw [2][32]byte
	for i := range draw {
		if _, err := io.ReadFull(random, draw[i][:]); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrRandom, err)
		}
	}
	secret := k.secret.Bytes()
	n := &Nonces{d: h3(append(draw[0][:], secret...)), e: h3(append(draw[1][:], secret...))}
	n.Pair = newPair(k.ID, base(n.d), base(n.e))
	return n, nil
}

// session holds the values that all signers compute from the list of commitments.
type session struct {
	public  []byte
	list    []pair
	rho     []*edwards25519.Scalar // by position in the list
	r       []byte                 // encoded
	k       *edwards25519.Scalar
	message []byte
}

// newSession computes binding factors, group commitment and challenge. The list must
// be sorted by identifier.
func newSession(public, message []byte, list []pair) session {
	s := session{public: public, list: list, message: message}
	var encoded []byte
	for _, p := range list {
		encoded = append(append(append(encoded, scalarOf(p.ID).Bytes()...), p.encoded[0]...), p.encoded[1]...)
	}
	prefix := slices.Concat(public, h4(message), h5(encoded))
	points := make([]*edwards25519.Point, len(list))
	r := edwards25519.NewIdentityPoint()
	for i, p := range list {
		s.rho = append(s.rho, h1(slices.Concat(prefix, scalarOf(p.ID).Bytes())))
		points[i] = p.E
		r = add(r, p.D)
	}
	s.r = add(r, sum(s.rho, points)).Bytes()
	s.k = h2(slices.Concat(s.r, public, message))
	return s
}

// lambda returns the interpolation coefficient at 0 of an identifier among ids.
func lambda(id uint32, ids []uint32) *edwards25519.Scalar {
	above, below := scalarOf(1), scalarOf(1)
	for _, j := range ids {
		if j == id {
			continue
		}
		above.Multiply(above, scalarOf(j))
		below.Multiply(below, edwards25519.NewScalar().Subtract(scalarOf(j), scalarOf(id)))
	}
	return above.Multiply(above, below.Invert(below))
}

var errNotListed = errors.New("own commitments are not in the list, or changed")

// sign returns the share of a signer: z = d + e·ρ + λ·s·k.
func (s session) sign(k Key, n *Nonces) (*edwards25519.Scalar, error) {
	if n.used {
		return nil, ErrReused
	}
	n.used = true
	i, found := slices.BinarySearchFunc(s.list, k.ID, func(p pair, id uint32) int {
		return cmp.Compare(p.ID, id)
	})
	if !found || s.list[i].D.Equal(n.Pair.D) != 1 || s.list[i].E.Equal(n.Pair.E) != 1 {
		return nil, errNotListed
	}
	z := edwards25519.NewScalar().Multiply(lambda(k.ID, identifiers(s.list)), k.secret)
	z.MultiplyAdd(z, s.k, n.d)
	return z.MultiplyAdd(n.e, s.rho[i], z), nil
}

// verifyShare returns ErrShare unless z·B = D + ρ·E + λ·k·S for the signer at a place of
// the list with public share S (RFC 9591, section 5.4).
func (s session) verifyShare(i int, z *edwards25519.Scalar, share *edwards25519.Point) error {
	p := s.list[i]
	weight := edwards25519.NewScalar().Multiply(lambda(p.ID, identifiers(s.list)), s.k)
	right := add(p.D, sum([]*edwards25519.Scalar{s.rho[i], weight}, []*edwards25519.Point{p.E, share}))
	if base(z).Equal(right) != 1 {
		return ErrShare
	}
	return nil
}

func identifiers(list []pair) []uint32 {
	ids := make([]uint32, len(list))
	for i, p := range list {
		ids[i] = p.ID
	}
	return ids
}

// aggregate adds up the shares, in the order of the list, and verifies the signature.
// If it does not verify, each share is verified, and bad is the place of the first
// wrong one, or -1 without one.
func (s session) aggregate(k Key, shares []*edwards25519.Scalar) (signature []byte, bad int, err error) {
	z := edwards25519.NewScalar()
	for _, share := range shares {
		z.Add(z, share)
	}
	signature = slices.Concat(s.r, z.Bytes())
	ops.Add(ops.Decode, 1)
	ops.Add(ops.BaseMul, 1)
	ops.Add(ops.Mul, 1)
	if ed25519.Verify(s.public, s.message, signature) {
		return signature, -1, nil
	}
	for i, share := range shares {
		if err := s.verifyShare(i, share, k.shares[s.list[i].ID]); err != nil {
			return nil, i, err
		}
	}
	return nil, -1, ErrSignature
}
