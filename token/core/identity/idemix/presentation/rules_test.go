package presentation_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// refused requires the error of a rule: a *wire.DecodeError of a kind.
func refused(t *testing.T, s *sample, want error, what ...any) {
	t.Helper()
	_, err := s.scheme.Identity(s.raw())
	require.ErrorIs(t, err, want, what...)
	wrong := new(wire.DecodeError)
	require.ErrorAs(t, err, &wrong, what...)
	require.NotEmpty(t, wrong.Field, what...)
}

// each runs f with fresh samples of all curves.
func each(t *testing.T, f func(t *testing.T, fresh func() *sample)) {
	for _, curve := range curves {
		t.Run(fmt.Sprint("curve=", curve), func(t *testing.T) {
			f(t, func() *sample { return newSample(t, curve) })
		})
	}
}

// TestPseudonymIsThatOfThePresentation: rule N1.
func TestPseudonymIsThatOfThePresentation(t *testing.T) {
	each(t, func(t *testing.T, fresh func() *sample) {
		s := fresh()
		g := s.scheme.Group()
		s.identity[0].bytes = g.AppendPoint(nil, group.MulPoint(g, g.Generator(), g.Uint64(7)))
		refused(t, s, presentation.ErrDiffers)
	})
}

// TestPositionsAreThoseOfTheFormat: rule S4.
func TestPositionsAreThoseOfTheFormat(t *testing.T) {
	for n, want := range map[protowire.Number]uint64{7: 5, 10: 6} {
		for position := range uint64(10) {
			s := newSample(t, 7)
			require.Equal(t, want, s.at(n).value)
			if s.at(n).value = position; position != want {
				kind := presentation.ErrDiffers
				if position == 0 { // a zero is left out
					kind = wire.ErrNotCanonical
				}
				refused(t, s, kind, position)
			}
		}
		s := newSample(t, 7)
		s.proof = slices.DeleteFunc(s.proof, func(f field) bool { return f.n == n })
		refused(t, s, presentation.ErrDiffers)
	}
	s := newSample(t, 7)
	s.at(7).value, s.at(10).value = 6, 5
	refused(t, s, presentation.ErrDiffers)
	for position, kind := range map[uint64]error{1 << 31: presentation.ErrDiffers,
		1<<31 + 1: wire.ErrTooLarge} {
		s := newSample(t, 7)
		s.at(7).value = position
		refused(t, s, kind)
	}
}

// TestFiveMessagesAndNothingRevealed: rule S5.
func TestFiveMessagesAndNothingRevealed(t *testing.T) {
	for i := range 3 {
		for _, mask := range []byte{1, 2, 0x80} {
			s := newSample(t, 7)
			s.at(1).bytes[i] ^= mask
			refused(t, s, presentation.ErrDiffers)
		}
	}
}

// TestNumbersOfResponsesAreExact: rule S3, with lengths that fit the number and with another
// number alone.
func TestNumbersOfResponsesAreExact(t *testing.T) {
	for name, right := range map[string]int{"T1": 2, "T2": 7, "T3": 2, "T4": 2, "T5": 2} {
		t.Run(name, func(t *testing.T) {
			for n := range 12 {
				s := newSample(t, 7)
				old := s.proofs()[name]
				proof := binary.BigEndian.AppendUint32(bytes.Clone(old[:48]), uint32(n))
				for i := range n {
					proof = append(proof, old[52+32*(i%right):][:32]...)
				}
				s.setProof(name, proof)
				require.Equal(t, n == right, decode(s) == nil, "%d responses", n)
			}
			for _, number := range []uint32{0, 1, 3, 1 << 31} {
				s := newSample(t, 7)
				binary.BigEndian.PutUint32(s.proofs()[name][48:], number)
				refused(t, s, wire.ErrCount, number)
			}
		})
	}
	s := newSample(t, 7)
	s.at(1).bytes[150] ^= 1
	refused(t, s, wire.ErrCount, "the length of T1")
	for _, n := range []int{-1, 1} { // responses of attributes on BN254
		s := newSample(t, 1)
		i := slices.IndexFunc(s.proof, func(f field) bool { return f.n == 10 })
		kind := wire.ErrTwice
		if n < 0 {
			s.proof, kind = slices.Delete(s.proof, i, i+1), wire.ErrMissing
		} else {
			s.proof = slices.Insert(s.proof, i, s.proof[i])
		}
		refused(t, s, kind)
	}
}

func decode(s *sample) error {
	_, err := s.scheme.Identity(s.raw())
	return err
}

