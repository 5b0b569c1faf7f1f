package presentation_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/core/identity/idemix/library"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// curves have the identifiers of the three default curves.
var curves = []int{1, 7, 8}

// sample is an identity of type 1 with a signature, cut into fields.
type sample struct {
	scheme    *presentation.Scheme
	bbs       bool
	identity  []field
	proof     []field
	signature []field
}

// field is one field of a protobuf message.
type field struct {
	n      protowire.Number
	number bool
	value  uint64
	bytes  []byte
}

// split cuts a message into its fields.
func split(t testing.TB, b []byte) (fs []field) {
	t.Helper()
	for len(b) > 0 {
		n, kind, size := protowire.ConsumeTag(b)
		require.Positive(t, size)
		b = b[size:]
		f := field{n: n, number: kind == protowire.VarintType}
		if f.number {
			f.value, size = protowire.ConsumeVarint(b)
		} else {
			f.bytes, size = protowire.ConsumeBytes(b)
		}
		require.Positive(t, size)
		b = b[size:]
		fs = append(fs, f)
	}
	return fs
}

// join is the inverse of split.
func join(fs []field) (b []byte) {
	for _, f := range fs {
		if f.number {
			b = protowire.AppendVarint(protowire.AppendTag(b, f.n, protowire.VarintType), f.value)
		} else {
			b = protowire.AppendBytes(protowire.AppendTag(b, f.n, protowire.BytesType), f.bytes)
		}
	}
	return b
}

var samples vectors.Once[int, [2][]byte] // by curve

// newSample returns a fresh copy of the sample of a curve.
func newSample(t testing.TB, curve int) *sample {
	t.Helper()
	both := samples.Get(curve, func() [2][]byte {
		issuer, err := library.NewIssuer(curve)
		require.NoError(t, err)
		user, err := issuer.Enrol("alice", "150")
		require.NoError(t, err)
		w, err := user.NewWallet()
		require.NoError(t, err)
		signature, err := w.Sign([]byte("message"))
		require.NoError(t, err)
		return [2][]byte{w.Identity(), signature}
	})
	typed := networktest.Typed(t, both[0])
	s := &sample{scheme: presentation.SchemeOf(curve), bbs: curve != 1}
	s.identity = split(t, slices.Clone(typed.Raw))
	s.proof = split(t, slices.Clone(s.identity[1].bytes))
	s.signature = split(t, slices.Clone(both[1]))
	return s
}

// raw returns the identity with the presentation as it is now.
func (s *sample) raw() []byte {
	id := slices.Clone(s.identity)
	id[1].bytes = join(s.proof)
	return join(id)
}

// at returns field n of the presentation, the first of that number.
func (s *sample) at(n protowire.Number) *field { return at(s.proof, n) }

func at(fs []field, n protowire.Number) *field {
	return &fs[slices.IndexFunc(fs, func(f field) bool { return f.n == n })]
}

// scalars returns views of all scalars of the presentation by name.
func (s *sample) scalars(t *testing.T) map[string][]byte {
	views := map[string][]byte{}
	if !s.bbs {
		for i := range s.proof {
			if f := s.proof[i]; len(f.bytes) == 32 {
				views[string(rune('a'+i))] = f.bytes
			}
		}
		for _, n := range []protowire.Number{18, 19} {
			views["attribute "+string(rune('0'+n))] = s.at(n).bytes[104-32:]
		}
		require.Len(t, views, 14)
		return views
	}
	views["nonce"] = s.at(2).bytes
	for name, at := range s.proofs() {
		for i := range int(binary.BigEndian.Uint32(at[48:])) {
			views[name+string(rune('0'+i))] = at[52+32*i:][:32]
		}
	}
	require.Len(t, views, 1+2+7+3*2)
	return views
}

// proofs returns views of the five ProofG1 of a BBS+ presentation.
func (s *sample) proofs() map[string][]byte {
	main := s.at(1).bytes
	first := 3 + 3*48 + 4
	return map[string][]byte{
		"T1": main[first : first+116], "T2": main[first+116:],
		"T3": s.at(4).bytes, "T4": s.at(6).bytes, "T5": s.at(9).bytes,
	}
}

// setProof replaces one of the five ProofG1, which may have another length.
func (s *sample) setProof(name string, proof []byte) {
	if n := map[string]protowire.Number{"T3": 4, "T4": 6, "T5": 9}[name]; n > 0 {
		s.at(n).bytes = proof
		return
	}
	const head = 3 + 3*48 // before the length of T1
	ps := s.proofs()
	ps[name] = proof
	s.at(1).bytes = slices.Concat(s.at(1).bytes[:head],
		binary.BigEndian.AppendUint32(nil, uint32(len(ps["T1"]))), ps["T1"], ps["T2"])
}

// points returns views of all encoded points of the presentation but the
// pseudonym, which the identity repeats: on BN254 of the coordinates with the
// framing between them.
func (s *sample) points() map[string][]byte {
	if !s.bbs {
		return map[string][]byte{
			"A'": s.at(1).bytes, "Abar": s.at(2).bytes, "B'": s.at(3).bytes,
			"E": s.at(18).bytes[2:70], "R": s.at(19).bytes[2:70],
		}
	}
	main := s.at(1).bytes
	views := map[string][]byte{
		"A'": main[3:51], "Abar": main[51:99], "D": main[99:147], "E": s.at(5).bytes, "R": s.at(8).bytes,
	}
	for name, proof := range s.proofs() {
		views[name] = proof[:48]
	}
	return views
}
