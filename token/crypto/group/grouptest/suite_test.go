package grouptest_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/bls12381"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
	"github.com/zkatbench/zkatbench/token/crypto/group/mathlib"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount"
)

func TestToys(t *testing.T) {
	for _, q := range []uint64{3, 13, 199, 1<<31 - 1} {
		g := grouptest.Toy(q)
		t.Run(g.Name(), func(t *testing.T) { conform(t, g) })
	}
}

func TestNative(t *testing.T) {
	for _, g := range []group.Group{bn254.New(), bls12381.New(7)} {
		t.Run(g.Name(), func(t *testing.T) { conform(t, g, shapes...) })
	}
}

// TestEncodingsTakeOnePieceOfMemory: of a list, and of one point.
func TestEncodingsTakeOnePieceOfMemory(t *testing.T) {
	if nightly.Racing() {
		t.Skip("the race detector adds allocations")
	}
	for _, g := range []group.Group{bn254.New(), bls12381.New(7)} {
		prefix, ps := []byte("prefix"), slices.Repeat([]group.Point{g.Generator()}, 20)
		require.EqualValues(t, 1, testing.AllocsPerRun(5, func() { g.AppendPoints(nil, prefix, ps) }))
		require.EqualValues(t, 1, testing.AllocsPerRun(5, func() { g.AppendPoint(nil, ps[0]) }))
	}
}

// TestPortable runs the suite without our own vector kernels.
func TestPortable(t *testing.T) {
	for _, g := range []group.Group{bn254.New().Portable(), bls12381.New(7).Portable()} {
		t.Run(g.Name(), func(t *testing.T) { conform(t, g, shapes...) })
	}
}

// TestMathlib leaves out the curves with a native backend, where TestNativeIsMathlib
// compares them, and but for nightly runs the slow ones of AMCL, which the known answers
// cover.
func TestMathlib(t *testing.T) {
	ids := []int{4}
	if nightly.On() {
		ids = append(ids, 0, 2)
	}
	for _, id := range ids {
		name := mathlib.Names[id]
		t.Run(name, func(t *testing.T) { conform(t, onMathlib(t, id)) })
	}
}

func TestACountingGroupIsAGroup(t *testing.T) {
	var rec count.Recorder
	counting, err := opcount.Wrap(bn254.New(), rec.Bucket(""), &opcount.Textbook)
	require.NoError(t, err)
	conform(t, counting)
	require.NotZero(t, rec.Snapshot().Total().Inside())
}

func TestASteppingGroupIsAGroup(t *testing.T) {
	conform(t, opcount.Steps(grouptest.Toy(1<<31-1), count.NoSteps{}))
}

// TestNativeIsMathlib compares our backend of each curve with mathlib, so that recorded
// files may be computed with either.
func TestNativeIsMathlib(t *testing.T) {
	for id, name := range mathlib.Names {
		g, err := curves.ByID(id)
		require.NoError(t, err)
		if _, isMathlib := g.(*mathlib.Curve); !isMathlib {
			t.Run(name, func(t *testing.T) { requireSame(t, g, onMathlib(t, id)) })
		}
	}
}

// whole is where the whole set of known answers stands, if it is there at all.
const whole = "../../../../../shared/vectors/nogh-v1/primitives.json"

func TestKnownAnswers(t *testing.T) {
	t.Run("fastest", func(t *testing.T) { requireAnswers(t, whole, curves.ByID) })
	t.Run("mathlib", func(t *testing.T) {
		requireAnswers(t, whole, func(id int) (group.Group, error) { return onMathlib(t, id), nil })
	})
}

func onMathlib(t *testing.T, id int) group.Group {
	g, err := mathlib.New(id)
	require.NoError(t, err)
	return g
}
