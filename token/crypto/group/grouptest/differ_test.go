package grouptest

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// requireSame computes the same on two backends of one curve and requires equal
// bytes.
func requireSame(t *testing.T, a, b group.Group) {
	require.Equal(t, a.Name(), b.Name())
	require.Equal(t, a.ID(), b.ID())
	require.Equal(t, a.Order(), b.Order())
	for seed := range uint64(trials(t, 12)) {
		require.Equal(t, results(a, seed), results(b, seed), "seed %d", seed)
	}
}

// results returns encodings of values that g computes from a seed.
func results(g group.Group, seed uint64) (out [][]byte) {
	rnd := rand.New(rand.NewPCG(seed, 7))
	n := 1 + rnd.IntN(20)
	ps, ss := make([]group.Point, n), make([]group.Scalar, n)
	for i := range ps {
		msg := make([]byte, rnd.IntN(150))
		for k := range msg {
			msg[k] = byte(rnd.Uint32())
		}
		ps[i], ss[i] = g.HashToPoint(msg), g.Reduce(msg[:min(len(msg), 64)])
		out = append(out, g.AppendPoint(nil, ps[i]), g.AppendScalar(nil, ss[i]))
	}
	v := rnd.Uint64()
	for _, p := range []group.Point{
		g.Generator(), group.Sum(g, ps), group.SumPow2(g, ps), group.MulPoint(g, ps[0], ss[0]),
		group.MSM(g, ps, ss),
		g.AddPoints(ps[0], g.Generator()), g.SubPoints(ps[0], g.Generator()),
		group.FixedSum(g, g.NewTable(ps, 1), 0, ss...),
		g.SumBits(g.NewBitTable(ps, make([]group.Point, n)), v),
	} {
		out = append(out, g.AppendPoint(nil, p))
	}
	p, err := g.DecodePoint(out[0])
	out = append(out, g.AppendPoint(nil, p))
	if err != nil {
		out = append(out, []byte(err.Error()))
	}
	return out
}
