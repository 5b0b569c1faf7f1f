package multisig_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// signed returns members with their signatures of a message.
func signed(t *testing.T, n int) (members, signatures [][]byte) {
	t.Helper()
	for i := range n {
		w := networktest.Wallet(t, uint64(i), fmt.Sprint(i))
		signature, err := w.Sign([]byte("message"))
		require.NoError(t, err)
		members, signatures = append(members, w.Identity()), append(signatures, signature)
	}
	return members, signatures
}

func TestAllMustSign(t *testing.T) {
	members, signatures := signed(t, 3)
	r := identity.Registry{identity.X509: x509.NewVerifier}
	r[identity.Multisig] = multisig.New(r, nil)
	id := multisig.Encode(members...)
	verify := func(signatures ...[]byte) error {
		return r.Verify(id, []byte("message"), multisig.Join(signatures...))
	}
	a, b, c := signatures[0], signatures[1], signatures[2]
	require.NoError(t, verify(a, b, c))
	require.Error(t, verify(a, c, b))
	require.Error(t, verify(a, b))
	require.Error(t, verify(a, b, c, c))
	missing := verify(a, b, nil)
	require.ErrorIs(t, missing, wire.ErrMissing)
	require.ErrorContains(t, missing, "member 2")
	require.Error(t, r.Verify(id, []byte("other"), multisig.Join(a, b, c)))
	_, err := r.Verifier(multisig.Encode())
	require.Error(t, err, "nobody")
	require.NoError(t, r.Open(id))
	require.Error(t, r.Open(multisig.Encode(members[0], []byte("no identity"))))
	require.ErrorIs(t,
		r.Open(multisig.Encode(members[0], multisig.Encode(identity.Typed{Type: 99}.Encode()))),
		identity.ErrUnknownType)
}

// TestDistinctMembers: equal members are refused before any member is opened.
func TestDistinctMembers(t *testing.T) {
	r := identity.Registry{99: func([]byte) (identity.Verifier, error) { return nil, nil }}
	r[identity.Multisig] = multisig.New(r, identity.Distinct)
	a, b := identity.Typed{Type: 99, Raw: []byte("a")}.Encode(),
		identity.Typed{Type: 99, Raw: []byte("b")}.Encode()
	require.NoError(t, r.Open(multisig.Encode(a, b)))
	require.NoError(t, r.Open(multisig.Encode(multisig.Encode(a), a)), "not equal as members")
	require.ErrorIs(t, r.Open(multisig.Encode(a, b, a)), identity.ErrRepeated)
	require.ErrorIs(t, r.Open(multisig.Encode(multisig.Encode(a, a), b)), identity.ErrRepeated)
}

func FuzzMembers(f *testing.F) {
	typed := networktest.Typed(f, multisig.Encode([]byte("a"), []byte("b")))
	vectors.FuzzDecoder(f, [][]byte{typed.Raw}, func(b []byte) ([]byte, error) {
		members, err := multisig.Members(b)
		if err != nil {
			return nil, err
		}
		return multisig.Join(members...), nil
	})
}

// TestMembersAreBounded: 64 members are read; 65 and 0 are refused.
func TestMembersAreBounded(t *testing.T) {
	for n, want := range map[int]error{0: wire.ErrCount, 1: nil, multisig.MaxMembers: nil,
		multisig.MaxMembers + 1: wire.ErrCount} {
		members := make([][]byte, n)
		for i := range members {
			members[i] = []byte{1}
		}
		typed := networktest.Typed(t, multisig.Encode(members...))
		_, err := multisig.Members(typed.Raw)
		require.ErrorIs(t, err, want, n)
	}
}
