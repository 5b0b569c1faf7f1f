package suite_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
)

// TestBackendsMakeTheSameBytes makes an issue and a transfer for every case of
// the default matrix, under both range-proof systems, on every backend from one
// seed. Mathlib and each other backend verify the actions of each other.
func TestBackendsMakeTheSameBytes(t *testing.T) {
	args := []string{"-proof_type=bulletproof,csp"}
	if testing.Short() {
		args = append(args, "-bits=16", "-num_inputs=2", "-num_outputs=2",
			"-curves=BN254,BLS12_381_BBS_GURVY")
	}
	plain, others := networks{backend: "mathlib"}, []networks{{backend: "native"}, {backend: "portable"}}
	for i, c := range selected(t, args...).Cases(bench.Serial, bench.Axes(suite.Batch)...) {
		b, seed := plain.of(t, c), uint64(i)
		want, wantIssued := sent(t, b, c, seed), issued(t, b, c, seed)
		for k := range others {
			a := others[k].of(t, c)
			got := sent(t, a, c, seed)
			require.Equal(t, want, got, "%s on %s", c.Name(), others[k].backend)
			require.NoError(t, verifies(b, got), c.Name())
			require.NoError(t, verifies(a, want), c.Name())
			require.Equal(t, wantIssued, issued(t, a, c, seed), "%s on %s", c.Name(), others[k].backend)
		}
	}
}

// networks caches the last network of one backend.
type networks struct {
	backend, key string
	last         *fixture.Network
}

func (n *networks) of(t *testing.T, c bench.Case) *fixture.Network {
	t.Helper()
	key := suite.Curve.Of(c) + suite.Proof.Of(c) + strconv.Itoa(suite.Bits.Of(c))
	if n.key == key {
		return n.last
	}
	g, err := curves.Find(suite.Curve.Of(c), n.backend)
	require.NoError(t, err)
	n.last, err = fixture.NewNetwork(fixture.Config{
		Group: g, Bits: suite.Bits.Of(c), Systems: []rangeproof.Kind{rangeproof.Kind(suite.Proof.Of(c))},
		TableBytes: 1,
	})
	require.NoError(t, err)
	n.key = key
	return n.last
}

func sent(t *testing.T, n *fixture.Network, c bench.Case, seed uint64) []byte {
	t.Helper()
	ready, err := n.NewTransfer(seed, suite.Inputs.Of(c), suite.Outputs.Of(c))
	require.NoError(t, err)
	s := transfer.Sender{Params: n.Params, Random: fixture.Random(seed)}
	a, _, err := s.Transfer(ready.Spends, ready.Receives)
	require.NoError(t, err)
	return a.Encode(n.Params.Group())
}

func issued(t *testing.T, n *fixture.Network, c bench.Case, seed uint64) []byte {
	t.Helper()
	ready, err := n.NewIssue(seed, suite.Outputs.Of(c))
	require.NoError(t, err)
	s := issue.Issuer{Params: n.Params, Identity: n.Issuer.Identity(), Random: fixture.Random(seed)}
	a, _, err := s.Issue(fixture.Type, ready.Receives)
	require.NoError(t, err)
	return a.Encode(n.Params.Group())
}

func verifies(n *fixture.Network, action []byte) error {
	a, err := transfer.Decode(n.Params.Group(), action, token.DefaultLimits)
	if err != nil {
		return err
	}
	return proof.Verify(n.Params, a, proof.Place{})
}
