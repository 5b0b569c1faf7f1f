package main

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
)

func TestPeersWithoutCargo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var out, complaints bytes.Buffer
	require.Equal(t, 2, run(context.Background(), []string{"peers", "-curve", "FP256BN_AMCL", "-rounds", "0"}, streams{nil, &out, &complaints}))
	require.Equal(t, "zkatbench: peers: -rounds: \"0\" is not a number of at least 1\n", complaints.String())
	_, _, err := startPeers(context.Background(), t.TempDir(), &complaints)
	require.ErrorIs(t, err, errUsage)
	require.ErrorContains(t, err, "needs cargo")
	require.Empty(t, out.String())
}

func TestPeersArePinned(t *testing.T) {
	require.Equal(t, "5.0.0", crateVersion("bulletproofs"))
	require.Equal(t, "0.5.0", crateVersion("tari_bulletproofs_plus"))
	require.Contains(t, string(peersManifest), `bulletproofs = "=5.0.0"`)
	require.Contains(t, string(peersManifest), `tari_bulletproofs_plus = "=0.5.0"`)
}

// TestPeersTakeTurns: each round has one line for each case and contender.
func TestPeersTakeTurns(t *testing.T) {
	var order []string
	named := func(name string) contender {
		return contender{name, func(op string, values, count int) (time.Duration, error) {
			order = append(order, name)
			return time.Duration(count) * time.Microsecond, nil
		}}
	}
	var out bytes.Buffer
	require.NoError(t, race(context.Background(), &out, 2, "BN254", []contender{named("a"), named("b")}))
	require.Len(t, order, 2*2*len(peerCases))
	for i := 0; i < len(order); i += 2 {
		require.Equal(t, []string{"a", "b"}, order[i:i+2])
	}
	require.Contains(t, out.String(), "peer-bulletproofs: 5.0.0\n")
	require.Contains(t, out.String(), "BenchmarkPeers/op=batch/values=2/library=b \t      64\t        1000 ns/proof\n")
	ctx, stop := context.WithCancel(context.Background())
	stop()
	require.ErrorIs(t, race(ctx, &out, 1, "BN254", []contender{named("a")}), errInterrupted)
}

// TestOurProofsAreChecked: a prover is prepared only if its proofs prove their
// statements and no others.
func TestOurProofsAreChecked(t *testing.T) {
	g, err := curves.ByName("BN254")
	require.NoError(t, err)
	p, err := params.Setup(params.Config{Group: g, Bits: peerBits, Protocols: params.Protocols{V2: true}, TableBytes: 1})
	require.NoError(t, err)
	engine, err := p.V2()
	require.NoError(t, err)
	transfers, err := newTransferProver(engine, p.Pedersen(), 1)
	require.NoError(t, err)
	ready, err := prepare(transfers)
	require.NoError(t, err)
	for _, op := range []string{"prove", "verify", "batch"} {
		elapsed, err := ready.time(op, 1)
		require.NoError(t, err)
		require.Positive(t, elapsed)
	}
	ready.proofs[3] = ready.proofs[4]
	_, err = ready.time("batch", peerBatch)
	require.Error(t, err)
}