// TestScalarsAreReduced: rule S6.
func TestScalarsAreReduced(t *testing.T) {
	each(t, func(t *testing.T, fresh func() *sample) {
		for name := range fresh().scalars(t) {
			t.Run(name, func(t *testing.T) {
				s := fresh()
				view, order := s.scalars(t)[name], s.scheme.Group().Order()
				new(big.Int).Add(new(big.Int).SetBytes(view), order).FillBytes(view)
				refused(t, s, group.ErrNotCanonical, name)
			})
		}
		for i := range fresh().signature {
			s := fresh()
			b := s.signature[i].bytes
			if len(b) > 32 {
				b = b[len(b)-32:]
			}
			new(big.Int).Add(new(big.Int).SetBytes(b), s.scheme.Group().Order()).FillBytes(b)
			_, err := s.scheme.Signature(join(s.signature))
			require.ErrorIs(t, err, group.ErrNotCanonical)
		}
	})
}

// encodings are wrong points: of the length of a view, as messages of two
// coordinates on BN254.
func encodings(s *sample, length int) map[error][]byte {
	form := func(head byte, x, y byte) []byte {
		b := make([]byte, length)
		b[0], b[length-1] = head, y
		if length == 96 {
			b[47] = x
		}
		return b
	}
	switch {
	case !s.bbs:
		xy := func(fill byte, y byte) []byte {
			x := bytes.Repeat([]byte{fill}, 32)
			return slices.Concat([]byte{10, 32}, x, []byte{18, 32}, make([]byte, 31), []byte{y})
		}
		return map[error][]byte{group.ErrIdentity: xy(0, 0), group.ErrNotOnCurve: xy(0, 1),
			group.ErrNotCanonical: xy(0xff, 1)}
	case length == 48:
		return map[error][]byte{
			group.ErrIdentity:      form(0xc0, 0, 0),
			group.ErrNotInSubgroup: form(0x80, 0, 0), // (0, 2) has the order 3
			group.ErrNotOnCurve:    form(0x80, 0, 1),
			group.ErrNotCanonical:  bytes.Repeat([]byte{0x9f}, 48),
		}
	}
	return map[error][]byte{
		group.ErrIdentity:      form(0x40, 0, 0),
		group.ErrNotInSubgroup: form(0, 0, 2),
		group.ErrNotOnCurve:    form(0, 0, 3),
		group.ErrNotCanonical:  bytes.Repeat([]byte{0x1f}, 96),
	}
}

// TestPointsAreOfTheGroup: rules S7 and S8, at each place.
func TestPointsAreOfTheGroup(t *testing.T) {
	each(t, func(t *testing.T, fresh func() *sample) {
		for name, view := range fresh().points() {
			t.Run(name, func(t *testing.T) {
				for want, encoded := range encodings(fresh(), len(view)) {
					s := fresh()
					copy(s.points()[name], encoded)
					if name[0] == 'T' && want == group.ErrNotInSubgroup {
						// Commitments are read as points of the curve and compared with sums.
						require.NoError(t, decode(s), name)
						continue
					}
					refused(t, s, want, name)
				}
			})
		}
		at := protowire.Number(12)
		if fresh().bbs {
			at = 3
		}
		for want, encoded := range encodings(fresh(), len(fresh().at(at).bytes)) {
			s := fresh()
			copy(s.at(at).bytes, encoded)
			s.identity[0].bytes = encoded
			if !s.bbs {
				s.identity[0].bytes = slices.Concat(encoded[2:34], encoded[36:])
			}
			refused(t, s, want, "pseudonym")
		}
	})
}

// TestPointsOfManyMessages: each identity with a wrong point is named, and the points of the
// others are those that are decoded alone.
func TestPointsOfManyMessages(t *testing.T) {
	each(t, func(t *testing.T, fresh func() *sample) {
		const n = 3
		right, err := fresh().scheme.Identity(fresh().raw())
		require.NoError(t, err)
		for _, name := range []string{"A'", "E"} { // short and long on BLS12-381
			for want, encoded := range encodings(fresh(), len(fresh().points()[name])) {
				for wrong := range 1 << n { // a set of identities
					ids := make([]*presentation.Identity, n)
					for i := range ids {
						s := fresh()
						if wrong>>i&1 == 1 {
							copy(s.points()[name], encoded)
						}
						ids[i], err = s.scheme.FrameIdentity(s.raw())
						require.NoError(t, err)
					}
					for i, err := range fresh().scheme.Points(ids, make([]*presentation.Signature, n)) {
						if wrong>>i&1 == 1 {
							require.ErrorIs(t, err, want, "%s of %d in %03b", name, i, wrong)
							continue
						}
						require.NoError(t, err, "%s: %d in %03b", name, i, wrong)
						require.Equal(t, right.Presentation, ids[i].Presentation)
					}
				}
			}
		}
	})
}

