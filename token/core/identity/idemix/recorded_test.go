package idemix_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

func keys(t testing.TB, p *params.Params) *idemix.Keys {
	t.Helper()
	var list []idemix.Key
	for _, k := range p.IdemixKeys() {
		list = append(list, idemix.Key(k))
	}
	ks, err := idemix.New(list)
	require.NoError(t, err)
	return ks
}

// TestRecorded: whole requests of the reference with owners of types 1 and 3.
func TestRecorded(t *testing.T) {
	for name, file := range vectors.RequestFiles(t) {
		if strings.HasSuffix(name, "-x509") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			p, err := params.Decode(file.Params,
				params.Options{Group: curves.ByID, TableBytes: 1 << 20, AllowForeignGenerators: true})
			require.NoError(t, err)
			identities := identity.Registry{identity.X509: x509.NewVerifier}
			keys(t, p).Register(identities)
			v := validator.New(p, validator.Options{
				Identities: identities, Executor: executor.Pool{}, AllowUnsoundV1Bulletproofs: true,
				// Its test requests number the signatures, and both halves of a
				// swap spend a token of the same id.
				Follow: request.V0_14,
			})
			for id, c := range file.Cases {
				_, err := v.Validate(c.Anchor, c.Request)
				require.Equal(t, c.Verdict == "accept", err == nil, "%s: %v", id, err)
				if strings.HasPrefix(id, "transfers_i1_o1") {
					_, err := v.Validate(c.Anchor+"x", c.Request)
					require.Error(t, err, id)
				}
			}
		})
	}
}

// TestNetworksWithoutIdemixHaveAKey: parameters that are made without an issuer
// key hold one that loads, on every curve.
func TestNetworksWithoutIdemixHaveAKey(t *testing.T) {
	for _, name := range curves.Names {
		g := vectors.Curve(t, name)
		p, err := params.Setup(params.Config{Group: g, Bits: 16, TableBytes: 1})
		require.NoError(t, err)
		keys(t, p)
	}
}
