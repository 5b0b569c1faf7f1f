package rangeproof_test

import (
	"crypto/sha256"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// TestEquationHasBothParts: terms of either part count, and all of them are cleared
// for the next sum in the same memory.
func TestEquationHasBothParts(t *testing.T) {
	g := grouptest.Toy(199)
	table := g.NewTable([]group.Point{g.Generator()}, 1)
	for name, add := range map[string]func(*rangeproof.Equation){
		"fixed": func(e *rangeproof.Equation) { e.Fixed[0] = g.Uint64(3) },
		"term":  func(e *rangeproof.Equation) { e.Term(g.Generator(), g.Uint64(3)) },
		"both": func(e *rangeproof.Equation) {
			e.Fixed[0] = g.Uint64(3)
			e.Term(g.Generator(), g.Uint64(3))
		},
		"cancelling": func(e *rangeproof.Equation) {
			e.Fixed[0] = g.Uint64(3)
			e.Term(g.Generator(), g.Neg(g.Uint64(3)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := round.NewMemory()
			e := rangeproof.NewEquation(m, 1, 2)
			require.True(t, e.Vanishes(g, table))
			add(&e)
			require.Equal(t, name == "cancelling", e.Vanishes(g, table))
			m.Wipe()
		})
	}
}

// refusing is a system with these verdicts.
type refusing struct {
	rangeproof.System
	verdicts []error
}

func (s refusing) Verify(round.Round, []rangeproof.Item) []error { return s.verdicts }

// TestRejectedItemsAreNamed by their index.
func TestRejectedItemsAreNamed(t *testing.T) {
	verify := func(verdicts ...error) error {
		return rangeproof.Verify(grouptest.Toy(199), refusing{verdicts: verdicts}, nil)
	}
	require.NoError(t, verify())
	require.NoError(t, verify(nil, nil))
	err := verify(nil, rangeproof.ErrRejected, rangeproof.ErrWitness)
	require.EqualError(t, err, "item 1: range proof is rejected")
	require.ErrorIs(t, err, rangeproof.ErrRejected)
}

// TestWeightsAreDrawnInOrder: hashes of the digest of all scalars and of a counter, 16
// bytes of each.
func TestWeightsAreDrawnInOrder(t *testing.T) {
	g := grouptest.Toy(1<<31 - 1)
	w := rangeproof.NewWeights(g, make([]byte, 0, 8))
	w.Scalar(g.Uint64(1))
	w.Scalars([]group.Scalar{g.Uint64(2), g.Uint64(3)})
	w.Seal()
	var all []byte
	for i := range uint64(3) {
		all = g.AppendScalar(all, g.Uint64(i+1))
	}
	seed := sha256.Sum256(all)
	for i := range uint64(300) {
		sum := sha256.Sum256(binary.LittleEndian.AppendUint64(append([]byte(nil), seed[:]...), i))
		require.Equal(t, g.Reduce(sum[:16]), w.Next(), i)
	}
}
