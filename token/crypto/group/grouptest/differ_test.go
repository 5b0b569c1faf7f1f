package grouptest_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// requireSame requires that two backends of one curve hash alike and compute the same sums.
func requireSame(t *testing.T, a, b group.Group) {
	require.Equal(t, a.Name(), b.Name())
	require.Equal(t, a.ID(), b.ID())
	require.Equal(t, a.Order(), b.Order())
	rnd := rand.New(rand.NewPCG(1, 7))
	for range nightly.Pick(30, 100, 1000) {
		msg := make([]byte, rnd.IntN(150))
		for k := range msg {
			msg[k] = byte(rnd.Uint32())
		}
		p, q := a.HashToPoint(msg), b.HashToPoint(msg)
		require.Equal(t, a.AppendPoint(nil, p), b.AppendPoint(nil, q), "%x", msg)
		msg = msg[:min(len(msg), 64)]
		require.Equal(t, a.AppendScalar(nil, a.Reduce(msg)), b.AppendScalar(nil, b.Reduce(msg)), "%x", msg)
	}
	ofA, ofB := newSumsOf(a, a, 1), newSumsOf(b, b, 1)
	for input := range sumInputs(rnd, nightly.Pick(1, 1, 10)) {
		sumsA, _ := ofA.sums(a, input)
		sumsB, _ := ofB.sums(b, input)
		require.Equal(t, a.AppendPoints(nil, nil, sumsA), b.AppendPoints(nil, nil, sumsB), "%x", input)
	}
}