// TestFlagsOfCompressedPoints: a compressed point says that it is one.
func TestFlagsOfCompressedPoints(t *testing.T) {
	for _, flags := range []byte{0, 0x20, 0x40, 0x60, 0xe0} {
		for name := range newSample(t, 7).points() {
			t.Run(name, func(t *testing.T) {
				s := newSample(t, 7)
				if view := s.points()[name]; len(view) == 48 {
					view[0] = view[0]&0x1f | flags
					refused(t, s, group.ErrNotCanonical, name)
				}
			})
		}
	}
}

// epochFields are the key of the epoch, its signature, the epoch and the proof
// of non-revocation.
func epochFields(s *sample) (key, signature, epoch, proof protowire.Number) {
	if s.bbs {
		return 11, 12, 13, 14
	}
	return 14, 15, 16, 17
}

// TestNothingIsRevoked: rules S9 and S10.
func TestNothingIsRevoked(t *testing.T) {
	each(t, func(t *testing.T, fresh func() *sample) {
		key, signature, epoch, proof := epochFields(fresh())
		s := fresh()
		last := s.at(key).bytes
		last[len(last)-1] ^= 1
		refused(t, s, presentation.ErrDiffers, "another key of the epoch")

		s = fresh()
		i := slices.IndexFunc(s.proof, func(f field) bool { return f.n == proof })
		s.proof = slices.Insert(s.proof, i, field{n: epoch, number: true, value: 1})
		refused(t, s, wire.ErrMissing, "another epoch")

		s = fresh()
		s.at(proof).bytes = []byte{8, 1}
		refused(t, s, wire.ErrLength, "a proof of non-revocation")
		s.proof = slices.Delete(s.proof, i, i+1)
		refused(t, s, wire.ErrMissing, "no proof of non-revocation")

		s = fresh()
		s.at(signature).bytes = make([]byte, 105)
		refused(t, s, wire.ErrTooLarge, "long signature of the epoch")
		s.at(signature).bytes = nil
		refused(t, s, wire.ErrMissing, "empty signature of the epoch")
		s.at(signature).bytes = []byte{1}
		require.NoError(t, decode(s), "the signature of the epoch is not verified")
	})
}

// TestOneEncoding: rule S2 for each field of each message.
func TestOneEncoding(t *testing.T) {
	each(t, func(t *testing.T, fresh func() *sample) {
		oneEncoding(t, fresh().identity, func(fs []field) error {
			_, err := fresh().scheme.Identity(join(fs))
			return err
		})
		oneEncoding(t, fresh().proof, func(fs []field) error {
			s := fresh()
			s.proof = fs
			return decode(s)
		})
		oneEncoding(t, fresh().signature, func(fs []field) error {
			_, err := fresh().scheme.Signature(join(fs))
			return err
		})
		if fresh().bbs {
			return
		}
		for _, n := range []protowire.Number{1, 2, 3, 12, 14, 18, 19} {
			oneEncoding(t, split(t, fresh().at(n).bytes), func(fs []field) error {
				s := fresh()
				s.at(n).bytes = join(fs)
				return decode(s)
			})
		}
	})
}

// oneEncoding changes the framing of a message in each way that leaves its
// fields in place, and asks that decode refuses it.
func oneEncoding(t *testing.T, honest []field, decode func([]field) error) {
	t.Helper()
	require.NoError(t, decode(honest))
	check := func(what string, fs []field) {
		t.Helper()
		require.ErrorAs(t, decode(fs), new(*wire.DecodeError), what)
	}
	for i, f := range honest {
		what := fmt.Sprint("field ", f.n)
		check("without "+what, slices.Delete(slices.Clone(honest), i, i+1))
		check("twice "+what, slices.Insert(slices.Clone(honest), i, f))
		if i > 0 && honest[i-1].n != f.n {
			swapped := slices.Clone(honest)
			swapped[i-1], swapped[i] = f, honest[i-1]
			check("out of order "+what, swapped)
		}
		for _, other := range [][]byte{nil, append(bytes.Clone(f.bytes), 0), append([]byte{0}, f.bytes...),
			f.bytes[:max(0, len(f.bytes)-1)]} {
			if f.number || len(other) == len(f.bytes) || 0 < len(other) && len(other) <= 104 &&
				100 < len(f.bytes) && len(f.bytes) < 105 && f.n != 18 && f.n != 19 {
				continue // the signature of the epoch has any length up to 104
			}
			longer := slices.Clone(honest)
			longer[i].bytes = other
			check(fmt.Sprintf("%d bytes for %d in %s", len(other), len(f.bytes), what), longer)
		}
	}
	for n := range protowire.Number(24) {
		for _, extra := range []field{{n: n + 1, bytes: []byte{1}}, {n: n + 1, number: true, value: 1},
			{n: n + 1, number: true}, {n: n + 1}} {
			i := slices.IndexFunc(honest, func(f field) bool { return f.n > n+1 })
			if i < 0 {
				i = len(honest)
			}
			if slices.ContainsFunc(honest, func(f field) bool { return f.n == n+1 }) {
				i = 0 // in front of the first
			}
			check(fmt.Sprint("extra field ", n+1), slices.Insert(slices.Clone(honest), i, extra))
		}
	}
}

