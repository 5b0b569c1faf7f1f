package systems_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/bulletproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/csp"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// wrongIn returns the index of the item that Verify rejects, or -1.
func wrongIn(t testing.TB, p prover, items []rangeproof.Item) int {
	t.Helper()
	err := p.Verify(items)
	if err == nil {
		return -1
	}
	var rejected *rangeproof.RejectedError
	require.True(t, errors.As(err, &rejected), "%v", err)
	return rejected.Index
}

// oneWrong corrupts one item in batches of 2 to 1024, at random positions.
func oneWrong(t *testing.T, p prover) {
	most := nightly.Pick(64, 256, 1024)
	honest := p.items(t, 8)
	rnd := rand.New(rand.NewPCG(1, 1))
	for n := 2; n <= most; n *= 2 {
		items := make([]rangeproof.Item, n)
		for i := range items {
			items[i] = honest[i%len(honest)]
		}
		require.Equal(t, -1, wrongIn(t, p, items), "%d items", n)
		for range 3 {
			wrong := rnd.IntN(n)
			right := items[wrong]
			items[wrong].V = p.Group.AddPoints(right.V, p.g1())
			require.Equal(t, wrong, wrongIn(t, p, items), "%d items", n)
			items[wrong] = right
		}
	}
}

// responses are the scalars that no challenge depends on and that enter an equation
// linearly.
var responses = map[rangeproof.Kind]func(rangeproof.Proof) *group.Scalar{
	rangeproof.Bulletproof: func(p rangeproof.Proof) *group.Scalar { return &p.(*bulletproof.Proof).Tau },
	rangeproof.CSP:         func(p rangeproof.Proof) *group.Scalar { return &p.(*csp.Proof).Zeta[1] },
}

// TestOpposedErrorsDoNotCancel changes the response of two proofs of a batch by
// opposite amounts: without weights, the sum of all equations would still be zero.
func TestOpposedErrorsDoNotCancel(t *testing.T) {
	for kind, response := range responses {
		s, found := systems.Find(kind)
		require.True(t, found)
		t.Run(string(kind), func(t *testing.T) {
			cancelling(t, small(s), func(g group.Group, p rangeproof.Proof, d group.Scalar) {
				*response(p) = g.Add(*response(p), d)
			})
		})
	}
}

func cancelling(t *testing.T, maker rangetest.Maker, shift func(g group.Group, p rangeproof.Proof, d group.Scalar)) {
	trials := nightly.Pick(50, 200, 1000)
	for _, curve := range rangetest.Curves {
		p := newProver(t, maker, curve, 8)
		rnd := rand.New(rand.NewPCG(2, 2))
		items := p.items(t, 4)
		for range trials {
			batch := items[:2+rnd.IntN(len(items)-1)]
			i := rnd.IntN(len(batch) - 1)
			k := i + 1 + rnd.IntN(len(batch)-i-1)
			d := p.Group.Uint64(1 + rnd.Uint64()>>1)
			shift(p.Group, batch[i].Proof, d)
			shift(p.Group, batch[k].Proof, p.Group.Neg(d))
			require.Equal(t, i, wrongIn(t, p, batch))
			shift(p.Group, batch[i].Proof, p.Group.Neg(d))
			shift(p.Group, batch[k].Proof, d)
		}
		require.Equal(t, -1, wrongIn(t, p, items))
	}
}
