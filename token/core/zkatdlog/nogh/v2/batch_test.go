package v2

import (
	"fmt"
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

// TestBatches accepts batches of all lengths and finds one wrong proof at every
// place, also if later ones are wrong too.
func TestBatches(t *testing.T) {
	for _, curve := range vectorCurves {
		p, claims := mixed(t, curve, 65)
		require.NoError(t, p.VerifyBatch(nil))
		for _, n := range []int{1, 2, 3, 5, 8, 16, 33, 64, 65} {
			require.NoError(t, p.VerifyBatch(claims[:n]), "%d", n)
		}
		for i := range claims {
			if i%nightly.Pick(23, 3, 1) != 0 {
				continue
			}
			batch := append([]Claim(nil), claims...)
			for k := i; k < len(batch); k += 11 {
				proof := clone(batch[k].Proof)
				proof[len(proof)-1] ^= 1
				batch[k].Proof = proof
			}
			requireRejected(t, p, batch, i, "equation")
			batch[i].Proof = batch[i].Proof[1:]
			requireRejected(t, p, batch, i, "encoding")
		}
	}
}

func requireRejected(t *testing.T, p *Params, batch []Claim, index int, reason string) {
	t.Helper()
	rejected := new(RejectedError)
	require.ErrorAs(t, p.VerifyBatch(batch), &rejected)
	require.Equal(t, index, rejected.Index)
	require.Equal(t, reason, verdict(rejected))
	require.Contains(t, rejected.Error(), fmt.Sprintf("claim %d", index))
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

// TestEachClaimGetsItsVerdict: SearchEach gives the verdicts of Verify on right, wrong,
// malformed and equal claims, and checks few sets to find the wrong ones.
func TestEachClaimGetsItsVerdict(t *testing.T) {
	p, claims := mixed(t, "BN254", 32)
	spoil := func(c Claim) Claim {
		c.Proof = clone(c.Proof)
		c.Proof[len(c.Proof)-1] ^= 1
		return c
	}
	for _, wrong := range [][]int{nil, {0}, {31}, {5, 6}, {0, 31}, {1, 9, 17, 25}} {
		batch := append([]Claim(nil), claims...)
		for _, i := range wrong {
			batch[i] = spoil(batch[i])
		}
		batch[12].Proof = batch[12].Proof[1:]
		batch[20] = batch[wrongOr(wrong, 3)] // two equal claims
		errs := each(t, p, batch)
		require.Len(t, errs, len(batch))
		for i, c := range batch {
			require.Equal(t, p.Verify(c.Statement, c.Proof), errs[i], "%v: %d", wrong, i)
		}
	}
	require.Empty(t, each(t, p, nil))
	same := make([]Claim, 64)
	for i := range same {
		same[i] = spoil(claims[0])
	}
	for _, err := range each(t, p, same) {
		require.ErrorIs(t, err, ErrRejected)
	}
	require.ErrorIs(t, each(t, new(Params), claims)[0], ErrParams)
}

func wrongOr(wrong []int, i int) int {
	if len(wrong) > 0 {
		return wrong[0]
	}
	return i
}

// TestMemoryIsUsedAgain: the memory of a verification serves later ones, also after a
// claim that cannot be read.
func TestMemoryIsUsedAgain(t *testing.T) {
	for _, name := range []string{"right", "unreadable"} {
		_, batch := mixed(t, "BN254", 2)
		p, err := New(vectors.Curve(t, "BN254"), 32, testTableBytes) // with new pools
		require.NoError(t, err)
		if name == "unreadable" {
			batch = batch[:1]
			batch[0].Proof = nil
		}
		claim, sum := false, false
		// a pool may drop memory at any time
		for i := 0; i < 100 && !(claim && (sum || name != "right")); i++ {
			require.Equal(t, name == "right", p.VerifyBatch(batch) == nil)
			claim = claim || p.spaces.claims.Get() != nil
			sum = sum || p.spaces.sums.Get() != nil
		}
		require.True(t, claim, name)
		require.Equal(t, name == "right", sum, name)
	}
}
