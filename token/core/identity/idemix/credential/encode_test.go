package credential // the encodings of the Forger, which tests inside and outside use

import (
	"bytes"
	"encoding/binary"
	"math/big"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/bls12381"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
)

// message appends fields, each with the number of its place; nil is left out.
func message(fields map[int][]byte) (b []byte) {
	numbers := make([]int, 0, len(fields))
	for n := range fields {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		b = protowire.AppendBytes(protowire.AppendTag(b, protowire.Number(n), protowire.BytesType), fields[n])
	}
	return b
}

func (d *draft) point(p group.Point) []byte   { return d.group.AppendPoint(nil, p) }
func (d *draft) number(s group.Scalar) []byte { return d.group.AppendScalar(nil, s) }

// coordinates is the message of a point on BN254, in equal parts.
func coordinates(raw []byte, parts int) []byte {
	fields, n := map[int][]byte{}, len(raw)/parts
	for i := range parts {
		fields[1+i] = raw[i*n : (i+1)*n]
	}
	return message(fields)
}

// identity encodes the identity with its presentation.
func (d *draft) identity() []byte {
	proof := d.dlog
	if d.bbs {
		proof = d.bbsProof
	}
	return message(map[int][]byte{1: d.point(d.nymP), 4: proof()})
}

// epochSignature is not verified by anyone.
var epochSignature = bytes.Repeat([]byte{1}, 104)

func (d *draft) dlog() []byte {
	r := &d.response
	xy := func(p group.Point) []byte { return coordinates(d.point(p), 2) }
	b := message(map[int][]byte{
		1: xy(d.aPrime), 2: xy(d.aBar), 3: xy(d.b), 4: d.number(d.challenge), 5: d.number(r.key),
		6: d.number(r.e),
		7: d.number(r.r2), 8: d.number(r.r3), 9: d.number(r.s),
	})
	for _, a := range r.attributes {
		b = append(b, message(map[int][]byte{10: d.number(a)})...)
	}
	return append(b, message(map[int][]byte{
		11: d.number(d.nonce), 12: xy(d.nymP), 13: d.number(r.nym),
		14: coordinates(bn254.New().GeneratorG2(), 4), 15: epochSignature, 17: nil,
		18: message(map[int][]byte{1: xy(d.eidP), 2: d.number(r.eid)}),
		19: message(map[int][]byte{1: xy(d.rhP), 2: d.number(r.rh)}),
	})...)
}

func (d *draft) bbsProof() []byte {
	r := &d.response
	main := slices.Concat([]byte{0, 1 + presentation.Attributes, 0}, d.compress(d.point(d.aPrime)),
		d.compress(d.point(d.aBar)), d.compress(d.point(d.b)))
	first := d.proofG1(d.t[0], r.e, r.r2)
	main = append(binary.BigEndian.AppendUint32(main, uint32(len(first))), first...)
	main = append(main, d.proofG1(d.t[1], append([]group.Scalar{r.r3, r.s, r.key}, r.attributes[:]...)...)...)
	b := message(map[int][]byte{
		1: main, 2: d.number(d.nonce), 3: d.point(d.nymP), 4: d.proofG1(d.t[2], r.nym, r.key),
		5: d.point(d.eidP), 6: d.proofG1(d.t[3], r.eid, r.attributes[presentation.EnrollmentID]),
	})
	position := func(n protowire.Number, attribute uint64) {
		b = protowire.AppendVarint(protowire.AppendTag(b, n, protowire.VarintType), 3+attribute)
	}
	position(7, presentation.EnrollmentID)
	b = append(b,
		message(map[int][]byte{8: d.point(d.rhP),
			9: d.proofG1(d.t[4], r.rh, r.attributes[presentation.RevocationHandle])})...)
	position(10, presentation.RevocationHandle)
	return append(b,
		message(map[int][]byte{11: bls12381.New(7).GeneratorG2(), 12: epochSignature, 14: nil})...)
}

// proofG1 encodes a commitment with responses.
func (d *draft) proofG1(t []byte, responses ...group.Scalar) []byte {
	b := binary.BigEndian.AppendUint32(d.compress(t), uint32(len(responses)))
	for _, r := range responses {
		b = d.group.AppendScalar(b, r)
	}
	return b
}

// compress returns the compressed form of an uncompressed point.
func (d *draft) compress(raw []byte) []byte {
	const compressed, largest = 0x80, 0x20
	n := len(raw) / 2
	b := bytes.Clone(raw[:n])
	b[0] |= compressed
	// The flag says that y > p - y, for the prime p of the field.
	p, _ := new(big.Int).SetString(
		"1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf"+
			"6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab", 16)
	if y := new(big.Int).SetBytes(raw[n:]); y.Cmp(p.Sub(p, y)) > 0 {
		b[0] |= largest
	}
	return b
}

// signature encodes a signature of the pseudonym.
func (d *draft) signature(t []byte, c, key, nym, nonce group.Scalar) []byte {
	if d.bbs {
		return message(map[int][]byte{1: d.proofG1(t, nym, key), 2: d.number(nonce)})
	}
	return message(map[int][]byte{1: d.number(c), 2: d.number(key), 3: d.number(nym), 4: d.number(nonce)})
}

// transcript is the input of the first hash of the challenge.
func (d *draft) transcript() []byte {
	label, k := []byte("signWithEidNymRhNym"), d.key
	a, bar, b, nym, eid, rh := d.point(d.aPrime), d.point(d.aBar), d.point(d.b), d.point(d.nymP),
		d.point(d.eidP), d.point(d.rhP)
	if !d.bbs {
		return slices.Concat(label, d.t[0], d.t[1], d.t[2], a, bar, b, nym, eid, d.t[3], rh, d.t[4], k.Hash,
			make([]byte, presentation.Attributes))
	}
	bases := d.group.AppendPoints(nil, nil, append([]group.Point{k.H, k.K}, k.Attributes[:]...))
	h := bases[:d.group.PointLen()]
	return slices.Concat(label, bar, a, h, d.t[0], b, bases, d.t[1], nym, d.t[2], eid, d.t[3], rh, d.t[4],
		d.number(d.hash(nil)))
}

// signTranscript is the transcript of a signature with an encoded commitment.
func (d *draft) signTranscript(t, signed []byte) []byte {
	nym := d.point(d.nymP)
	if !d.bbs {
		return slices.Concat([]byte("sign"), t, nym, d.key.Hash, signed)
	}
	return slices.Concat([]byte("nym-sig"), nym, d.point(d.key.H), d.point(d.key.K), t, signed)
}
