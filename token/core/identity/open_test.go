package identity_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
)

// proved is an owner with a proof of its own, which is right if it says so.
type proved struct {
	later
	state string
}

func (p proved) BeginOpen() ([]identity.Rest, error) {
	if p.state == "" {
		return nil, identity.ErrSignature
	}
	return []identity.Rest{{Batch: p.of, State: p.state}}, nil
}

// plainOwner verifies at once and has no proof.
type plainOwner struct{}

func (plainOwner) Verify(_ identity.Message, signature []byte) error {
	if string(signature) != "right" {
		return identity.ErrSignature
	}
	return nil
}

// TestOpenings: an identity is opened if its proof is right, alone and as a member, and
// the first member that is not is named.
func TestOpenings(t *testing.T) {
	var calls []string
	r := identity.Registry{
		identity.Idemix: func(raw []byte) (identity.Verifier, error) {
			return proved{later{lot{"a", &calls}}, string(raw)}, nil
		},
		identity.X509: func(raw []byte) (identity.Verifier, error) {
			if len(raw) == 0 {
				return nil, identity.ErrSignature
			}
			return plainOwner{}, nil
		},
	}
	id := func(kind identity.Type, raw string) []byte {
		return identity.Typed{Type: kind, Raw: []byte(raw)}.Encode()
	}
	right, wrong, malformed := id(identity.Idemix, "right"), id(identity.Idemix, "wrong"), []byte{1}
	plain, unknown := id(identity.X509, "x"), id(identity.HTLC, "x")

	require.NoError(t, r.Open(right))
	require.NoError(t, r.Open(plain))
	require.Equal(t, []string{"a[[right]]"}, calls)
	require.ErrorIs(t, r.Open(wrong), identity.ErrSignature)
	require.ErrorIs(t, r.Open(unknown), identity.ErrUnknownType)
	require.Error(t, r.Open(malformed))

	rests, err := r.BeginOpenAll([][]byte{right, plain, wrong, right})
	require.NoError(t, err)
	require.Len(t, rests, 3)
	require.Equal(t, []string{"member 0: ", "member 2: ", "member 3: "}, []string{rests[0].Member, rests[1].Member, rests[2].Member})
	require.Equal(t, []any{"right", "wrong", "right"}, []any{rests[0].State, rests[1].State, rests[2].State})
	for i, members := range [][][]byte{{malformed, right}, {right, unknown, malformed}, {right, plain, malformed}} {
		rests, err := r.BeginOpenAll(members)
		require.Empty(t, rests)
		require.ErrorContains(t, err, []string{"member 0: ", "member 1: ", "member 2: "}[i])
	}
	rests, err = r.BeginOpenAll(nil)
	require.NoError(t, err)
	require.Empty(t, rests)

	require.NoError(t, r.Verify(plain, nil, []byte("right")))
	require.ErrorIs(t, r.Verify(plain, nil, []byte("wrong")), identity.ErrSignature)
	require.NoError(t, r.Verify(right, nil, []byte("right")))
	require.ErrorIs(t, r.Verify(right, nil, []byte("wrong")), identity.ErrSignature)
	require.ErrorIs(t, r.Verify(unknown, nil, []byte("right")), identity.ErrUnknownType)
	rests, err = identity.Begin(plainOwner{}, identity.NewMessage(nil), []byte("right"))
	require.NoError(t, err)
	require.Empty(t, rests)
	_, err = identity.Begin(plainOwner{}, identity.NewMessage(nil), []byte("wrong"))
	require.ErrorIs(t, err, identity.ErrSignature)
}