func TestSignaturesOfType3(t *testing.T) {
	signed := wire.AppendOctetList(nil, []byte("creator"), []byte("signature"))
	got, err := presentation.DecodeSigned(signed)
	require.NoError(t, err)
	require.Equal(t, presentation.Signed{Creator: []byte("creator"), Signature: []byte("signature")}, got)
	for want, b := range map[error][]byte{
		wire.ErrTrailing:  append(bytes.Clone(signed), 0),
		wire.ErrMalformed: wire.AppendOctetList(nil, []byte("creator")),
		wire.ErrTooLarge:  wire.AppendOctetList(nil, make([]byte, 1<<12), nil),
	} {
		_, err := presentation.DecodeSigned(b)
		require.ErrorIs(t, err, want)
	}
	_, err = presentation.DecodeSigned(wire.AppendOctetList(nil, []byte("creator"), []byte("signature"), nil))
	require.ErrorIs(t, err, wire.ErrTrailing)
	const headers = 12 // of the list and of two long strings
	for n, want := range map[int]error{1<<12 - headers: nil, 1<<12 - headers + 1: wire.ErrTooLarge} {
		b := wire.AppendOctetList(nil, make([]byte, n-300), make([]byte, 300))
		if want == nil {
			require.Equal(t, 1<<12, len(b))
		}
		_, err = presentation.DecodeSigned(b)
		require.ErrorIs(t, err, want)
	}
}

// TestRepeatedResponsesAreEqual: the responses of the secret key and of two attributes
// occur twice. A presentation is refused if one of them is 0, or one more, and read if
// both are 0.
func TestRepeatedResponsesAreEqual(t *testing.T) {
	for first, second := range map[string]string{"T22": "T31", "T25": "T41", "T26": "T51"} {
		t.Run(first, func(t *testing.T) {
			for _, curve := range []int{7, 8} {
				s := newSample(t, curve)
				views := s.scalars(t)
				require.Equal(t, views[first], views[second])
				for _, name := range []string{first, second} {
					s := newSample(t, curve)
					clear(s.scalars(t)[name])
					refused(t, s, presentation.ErrDiffers, name)
					s = newSample(t, curve)
					s.scalars(t)[name][31] ^= 1
					refused(t, s, presentation.ErrDiffers, name)
				}
				clear(views[first])
				clear(views[second])
				require.NoError(t, decode(s))
			}
		})
	}
}

// TestResponsesOfAttributesAreInOrder: response i of the proof of the attributes is that
// of attribute i.
func TestResponsesOfAttributesAreInOrder(t *testing.T) {
	s := newSample(t, 7)
	id, err := s.scheme.Identity(s.raw())
	require.NoError(t, err)
	views, r := s.scalars(t), id.Presentation.Responses
	g := s.scheme.Group()
	for name, got := range map[string]group.Scalar{
		"T10": r.E, "T11": r.R2, "T20": r.R3, "T21": r.S, "T22": r.SecretKey,
		"T23": r.Attributes[0], "T24": r.Attributes[1], "T25": r.Attributes[2], "T26": r.Attributes[3],
		"T30": r.Nym, "T40": r.EID, "T50": r.RH,
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, views[name], g.AppendScalar(nil, got), name)
		})
	}
}

// TestEmptySchemesReadNothing: the zero value refuses every message.
func TestEmptySchemesReadNothing(t *testing.T) {
	empty := new(presentation.Scheme)
	_, err := empty.IssuerKey([]byte{1})
	require.Error(t, err)
	_, err = empty.Identity([]byte{1})
	require.Error(t, err)
	_, err = empty.Signature([]byte{1})
	require.Error(t, err)
}
