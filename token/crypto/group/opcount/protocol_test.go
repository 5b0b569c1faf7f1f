package opcount_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestTransfersAreTheSameWithAndWithoutCounting makes and verifies transfers
// under a fixed seed, with both range-proof systems, in nightly runs on every curve:
// counting must not change the bytes, and two counted runs must have equal
// counts, including the additions inside.
func TestTransfersAreTheSameWithAndWithoutCounting(t *testing.T) {
	for _, name := range nightly.Pick(curves.Names[:1], curves.Names[:2], curves.Names) {
		for _, kind := range []rangeproof.Kind{rangeproof.Bulletproof, rangeproof.CSP} {
			t.Run(name+"/"+string(kind), func(t *testing.T) {
				net := networktest.New(t, fixture.Config{Group: vectors.Curve(t, name),
					Systems: []rangeproof.Kind{kind}, TableBytes: 1 << 20})
				tr, err := net.NewTransfer(3, 2, 2)
				require.NoError(t, err)
				plain := transferred(t, net.Params, tr)
				var counted [2]count.Phases
				for run := range counted {
					counting, rec := wrap(t, net.Params.Group(), &opcount.Textbook)
					require.Equal(t, plain, transferred(t, net.Params.On(counting), tr))
					counted[run] = rec.Snapshot()
				}
				require.Equal(t, counted[0], counted[1])
				require.NotZero(t, counted[0].Total().Inside())
			})
		}
	}
}

// transferred makes a transfer, verifies it, and returns its bytes.
func transferred(t *testing.T, p *params.Params, tr *fixture.Transfer) []byte {
	s := transfer.Sender{Params: p.On(group.Phase(p.Group(), "make")), Random: fixture.Random(4)}
	a, _, err := s.Transfer(tr.Spends, tr.Receives)
	require.NoError(t, err)
	require.NoError(t, proof.Verify(p.On(group.Phase(p.Group(), "verify")), a, proof.Place{}))
	return a.Encode(p.Group())
}
