package presentation

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/bls12381"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// IssuerKey is the public key of an issuer, with the bases that follow from it.
type IssuerKey struct {
	W          []byte // in the second group, encoded
	H, K       group.Point
	Attributes [Attributes]group.Point // the bases a₀ … a₃
	// Of BN254: the proof of knowledge of the secret x with W = x·g₂ and B2 =
	// x·B1, and the hash of the message without it.
	B1, B2    group.Point
	Challenge group.Scalar
	Response  group.Scalar
	Hash      []byte
}

// AttributeNames are the names of the attributes, in order.
var AttributeNames = [Attributes]string{"OU", "Role", "EnrollmentID", "RevocationHandle"}

const whatKey wire.Name = "idemix issuer key"

// IssuerKey reads the public key of an issuer. On BN254 it is the message {
// attribute name = 1 …, HSk = 2, HRand = 3, HAttr = 4 …, W = 5, B1 = 6, B2 = 7, c
// = 8, s = 9, hash = 10 }; on BLS12-381 it is W, compressed. The caller checks
// that W is in the second group, and the proof of BN254. Errors are
// *wire.DecodeError.
func (s *Scheme) IssuerKey(b []byte) (*IssuerKey, error) {
	if s.issuerKey == nil {
		return nil, errEmpty
	}
	return s.issuerKey(b)
}

// dlogIssuerKey decodes an issuer's key. It reads the fields in their order, decodes the points
// and compares the hash of all bytes before the hash.
func dlogIssuerKey(g group.Group, generator []byte, b []byte) (*IssuerKey, error) {
	r := newReader(whatKey, g, b)
	k := &IssuerKey{}
	for _, name := range AttributeNames {
		r.same("attribute name", r.Present(1, "attribute name"), []byte(name))
	}
	coordinates(r, &r.Message, 2, "base of the secret key", &k.K)
	coordinates(r, &r.Message, 3, "base of the blinding", &k.H)
	for i := range k.Attributes {
		coordinates(r, &r.Message, 4, "base of an attribute", &k.Attributes[i])
	}
	w := r.Sub(5, "W")
	for n := range protowire.Number(4) {
		k.W = append(k.W, exact(&w, n+1, "coordinate", len(generator)/4)...)
	}
	w.Done()
	coordinates(r, &r.Message, 6, "B1", &k.B1)
	coordinates(r, &r.Message, 7, "B2", &k.B2)
	r.scalar(8, "challenge", &k.Challenge)
	r.scalar(9, "response", &k.Response)
	k.Hash = exact(&r.Message, 10, "hash", sha256.Size)
	if err := r.finish(); err != nil {
		return nil, err
	}
	if err := (&Scheme{group: g, decodePoints: strict(g)}).decodeOne(&r.points); err != nil {
		return nil, err
	}
	const last = 2 + sha256.Size // field 10
	if hash := HashBN254(g, b[:len(b)-last]); !bytes.Equal(k.Hash, g.AppendScalar(nil, hash)) {
		return nil, whatKey.Bad("hash", ErrDiffers)
	}
	return k, nil
}

// HashBN254 is the hash to scalars of the "dlog" scheme: SHA-256 modulo the order.
func HashBN254(g group.Group, b []byte) group.Scalar {
	digest := sha256.Sum256(b)
	return g.Reduce(digest[:])
}

// domain is the domain string of the bases of BBS+ signatures.
const domain = "BLS12381G1_XMD:BLAKE2B_SSWU_RO_BBS+_SIGNATURES:1_0_0"

// bbsIssuerKey derives the bases from W: h from raw(W) ‖ 00⁶ ‖ be32(5), h₀ … h₄
// from the same with the numbers 1 … 5 after raw(W) and one zero.
func bbsIssuerKey(g *bls12381.Group, b []byte) (*IssuerKey, error) {
	if len(b) != 2*bls12381.CompressedLen {
		return nil, whatKey.Bad("W", wire.ErrLength)
	}
	w, err := g.DecodePointG2(b)
	if err != nil {
		return nil, whatKey.Bad("W", err)
	}
	raw := w.Raw()
	data := binary.BigEndian.AppendUint32(append(raw, make([]byte, 6)...), 1+Attributes)
	k := &IssuerKey{W: bytes.Clone(b), H: g.HashToPointBBS(data, domain)}
	base := func(i uint32) group.Point {
		binary.BigEndian.PutUint32(data[len(raw)+1:], i)
		return g.HashToPointBBS(data, domain)
	}
	k.K = base(1)
	for i := range k.Attributes {
		k.Attributes[i] = base(uint32(i) + 2)
	}
	return k, nil
}
