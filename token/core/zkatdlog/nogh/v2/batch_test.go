package v2 // spaces is private: what a pool keeps does not show in a verdict

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// mixed returns claims of every shape under 32-bit parameters.
func mixed(t testing.TB, curve string, n int) (p *Params, claims []Claim) {
	t.Helper()
	g := vectors.Curve(t, curve)
	kinds := []shape{
		{bits: 32, inputs: 2, outputs: 2}, {bits: 32, outputs: 1}, {bits: 32, inputs: 1, outputs: 5},
		{bits: 32, inputs: 3, outputs: 1, publicValue: 7}, {bits: 32, outputs: 3, publicType: true},
		{bits: 32, inputs: 17, outputs: 32}, {bits: 32, inputs: 64, outputs: 9, publicType: true},
	}
	for i := range n {
		in := newInstance(t, g, kinds[i%len(kinds)], byte(i))
		p = in.p
		claims = append(claims, Claim{in.st, in.prove(t)})
	}
	return p, claims
}

// spoiled returns the claim with a wrong response.
func spoiled(c Claim) Claim {
	c.Proof = clone(c.Proof)
	c.Proof[len(c.Proof)-1] ^= 1
	return c
}

// each returns the verdict on each claim.
func each(t testing.TB, p *Params, claims []Claim) (errs []error) {
	t.Helper()
	require.NoError(t, round.Run(p.group, func(r round.Round) error {
		errs = p.VerifyClaims(r.SearchEach(), claims)
		return nil
	}))
	return errs
}

// TestBatches accepts batches of all lengths. Of a batch with wrong, malformed and equal claims from
// each place on, SearchEach gives the verdict of each, and VerifyBatch names the first wrong one.
func TestBatches(t *testing.T) {
	for _, curve := range vectorCurves {
		p, claims := mixed(t, curve, nightly.Pick(17, 65, 65))
		require.NoError(t, p.VerifyBatch(nil))
		require.Empty(t, each(t, p, nil))
		for _, n := range []int{1, 2, 3, 8, 16, 33, 65} {
			require.NoError(t, p.VerifyBatch(claims[:min(n, len(claims))]), "%d", n)
		}
		for i := 0; i < len(claims); i += nightly.Pick(11, 23, 1) {
			batch, want := slices.Clone(claims), make([]string, len(claims))
			for k := i; k < len(batch); k += 11 {
				batch[k], want[k] = spoiled(batch[k]), "equation"
			}
			equal := max(i, len(batch)-1-i%7)
			batch[equal], want[equal] = batch[i], "equation"
			for range 2 {
				errs := each(t, p, batch)
				for k, err := range errs {
					require.Equal(t, want[k], verdict(err), "%d of %d", k, i)
				}
				require.Equal(t, p.Verify(batch[i].Statement, batch[i].Proof), errs[i])
				rejected := new(RejectedError)
				require.ErrorAs(t, p.VerifyBatch(batch), &rejected)
				require.Equal(t, i, rejected.Index)
				require.Equal(t, want[i], verdict(rejected))
				require.Contains(t, rejected.Error(), fmt.Sprintf("claim %d", i))
				batch[i].Proof, want[i] = batch[i].Proof[1:], "encoding"
			}
		}
		for _, err := range each(t, p, slices.Repeat([]Claim{spoiled(claims[0])}, 64)) {
			require.ErrorIs(t, err, ErrRejected)
		}
	}
}

// TestMemoryIsUsedAgain: the memory of a verification and of a proof serves later ones, also after a
// claim that cannot be read. A prover is wiped before.
func TestMemoryIsUsedAgain(t *testing.T) {
	in := newInstance(t, vectors.Curve(t, "BN254"), shape{bits: 32, inputs: 2, outputs: 2}, 37)
	for name, proof := range map[string][]byte{"right": in.prove(t), "unreadable": nil} {
		t.Run(name, func(t *testing.T) {
			p, err := New(in.p.group, 32, testTableBytes) // with new pools
			require.NoError(t, err)
			claim, sum, pr := false, false, false
			// a pool may drop memory at any time
			for i := 0; i < 100 && !(claim && pr && (sum || proof == nil)); i++ {
				require.Equal(t, proof != nil, p.VerifyBatch([]Claim{{in.st, proof}}) == nil)
				claim = claim || p.spaces.claims.Get() != nil
				sum = sum || p.spaces.sums.Get() != nil
				_, err := p.Prove(in.st, in.w, newRandom(1))
				require.NoError(t, err)
				kept := p.spaces.provers.take()
				require.Nil(t, kept.m)
				require.Nil(t, kept.secrets)
				require.Nil(t, kept.nonces.all)
				pr = pr || kept.index != nil
			}
			require.True(t, claim && pr)
			require.Equal(t, proof != nil, sum)
		})
	}
}
