package suite_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/golden"
	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// digests has a digest of the proofs of each system, curve and bit length.
const digests = "testdata/digests.json"

// TestDigests compares the bytes of all proofs of the matrix, made with seeded
// random sources, with recorded digests: they must not depend on how a prover
// is written, scheduled or counted. Only a change of the wire format or of the
// order of nonces may change them:
//
//	ZKAT_NIGHTLY=1 go test ./token/core/zkatdlog/nogh/v1/suite -run TestDigests -update
func TestDigests(t *testing.T) {
	was := map[string]string{}
	b, err := os.ReadFile(digests)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &was))
	names := nightly.Pick(curves.Names[:1], curves.Names[:2], curves.Names)
	is := map[string]string{}
	for _, curve := range names {
		lengths := nightly.Pick([]int{32}, []int{16, 32, 64}, []int{16, 32, 64})
		if strings.HasPrefix(curve, "FP256BN") { // only mathlib has it, with slow sums
			lengths = lengths[:1]
		}
		for _, bits := range lengths {
			for _, system := range append(systems.Names(), string(proof.V2)) {
				name := fmt.Sprintf("proof=%s/curve=%s/bits=%d", system, curve, bits)
				is[name] = digest(t, curve, bits, rangeproof.Kind(system))
				if !golden.Updating() {
					require.Equal(t, was[name], is[name], name)
				}
			}
		}
	}
	if golden.Updating() {
		b, err := json.MarshalIndent(is, "", " ")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(digests, append(b, '\n'), 0o644))
		return
	}
	if nightly.On() {
		require.Len(t, was, len(is))
	}
}

// digest hashes transfers of one to three inputs and outputs, and issues of one to
// three outputs and of ten, which are more than provers make together.
func digest(t *testing.T, curve string, bits int, system rangeproof.Kind) string {
	g := vectors.Curve(t, curve)
	c := fixture.Config{Group: g, Bits: bits, Systems: []rangeproof.Kind{system}, TableBytes: 1}
	if system == proof.V2 {
		c.Systems, c.Protocols = nil, params.Protocols{V2: true}
	}
	n, err := fixture.NewNetwork(c)
	require.NoError(t, err)
	h := sha256.New()
	for inputs := range 3 {
		for outputs := range 3 {
			h.Write(transferBytes(t, n, 1+inputs, 1+outputs))
		}
	}
	for _, outputs := range []int{1, 2, 3, 10} {
		h.Write(issueBytes(t, n, outputs))
	}
	return hex.EncodeToString(h.Sum(nil))
}

func transferBytes(t *testing.T, n *fixture.Network, inputs, outputs int) []byte {
	seed := uint64(1000*inputs + outputs)
	tr, err := n.NewTransfer(seed, inputs, outputs)
	require.NoError(t, err)
	var proofs [][]byte
	for _, ex := range []executor.Executor{executor.Serial{}, executor.Pool{Workers: 2}} {
		s := transfer.Sender{Params: n.Params, Executor: ex, Random: fixture.Random(seed + 1)}
		if n.Params.Protocols().V2 {
			d, err := s.Draft(tr.Spends, tr.Receives)
			require.NoError(t, err)
			require.NoError(t, d.Prove(proof.Place{Anchor: "tx"}))
			proofs = append(proofs, d.Action.Proof.Raw)
			continue
		}
		a, _, err := s.Transfer(tr.Spends, tr.Receives)
		require.NoError(t, err)
		proofs = append(proofs, a.Proof.Raw)
	}
	require.True(t, slices.Equal(proofs[0], proofs[1]), "proofs depend on the executor")
	return proofs[0]
}

func issueBytes(t *testing.T, n *fixture.Network, outputs int) []byte {
	i, err := n.NewIssue(uint64(outputs), outputs)
	require.NoError(t, err)
	s := issue.Issuer{Params: n.Params, Identity: n.Issuer.Identity(),
		Random: fixture.Random(uint64(outputs) + 1)}
	if n.Params.Protocols().V2 {
		d, err := s.Draft(fixture.Type, i.Receives)
		require.NoError(t, err)
		require.NoError(t, d.Prove(proof.Place{Anchor: "tx"}))
		return d.Action.Proof.Raw
	}
	a, _, err := s.Issue(fixture.Type, i.Receives)
	require.NoError(t, err)
	return a.Proof.Raw
}
