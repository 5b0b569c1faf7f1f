package benchtest_test

import (
	"testing"

	"filippo.io/edwards25519"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/benchtest"
	"github.com/zkatbench/zkatbench/count"
)

// group is the algebra of the scheme. The zero bucket discards counts.
type group struct{ counts count.Bucket }

func (g group) mul(k *edwards25519.Scalar, p *edwards25519.Point) *edwards25519.Point {
	g.counts.Count(count.One(count.ScalarMul), 1)
	return new(edwards25519.Point).ScalarMult(k, p)
}

// commit is the operation with tools. Counts of set-up are dropped.
func commit(_ bench.Case, seed uint64, tools bench.Tools) (bench.Instance, error) {
	wide := make([]byte, 64)
	wide[0], wide[8] = byte(seed), 1
	k, err := new(edwards25519.Scalar).SetUniformBytes(wide)
	g := edwards25519.NewGeneratorPoint()
	return bench.Instance{
		Work: func() ([]byte, error) {
			opening := tools.Steps.Enter("opening") // a row of inside -what=steps
			blinded := group{tools.Counts.Sub("opening")}.mul(k, g)
			opening.Leave()
			return blinded.Add(blinded, group{tools.Counts}.mul(k, g)).Bytes(), nil
		},
		Check:  func([]byte) error { return nil },
		Inputs: func() [][]byte { return [][]byte{k.Bytes()} },
	}, err
}

var commitments = bench.Subject{
	Name: "commitments", Summary: "a counted operation", Package: "./mine",
	Ops: []bench.Op{{Name: "Commit", On: commit,
		Setup: func(c bench.Case, seed uint64) (bench.Instance, error) {
			return commit(c, seed, bench.Tools{})
		}}},
	Units: func(c count.Counts) []count.Unit { // of -ops; without it the units of Counts.Units
		return []count.Unit{{Name: "point-mul/op", Value: c.Calls(count.ScalarMul)}}
	},
}

func TestCountingExample(t *testing.T) {
	benchtest.Conform(t, commitments)
	phases, err := commitments.Ops[0].Count(bench.Case{}, false)
	require.NoError(t, err)
	require.Equal(t,
		count.Phases{"": {count.One(count.ScalarMul): 1}, "opening": {count.One(count.ScalarMul): 1}}, phases)
	require.Equal(t, []count.Unit{{Name: "point-mul/op", Value: 2}}, commitments.CountUnits(phases.Total()))
}
