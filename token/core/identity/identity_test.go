package identity_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// recorded is the part of primitives.json about identities.
type recorded struct {
	Identities []struct {
		Type              int
		Identity, Encoded vectors.Hex
	} `json:"typed_identities"`
}

func TestRecordedEnvelopes(t *testing.T) {
	for set, file := range vectors.Sets[recorded](t, "primitives.json") {
		require.NotEmpty(t, file.Identities, set)
		for _, v := range file.Identities {
			id := identity.Typed{Type: identity.Type(v.Type), Raw: v.Identity}
			require.Equal(t, []byte(v.Encoded), id.Encode())
			got, err := identity.Decode(v.Encoded)
			require.NoError(t, err)
			require.Equal(t, id.Type, got.Type)
			require.True(t, bytes.Equal(v.Identity, got.Raw))
		}
	}
}

func TestLongIdentitiesAreRefused(t *testing.T) {
	b := identity.Typed{Type: identity.X509, Raw: make([]byte, identity.MaxLen)}.Encode()
	_, err := identity.Decode(b)
	require.ErrorIs(t, err, wire.ErrTooLarge)
}

func TestTypeWithoutVerifierIsRefused(t *testing.T) {
	_, err := identity.Registry{}.Verifier(identity.Typed{Type: identity.Idemix, Raw: []byte{1}}.Encode())
	require.ErrorIs(t, err, identity.ErrUnknownType)
}

func FuzzDecode(f *testing.F) {
	for _, file := range vectors.Sets[recorded](f, "primitives.json") {
		for _, v := range file.Identities {
			f.Add([]byte(v.Encoded))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		id, err := identity.Decode(b)
		if err != nil {
			if de := new(wire.DecodeError); !errors.As(err, &de) {
				t.Fatalf("untyped error %T: %v", err, err)
			}
			return
		}
		require.Equal(t, b, id.Encode())
	})
}
