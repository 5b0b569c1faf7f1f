package identity_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
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
		t.Run(set, func(t *testing.T) {
			require.NotEmpty(t, file.Identities, set)
			for _, v := range file.Identities {
				id := identity.Typed{Type: identity.Type(v.Type), Raw: v.Identity}
				require.Equal(t, []byte(v.Encoded), id.Encode())
				got := networktest.Typed(t, v.Encoded)
				require.Equal(t, id.Type, got.Type)
				require.True(t, bytes.Equal(v.Identity, got.Raw))
			}
		})
	}
}

func TestLongIdentitiesAreRefused(t *testing.T) {
	const envelope = 11 // bytes around a long identity
	b := identity.Typed{Type: identity.X509, Raw: make([]byte, identity.MaxLen-envelope)}.Encode()
	require.Len(t, b, identity.MaxLen)
	_, err := identity.Decode(b)
	require.NoError(t, err)
	b = identity.Typed{Type: identity.X509, Raw: make([]byte, identity.MaxLen-envelope+1)}.Encode()
	_, err = identity.Decode(b)
	require.ErrorIs(t, err, wire.ErrTooLarge)
}

func TestTypesHaveNames(t *testing.T) {
	for kind, want := range map[identity.Type]string{
		1: "idemix", 2: "x509", 3: "idemixnym", 4: "htlc", 5: "multisig", 6: "policy", 7: "hashed",
		0: "type 0", 8: "type 8",
	} {
		require.Equal(t, want, kind.String())
	}
}

func TestEqualMembersAreNamed(t *testing.T) {
	a, b := []byte("a"), []byte("b")
	require.NoError(t, identity.Distinct(nil))
	require.NoError(t, identity.Distinct([][]byte{a, b, {}}))
	require.EqualError(t, identity.Distinct([][]byte{a, b, b, a}), "member 2: members are equal")
	require.NoError(t, identity.MemberRule(nil).Check([][]byte{a, a}))
	require.ErrorIs(t, identity.MemberRule(identity.Distinct).Check([][]byte{a, a}), identity.ErrRepeated)
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
