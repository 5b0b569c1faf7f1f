package multisig_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

func TestAllMustSign(t *testing.T) {
	var members, signatures [][]byte
	for i := range 3 {
		w, err := x509.NewWallet(fixture.Random(uint64(i)), fmt.Sprint(i))
		require.NoError(t, err)
		signature, err := w.Sign([]byte("message"))
		require.NoError(t, err)
		members, signatures = append(members, w.Identity()), append(signatures, signature)
	}
	r := identity.Registry{identity.X509: x509.NewVerifier}
	r[identity.Multisig] = multisig.New(r)
	id := multisig.Encode(members...)
	verify := func(signatures ...[]byte) error {
		return r.Verify(id, []byte("message"), multisig.Join(signatures...))
	}
	a, b, c := signatures[0], signatures[1], signatures[2]
	require.NoError(t, verify(a, b, c))
	require.Error(t, verify(a, c, b))
	require.Error(t, verify(a, b))
	require.Error(t, verify(a, b, c, c))
	require.Error(t, verify(a, b, nil))
	require.Error(t, r.Verify(id, []byte("other"), multisig.Join(a, b, c)))
	_, err := r.Verifier(multisig.Encode())
	require.Error(t, err, "nobody")
	_, err = r.Verifier(multisig.Encode([]byte("no identity")))
	require.Error(t, err)
}

func FuzzMembers(f *testing.F) {
	typed, err := identity.Decode(multisig.Encode([]byte("a"), []byte("b")))
	require.NoError(f, err)
	vectors.FuzzDecoder(f, [][]byte{typed.Raw}, func(b []byte) ([]byte, error) {
		members, err := multisig.Members(b)
		if err != nil {
			return nil, err
		}
		return multisig.Join(members...), nil
	})
}
