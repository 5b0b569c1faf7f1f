package v2

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/crypto/group"
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
			if testing.Short() && i%7 != 0 {
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

// TestAWrongProofBeforeAMalformedOneIsNamed checks that the error names the
// first wrong proof.
func TestAWrongProofBeforeAMalformedOneIsNamed(t *testing.T) {
	p, claims := mixed(t, "BN254", 6)
	claims[4].Proof = nil
	requireRejected(t, p, claims, 4, "encoding")
	claims[2].Statement.Context = []byte("another")
	requireRejected(t, p, claims, 2, "equation")
}

// TestTwoWrongProofsDoNotCancel uses errors of the same size with opposite
// signs.
func TestTwoWrongProofsDoNotCancel(t *testing.T) {
	p, claims := mixed(t, "BN254", 1)
	g := p.group
	at := len(claims[0].Proof) - 32
	qr, err := g.DecodeScalar(claims[0].Proof[at:])
	require.NoError(t, err)
	up, down := claims[0], claims[0]
	up.Proof = g.AppendScalar(clone(up.Proof[:at]), g.Add(qr, g.Uint64(1)))
	down.Proof = g.AppendScalar(clone(down.Proof[:at]), g.Sub(qr, g.Uint64(1)))
	requireRejected(t, p, []Claim{up, down}, 0, "equation")
}

// TestWeightsDependOnEverything checks that the weights depend on every
// response, and on the order and the number of proofs.
func TestWeightsDependOnEverything(t *testing.T) {
	p, claims := mixed(t, "BN254", 2)
	seed := func(claims ...Claim) [32]byte {
		var read []*claim
		for _, next := range claims {
			c := new(claim)
			require.NoError(t, c.read(p, next.Statement, next.Proof))
			read = append(read, c)
		}
		return batchSeed(read)
	}
	was := seed(claims...)
	require.NotEqual(t, was, seed(claims[1], claims[0]))
	require.NotEqual(t, was, seed(claims[0]))
	for k, l := range []layout{p.layout(2, 2), p.layout(0, 1)} {
		for i := range l.scalars(responseParts) {
			for _, at := range []int{0, 31} {
				changed := append([]Claim(nil), claims...)
				changed[k].Proof = clone(claims[k].Proof)
				b := &changed[k].Proof[1+l.points()*p.group.PointLen()+32*i+at]
				if *b /= 2; claims[k].Proof[1+l.points()*p.group.PointLen()+32*i+at] == 0 {
					*b = 1 // a scalar below the order
				}
				require.NotEqual(t, was, seed(changed...), "proof %d, response %d, byte %d", k, i, at)
			}
		}
	}
	a, b := new(weightedSum).weights(p.group, was, 0)
	c, d := new(weightedSum).weights(p.group, was, 1)
	require.NotEqual(t, a, b)
	require.NotEqual(t, a, c)
	require.NotEqual(t, b, d)
}

// TestWeightsOfLongBatches: the 600 weights of 300 proofs are distinct and have up to
// 192 bits, and another response of the last proof changes each.
func TestWeightsOfLongBatches(t *testing.T) {
	p, claims := mixed(t, "BN254", 2)
	spy := &reducing{Group: p.group}
	weights := func(last Claim) []string {
		batch := slices.Repeat(claims[:1], 300)
		batch[len(batch)-1] = last
		spy.drawn = nil
		_ = p.On(spy).VerifyBatch(batch)
		require.GreaterOrEqual(t, len(spy.drawn), 600)
		return spy.drawn[:600]
	}
	was := weights(claims[1])
	seen := map[string]bool{}
	for _, w := range was {
		seen[w] = true
	}
	require.Len(t, seen, 600, "all distinct")
	require.NotZero(t, slices.Max(was)[0], "the largest is at least 2¹⁸⁴")
	last := claims[1]
	last.Proof = clone(last.Proof)
	last.Proof[len(last.Proof)-1] ^= 1
	for i, w := range weights(last) {
		require.False(t, seen[w], "weight %d", i)
	}
}

// TestSeedsOfLongBatches: each proof of a long batch changes the seed, and each
// number of a proof its weights.
func TestSeedsOfLongBatches(t *testing.T) {
	batch := make([]*claim, 1000)
	for i := range batch {
		batch[i] = new(claim)
	}
	seeds := map[[32]byte]bool{batchSeed(batch): true}
	for i := range batch {
		batch[i].state[i%len(batch[i].state)]++
		seeds[batchSeed(batch)] = true
	}
	require.Len(t, seeds, 1+len(batch))
	g := vectors.Curve(t, "BN254")
	weights := map[group.Scalar]bool{}
	add := func(b int) {
		main, types := new(weightedSum).weights(g, [32]byte{}, b)
		weights[main], weights[types] = true, true
	}
	for b := range len(batch) {
		add(b)
	}
	add(1 << 16)
	add(1 << 24)
	require.Len(t, weights, 2*(len(batch)+2))
}

// reducing records the integers of 16 bytes that are reduced: the weights.
type reducing struct {
	group.Group
	drawn []string
}

func (r *reducing) Reduce(b []byte) group.Scalar {
	if len(b) == weightBytes {
		r.drawn = append(r.drawn, string(b))
	}
	return r.Group.Reduce(b)
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
		for i := 0; i < 100 && !(claim && (sum || name != "right")); i++ { // a pool may drop memory at any time
			require.Equal(t, name == "right", p.VerifyBatch(batch) == nil)
			claim = claim || p.spaces.claims.Get() != nil
			sum = sum || p.spaces.sums.Get() != nil
		}
		require.True(t, claim, name)
		require.Equal(t, name == "right", sum, name)
	}
}
