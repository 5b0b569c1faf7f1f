package suite_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/benchtest"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
)

// TestBytesOfOwnersByHash: the bytes of a transfer in a request and in the entries of a
// ledger (docs/spec/hashed-owners.md, "Bytes"). Idemix presentations contain an ECDSA
// signature of P-384, which is some bytes shorter at random.
func TestBytesOfOwnersByHash(t *testing.T) {
	for owner, want := range map[string]struct{ request, shorter, written float64 }{
		"x509":          {4518, 0, 1559},
		"hashed-x509":   {3348, 0, 711},
		"idemix":        {7728, 24, 3101},
		"hashed-idemix": {5484, 12, 711},
	} {
		t.Run(owner, func(t *testing.T) {
			sel := selected(t, "-bits=64", "-curves=BN254", "-num_inputs=2", "-num_outputs=2", "-protocol=v2",
				"-owner="+owner)
			bytes := func(op bench.Op, unit string) float64 {
				return benchtest.Figures(t, suite.Subject, op,
					sel.Cases(bench.Serial, op.Without...)[0])[unit]
			}
			request, written := bytes(suite.ValidatorTransfer, "request-B"),
				bytes(suite.LedgerTransfer, "written-B")
			t.Log(owner, request, written)
			require.LessOrEqual(t, request, want.request)
			require.GreaterOrEqual(t, request, want.request-want.shorter)
			require.LessOrEqual(t, written, want.written)
			require.GreaterOrEqual(t, written, want.written-want.shorter)
		})
	}
}
