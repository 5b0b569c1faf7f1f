package idemix_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestRecorded: whole requests of the reference with owners of types 1 and 3.
func TestRecorded(t *testing.T) {
	for name, file := range vectors.RequestFiles(t) {
		if strings.HasSuffix(name, "-x509") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			p := networktest.Recorded(t, file.Params)
			identities := identity.Registry{identity.X509: x509.NewVerifier}
			networktest.IdemixKeys(t, p).Register(identities)
			v := validator.New(p, validator.Options{
				Identities: identities, Executor: executor.Pool{}, AllowUnsoundV1Bulletproofs: true,
				// Its test requests number the signatures, and both halves of a
				// swap spend a token of the same id.
				Follow: request.V0_14,
			})
			for id, c := range file.Cases {
				t.Run(id, func(t *testing.T) {
					_, err := v.Validate(c.Anchor, c.Request)
					require.Equal(t, c.Verdict == "accept", err == nil, "%s: %v", id, err)
					if strings.HasPrefix(id, "transfers_i1_o1") {
						_, err := v.Validate(c.Anchor+"x", c.Request)
						require.Error(t, err, id)
					}
				})
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
		networktest.IdemixKeys(t, p)
	}
}
