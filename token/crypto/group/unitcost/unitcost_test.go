package unitcost_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/count/cost"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/group/unitcost"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestMeasure checks that every operation of the interface is measured and can
// be saved.
func TestMeasure(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	last := 0
	c, err := unitcost.Measure(t.Context(), g, []unitcost.TableSize{{Points: 3, Budget: 1 << 16}},
		cost.Options{
			Sample:   time.Microsecond,
			Progress: func(done, of int) { require.Less(t, done, of); last = done },
		})
	require.NoError(t, err)
	require.Positive(t, last)
	unmeasured := map[count.Op]string{
		count.Table: "made before", count.BitTable: "made before", count.Pairing: "not of a group",
		count.FinalExp: "not of a group",
		count.Verify:   "not of a group", count.VerifyKnown: "not of a group",
		count.FieldExp:    "unused by groups",
		count.Certificate: "not of a group", count.Hash: "not of a group",
		count.Neg: "a difference, below", count.FixedMSM: "over a table, below",
	}
	for _, op := range count.Ops() {
		if unmeasured[op] != "" {
			continue
		}
		ns, known := c.Of(count.Of(op, 5))
		require.True(t, known,
			"operation %q has no cost: add its sizes and its call to operations in calls.go, or a reason "+
				"to unmeasured here", op)
		require.Positive(t, ns, op)
	}
	for name, curve := range c.Inside {
		t.Run(name, func(t *testing.T) {
			for _, s := range curve {
				require.Positive(t, s.NS, "%s of %d", name, s.Size)
			}
		})
	}
	require.Contains(t, c.Inside, "mixed-add")
	for _, e := range []count.Event{
		count.One(count.Neg),
		{Op: count.FixedMSM, Size: 5, Together: count.Together{Call: 5, Table: 130}},
		{Op: count.MSM, Size: 2, Together: count.Together{Call: 6}},
	} {
		_, known := c.Of(e)
		require.True(t, known, e)
	}
	b, err := json.Marshal(c)
	require.NoError(t, err)
	var back cost.Costs
	require.NoError(t, json.Unmarshal(b, &back))
	require.Equal(t, *c, back)
}

// TestBackendsShowWhatIsInside checks the operations that backends expose.
func TestBackendsShowWhatIsInside(t *testing.T) {
	for backend, names := range map[string][]string{
		"native":  {"affine-add", "base-inv", "base-mul", "base-mul-vec", "jacobian-double", "mixed-add"},
		"mathlib": {"in-place-add", "in-place-double"},
	} {
		t.Run(backend, func(t *testing.T) {
			g, err := curves.Find("BN254", backend)
			require.NoError(t, err)
			shows, ok := g.(interface {
				Inside([]group.Point) map[string]func(from, to int)
			})
			require.True(t, ok)
			ops := shows.Inside([]group.Point{g.Generator(), g.HashToPoint([]byte("p")),
				g.HashToPoint([]byte("q"))})
			require.Equal(t, names, slices.Sorted(maps.Keys(ops)))
			for _, do := range ops { // parts in any order, repeatedly
				do(0, 3)
				do(1, 2)
				do(0, 3)
				do(2, 2)
			}
		})
	}
}

func TestMeasureIsInterrupted(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	ctx, cancel := context.WithCancel(t.Context())
	_, err := unitcost.Measure(ctx, g, nil, cost.Options{Progress: func(int, int) { cancel() }})
	require.ErrorIs(t, err, context.Canceled)
}
