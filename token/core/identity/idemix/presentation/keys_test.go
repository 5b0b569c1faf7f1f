package presentation_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity/idemix/library"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
)

// TestAttributesHaveTheirNames: a key with another name of an attribute is refused, also with the
// hash that fits. Package credential changes each byte of keys.
func TestAttributesHaveTheirNames(t *testing.T) {
	issuer, err := library.NewIssuer(1)
	require.NoError(t, err)
	fields, names := split(t, issuer.Key().PublicKey), 0
	fields = fields[:len(fields)-1] // without the hash
	for i, f := range fields {
		if f.n != 1 {
			continue
		}
		names++
		changed := slices.Clone(fields)
		changed[i].bytes = bytes.Clone(f.bytes)
		changed[i].bytes[len(f.bytes)-1] ^= 1
		hash := presentation.BN254.Group().AppendScalar(nil,
			presentation.HashBN254(presentation.BN254.Group(), join(changed)))
		_, err := presentation.BN254.IssuerKey(join(append(changed, field{n: 10, bytes: hash})))
		require.ErrorIs(t, err, presentation.ErrDiffers, "name %d", i)
	}
	require.Equal(t, presentation.Attributes, names)
}

// TestBasesDiffer: no two bases of an issuer are equal.
func TestBasesDiffer(t *testing.T) {
	for _, curve := range curves {
		issuer, err := library.NewIssuer(curve)
		require.NoError(t, err)
		scheme := presentation.SchemeOf(curve)
		key, err := scheme.IssuerKey(issuer.Key().PublicKey)
		require.NoError(t, err)
		seen := map[string]bool{}
		for _, base := range append(key.Attributes[:], key.H, key.K) {
			seen[string(scheme.Group().AppendPoint(nil, base))] = true
		}
		require.Len(t, seen, presentation.Attributes+2)
	}
}
