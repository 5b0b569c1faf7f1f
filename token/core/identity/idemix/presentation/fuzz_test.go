package presentation_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/library"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// FuzzDecode: any bytes are read without a panic, errors are typed, and accepted
// bytes are the only encoding of their fields.
func FuzzDecode(f *testing.F) {
	for _, curve := range curves {
		s := newSample(f, curve)
		f.Add(s.raw(), join(s.signature), wire.AppendOctetList(nil, s.raw(), join(s.signature)))
	}
	f.Fuzz(func(t *testing.T, raw, signature, signed []byte) {
		typed := func(err error) bool {
			if de := new(wire.DecodeError); err != nil && !errors.As(err, &de) {
				t.Fatalf("untyped error %T: %v", err, err)
			}
			return err == nil
		}
		for _, scheme := range []*presentation.Scheme{presentation.BN254, presentation.BLS12381} {
			if id, err := scheme.Identity(raw); typed(err) {
				require.Equal(t, raw, join(split(t, raw)))
				require.Equal(t, id.Proof, join(split(t, id.Proof)))
				require.Equal(t, id.Nym, scheme.Group().AppendPoint(nil, id.Presentation.Nym))
			}
			if _, err := scheme.Signature(signature); typed(err) {
				require.Equal(t, signature, join(split(t, signature)))
			}
		}
		if s, err := presentation.DecodeSigned(signed); typed(err) {
			require.Equal(t, signed, wire.AppendOctetList(nil, s.Creator, s.Signature))
		}
	})
}

// TestIssuerKeysHaveTheirFieldsAlone: a key with any field twice, anywhere, or missing is
// refused, although its hash is right. A key of BLS12-381 has one length.
func TestIssuerKeysHaveTheirFieldsAlone(t *testing.T) {
	issuer, err := library.NewIssuer(1)
	require.NoError(t, err)
	g, good := presentation.BN254.Group(), split(t, issuer.Key().PublicKey)
	refused := func(fields []field) {
		t.Helper()
		hash := g.AppendScalar(nil, presentation.HashBN254(g, join(fields)))
		_, err := presentation.BN254.IssuerKey(join(append(fields, field{n: 10, bytes: hash})))
		require.ErrorAs(t, err, new(*wire.DecodeError))
	}
	good = good[:len(good)-1] // without the hash
	w := slices.IndexFunc(good, func(f field) bool { return f.n == 5 })
	for i, f := range good {
		refused(slices.Delete(slices.Clone(good), i, i+1))
		for place := range len(good) + 1 {
			refused(slices.Insert(slices.Clone(good), place, f))
		}
	}
	inner := split(t, good[w].bytes)
	for i, f := range inner {
		for place := range len(inner) + 1 {
			changed := slices.Clone(good)
			changed[w].bytes = join(slices.Insert(slices.Clone(inner), place, f))
			refused(changed)
		}
		changed := slices.Clone(good)
		changed[w].bytes = join(slices.Delete(slices.Clone(inner), i, i+1))
		refused(changed)
	}
	issuer, err = library.NewIssuer(7)
	require.NoError(t, err)
	b := issuer.Key().PublicKey
	for _, other := range [][]byte{nil, b[:len(b)-1], append(slices.Clone(b), 0),
		append(slices.Clone(b), b...)} {
		_, err := presentation.BLS12381.IssuerKey(other)
		require.ErrorIs(t, err, wire.ErrLength)
	}
}

// FuzzIssuerKey: no bytes cause a panic, and accepted bytes are the only encoding of
// the fields of the key.
func FuzzIssuerKey(f *testing.F) {
	for _, curve := range curves {
		issuer, err := library.NewIssuer(curve)
		require.NoError(f, err)
		key := issuer.Key().PublicKey
		_, err = presentation.SchemeOf(curve).IssuerKey(key)
		require.NoError(f, err)
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, scheme := range []*presentation.Scheme{presentation.BN254, presentation.BLS12381} {
			k, err := scheme.IssuerKey(b)
			switch de := new(wire.DecodeError); {
			case err == nil && scheme == presentation.BN254:
				require.Equal(t, b, join(split(t, b)))
			case err == nil:
				require.Equal(t, b, k.W)
			case !errors.As(err, &de):
				t.Fatalf("untyped error %T: %v", err, err)
			}
		}
	})
}
