package idemix_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// FuzzVerify: owners and signatures of both types, from recorded requests;
// a panic of the library does not come out.
func FuzzVerify(f *testing.F) {
	registry := identity.Registry{}
	var ks *idemix.Keys
	for _, name := range []string{"32-BN254", "32-BN254-idemix"} {
		file := vectors.RequestFiles(f)[name]
		p := networktest.Recorded(f, file.Params)
		ks = networktest.IdemixKeys(f, p)
		c := file.Cases["transfers_i1_o1_0"]
		r, err := request.Decode(c.Request, request.DefaultLimits)
		require.NoError(f, err)
		message, err := r.Message(c.Anchor)
		require.NoError(f, err)
		a := networktest.Transfer(f, p.Group(), r.Actions[0].Raw)
		owner, signature := a.Inputs[0].Token.Owner, r.Signatures[1].Raw
		ks.Register(registry)
		require.NoError(f, registry.Verify(owner, message, signature))
		require.Error(f, registry.Verify(owner, append(message, 0), signature))
		f.Add(owner, message, signature)
	}
	f.Fuzz(func(t *testing.T, owner, message, signature []byte) {
		_ = registry.Verify(owner, message, signature)
		for _, m := range ks.Matchers() {
			if task, err := m(owner, signature); err == nil {
				_ = round.Run(nil, task.Do)
			}
		}
	})
}
