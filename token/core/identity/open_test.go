package identity_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// proved is an owner that has its proof, and says whether it is right.
type proved struct {
	later
	state string
}

func (p proved) BeginOpen() (identity.Task, error) {
	if p.state == "" {
		return nil, identity.ErrSignature
	}
	return round.TaskOf(func(r round.Round) error { return p.of.Wait(r, p.state) }), nil
}

// plainOwner verifies at once, without a proof.
type plainOwner struct{}

func (plainOwner) Begin(_ identity.Message, signature []byte) (identity.Task, error) {
	if string(signature) != "right" {
		return nil, identity.ErrSignature
	}
	return nil, nil
}

// TestOpenings: an identity is opened if its proof is right, alone and as a member, and
// the error names the first wrong member.
func TestOpenings(t *testing.T) {
	a := newLot()
	r := identity.Registry{
		identity.Idemix: func(raw []byte) (identity.Verifier, error) {
			return proved{later{a}, string(raw)}, nil
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
	require.Equal(t, []string{"[right]"}, a.calls)
	require.ErrorIs(t, r.Open(wrong), identity.ErrSignature)
	require.ErrorIs(t, r.Open(unknown), identity.ErrUnknownType)
	require.Error(t, r.Open(malformed))

	open := func(members ...[]byte) error {
		task, err := r.BeginOpenAll(members)
		require.NoError(t, err)
		if task == nil {
			return nil
		}
		return round.Run(nil, task.Do)
	}
	require.EqualError(t, open(right, plain, wrong, right), "member 2: signature is rejected")
	require.NoError(t, open(right, plain, right))
	require.NoError(t, open())
	for i, members := range [][][]byte{{malformed, right}, {right, unknown, malformed},
		{right, plain, malformed}} {
		task, err := r.BeginOpenAll(members)
		require.Nil(t, task)
		require.ErrorContains(t, err, []string{"member 0: ", "member 1: ", "member 2: "}[i])
	}

	require.NoError(t, r.Verify(plain, nil, []byte("right")))
	require.ErrorIs(t, r.Verify(plain, nil, []byte("wrong")), identity.ErrSignature)
	require.NoError(t, r.Verify(right, nil, []byte("right")))
	require.ErrorIs(t, r.Verify(right, nil, []byte("wrong")), identity.ErrSignature)
	require.ErrorIs(t, r.Verify(unknown, nil, []byte("right")), identity.ErrUnknownType)
	require.NoError(t, identity.Verify(plainOwner{}, identity.NewMessage(nil), []byte("right")))
	require.ErrorIs(t, identity.Verify(plainOwner{}, identity.NewMessage(nil), []byte("wrong")),
		identity.ErrSignature)
}
