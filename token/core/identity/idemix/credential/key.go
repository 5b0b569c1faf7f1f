package credential

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"

	"golang.org/x/crypto/blake2b"

	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/bls12381"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
)

// ErrKey says that an issuer's key cannot be used.
var ErrKey = errors.New("idemix issuer key is malformed or of a curve without scheme")

// Key is the public key of an issuer, prepared for verification. It is immutable
// and safe for concurrent use.
type Key struct {
	scheme *presentation.Scheme
	group  group.Group
	bases  group.Table // g₁, h, k, a₀ … a₃
	bbs    bool
	digest [sha256.Size]byte // of the encoded key
	// hash ends challenges of the "dlog" scheme. raw are the encoded bases h, k,
	// a₀ … a₃ in challenges of BBS+.
	hash, raw []byte
	// pairs reports whether e(p, W)·e(q, g₂) = 1.
	pairs func(p, q group.Point) bool
}

// Rows of bases.
const (
	generator = iota
	blinding
	secretKey
	attribute // the first one
)

// tableBytes is the memory for multiples of the bases.
const tableBytes = 1 << 20

// NewKey reads and prepares a key on a curve by its identifier on the wire.
// Errors wrap ErrKey.
func NewKey(curve int, encoded []byte) (*Key, error) {
	scheme := presentation.SchemeOf(curve)
	if scheme == nil {
		return nil, ErrKey
	}
	parsed, err := scheme.IssuerKey(encoded)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKey, err)
	}
	k := &Key{scheme: scheme, group: scheme.Group(), digest: sha256.Sum256(encoded)}
	switch g := k.group.(type) {
	case *bn254.Group:
		err = k.prepareBN254(g, parsed)
	case *bls12381.Group:
		err = k.prepareBLS12381(g, parsed)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKey, err)
	}
	points := append([]group.Point{k.group.Generator(), parsed.H, parsed.K}, parsed.Attributes[:]...)
	k.bases = k.group.NewTable(points, tableBytes)
	return k, nil
}

// pairing is a group with pairings, with points Q of its second group.
type pairing[Q any] interface {
	DecodePointG2(b []byte) (*Q, error)
	GeneratorG2() []byte
	PairingIsOne(ps []group.Point, qs []*Q) bool
}

// secondGroup returns the points g₂ and W, and sets the pairings with them.
func secondGroup[Q any](k *Key, g pairing[Q], encoded []byte) (one, w *Q, err error) {
	one, err = g.DecodePointG2(g.GeneratorG2())
	if err == nil {
		w, err = g.DecodePointG2(encoded)
	}
	k.pairs = func(p, q group.Point) bool { return g.PairingIsOne([]group.Point{p, q}, []*Q{w, one}) }
	return one, w, err
}

func (k *Key) prepareBN254(g *bn254.Group, key *presentation.IssuerKey) error {
	one, w, err := secondGroup(k, g, key.W)
	if err != nil {
		return err
	}
	// The issuer knows x: t₁ = s·g₂ - c·W, t₂ = s·B1 - c·B2.
	t1 := g.CombineG2(one, key.Response, w, key.Challenge)
	t2 := group.MSM(g, []group.Point{key.B1, key.B2}, []group.Scalar{key.Response, g.Neg(key.Challenge)})
	c := presentation.HashBN254(g, bytes.Join([][]byte{
		t1, g.AppendPoint(nil, t2), one.Raw(), g.AppendPoint(nil, key.B1), w.Raw(),
		g.AppendPoint(nil, key.B2),
	}, nil))
	if c != key.Challenge {
		return errors.New("its proof is rejected")
	}
	k.hash = key.Hash
	return nil
}

func (k *Key) prepareBLS12381(g *bls12381.Group, key *presentation.IssuerKey) error {
	if _, _, err := secondGroup(k, g, key.W); err != nil {
		return err
	}
	k.bbs = true
	k.raw = g.AppendPoints(nil, nil, append([]group.Point{key.H, key.K}, key.Attributes[:]...))
	return nil
}

// Digest returns the SHA-256 of the encoded key.
func (k *Key) Digest() [sha256.Size]byte { return k.digest }

// On returns the same key on g, a view of the scheme's group that observes its
// calls.
func (k *Key) On(g group.Group) *Key {
	observed := *k
	observed.group, observed.scheme = g, k.scheme.On(g)
	return &observed
}

// Scheme returns the scheme that reads presentations under the key.
func (k *Key) Scheme() *presentation.Scheme { return k.scheme }

// AttributeScalar returns the scalar of an attribute, which is a hash of its value: SHA-256 on
// BN254, BLAKE2b-384 on BLS12-381, modulo the order.
func (k *Key) AttributeScalar(b []byte) group.Scalar {
	if k.bbs {
		digest := blake2b.Sum384(b)
		return k.group.Reduce(digest[:])
	}
	return presentation.HashBN254(k.group, b)
}
